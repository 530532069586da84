import { MAX_FRONTMATTER_BYTES, MAX_REPAIRED_LENGTH } from '../model/limits.ts';
import type { FrontmatterMap } from '../model/skill.ts';
import type { StepBudget } from './step-budget.ts';
import { ALIAS_MESSAGE, examineYaml, type YamlFault } from './yaml/examine-yaml.ts';
import { readMapping, readYaml } from './yaml/read-yaml.ts';
import { recoverYaml, type YamlFix } from './yaml/recover.ts';

/** The frontmatter of one file, as far as it is readable. Line numbers refer to the file. */
export interface FrontmatterReading {
  readonly split: SplitText;
  /** Absent if it is unreadable. */
  readonly map?: FrontmatterMap;
  readonly faults: readonly YamlFault[];
  /** True for invalid YAML that was repaired: `faults` says why, `fixes` lists the values that were quoted. */
  readonly isRecovered: boolean;
  readonly fixes: readonly YamlFix[];
}

/**
 * Parses the frontmatter of normalized text: valid YAML directly, anything else with the slow parser and repairs. A
 * budget, in characters, limits that slow work across many files.
 */
export function readFrontmatter(text: string, repairs?: StepBudget): FrontmatterReading {
  const split = splitFrontmatter(text);
  const { kind, yaml, line } = split;
  const inFile = <T extends { readonly line: number }>(place: T): T => ({ ...place, line: place.line + line - 1 });
  const sound = { split, faults: [], isRecovered: false, fixes: [] };
  const refused = (fault: YamlFault): FrontmatterReading => ({ ...sound, faults: [inFile(fault)] });
  if (kind === 'none') return { ...sound, map: new Map() };
  if (Buffer.byteLength(yaml) > MAX_FRONTMATTER_BYTES) return refused(TOO_LARGE);

  const map = readMapping(yaml);
  if (map !== undefined) return { ...sound, map };
  if (yaml.length > MAX_REPAIRED_LENGTH || repairs?.spend(yaml.length) === false) return refused(TOO_COSTLY);
  const examined = withoutStacks(() => examineYaml(yaml));
  const faults = examined.faults.map(inFile);
  if (examined.map !== undefined) return { ...sound, map: examined.map, faults };
  const alias = findAlias(yaml, examined.faults);
  if (alias !== undefined) return refused(alias);
  if (!isMendable(examined.faults[0])) return { ...sound, faults };

  const recovered = withoutStacks(() => recoverYaml(yaml));
  const { map: mended, faults: left } = readYaml(recovered.yaml);
  if (mended === undefined) return { ...sound, faults };
  // Repairing keeps line numbers, so the remaining errors keep theirs.
  const all = [...faults, ...left.map(inFile)];
  return { split, map: mended, faults: all, isRecovered: true, fixes: recovered.fixes.map(inFile) };
}

const TOO_LARGE: YamlFault = {
  kind: 'too-large',
  message: `the frontmatter is larger than ${MAX_FRONTMATTER_BYTES} bytes`,
  line: 1,
};
const TOO_COSTLY: YamlFault = {
  kind: 'too-costly',
  message: `it is not valid YAML, or uses anchors or tags, and is longer than ${MAX_REPAIRED_LENGTH} characters`,
  line: 1,
};

/** The parsers make an error for each fault. Collecting stacks for a hostile file would take longer than reading it. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function isMendable(fault: YamlFault | undefined): boolean {
  return fault?.kind === 'syntax' || fault?.kind === 'alias' || fault?.kind === 'not-mapping';
}

/** `*name` is an alias, and refused, only if some value has the anchor `&name`; otherwise it is text. */
function findAlias(yaml: string, faults: readonly YamlFault[]): YamlFault | undefined {
  const anchors = new Set(namesAfter('&', yaml));
  if (!namesAfter('*', yaml).some((alias) => anchors.has(alias))) return undefined;
  return faults.find(({ kind }) => kind === 'alias') ?? { kind: 'alias', message: ALIAS_MESSAGE, line: 1 };
}

/** Names that follow this sign at the start of a value. */
function namesAfter(sign: string, yaml: string): readonly string[] {
  const pattern = new RegExp(String.raw`(?:^|[:-][ \t]+|[[{,][ \t]*)[${sign}]([^\s,[\]{}]+)`, 'gm');
  return [...yaml.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** A SKILL.md cut at its fences. `opening`, `yaml`, `closing` and `rest` joined are the text again. */
export interface SplitText {
  readonly kind: 'none' | 'unclosed' | 'closed';
  /** The first fence, with its line end and what precedes it. */
  readonly opening: string;
  readonly yaml: string;
  /** The second fence with its line end; empty if there is none. */
  readonly closing: string;
  readonly rest: string;
  /** `rest` without blanks around it. */
  readonly body: string;
  /** The 1-based line of the YAML's first line, for messages. */
  readonly line: number;
}

const OPENING = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/;
/** A line of its own, or `---# Title`, where the fence and the first heading ran together. */
const CLOSING = /(?<![^\n])---[ \t]*(?:\r?\n|$)|(?<=\n)---(?=#)/;
/** Lines that look like YAML. */
const HEADER = /^(?:[A-Za-z_][\w.-]*:(?:[ \t].*)?\r?\n|[ \t]+\S.*\r?\n|- .*\r?\n|\r?\n(?=[A-Za-z_][\w.-]*:[ \t]))*/;

/**
 * Finds the frontmatter: `---` alone on its line (blanks may follow, blank lines may precede) up to the next such
 * line. Only a fence at column 0 counts, so `---` inside a value or a block scalar is text. Without a closing fence, the
 * frontmatter ends where its lines stop looking like YAML.
 */
export function splitFrontmatter(text: string): SplitText {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined)
    return { kind: 'none', opening: '', yaml: '', closing: '', rest: text, body: text.trim(), line: 1 };
  const after = text.slice(opening.length);
  const fence = CLOSING.exec(after);
  const closing = fence?.[0] ?? '';
  const end = fence?.index ?? HEADER.exec(`${after}\n`)?.[0].length ?? 0;
  const rest = after.slice(end + closing.length);
  const isClosed = fence !== null && !(closing === '---' && rest.startsWith('#'));
  return {
    kind: isClosed ? 'closed' : 'unclosed',
    opening,
    yaml: detach(after.slice(0, end)),
    closing,
    rest,
    body: rest.trim(),
    line: countLines(opening) + 1,
  };
}

/** Converts line ends to LF and drops the byte-order mark. Every later step relies on it. */
export function normalizeText(text: string): string {
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return unmarked.includes('\r') ? unmarked.replaceAll(/\r\n?/g, '\n') : unmarked;
}

/** Copies a slice, so that it does not keep the large string alive. */
export function detach(slice: string): string {
  return slice.length < 13 ? slice : ` ${slice}`.slice(1);
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
