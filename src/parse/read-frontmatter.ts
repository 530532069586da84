import { MAX_FRONTMATTER_BYTES, MAX_READING_STEPS, YAML_CALL_STEPS } from '../model/limits.ts';
import type { FrontmatterMap } from '../model/skill.ts';
import { splitFrontmatter, type SplitText } from './frontmatter.ts';
import { openStepBudget, type StepBudget } from './step-budget.ts';
import { recoverYaml, type RecoveredYaml, type YamlFix } from './yaml/recover.ts';
import { readSimpleYaml } from './yaml/simple-yaml.ts';
import { ALIAS_MESSAGE, readYaml, TOO_COSTLY, type YamlFault, type YamlReading } from './yaml/yaml.ts';

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

const EMPTY: FrontmatterMap = new Map();
const UNCHANGED = { faults: [], isRecovered: false, fixes: [] } as const;

/** Reads the frontmatter of normalised text. YAML is repaired only after a strict parse has failed. */
export function readFrontmatter(
  text: string,
  budget: StepBudget = openStepBudget(MAX_READING_STEPS),
): FrontmatterReading {
  const split = splitFrontmatter(text);
  const reading = readSplit(split, budget);
  if (!budget.isExceeded || split.kind === 'none') return reading;
  return { split, ...UNCHANGED, faults: [{ ...TOO_COSTLY, line: split.line }] };
}

function readSplit(split: SplitText, budget: StepBudget): FrontmatterReading {
  if (split.kind === 'none') return { split, map: EMPTY, ...UNCHANGED };
  const { yaml, line } = split;
  if (isTooLarge(yaml)) {
    const message = `the frontmatter is larger than ${MAX_FRONTMATTER_BYTES} bytes`;
    return { split, ...UNCHANGED, faults: [{ kind: 'too-large', message, line }] };
  }
  const simple = readSimpleYaml(yaml);
  if (simple !== undefined) return { split, map: simple, ...UNCHANGED };
  if (!budget.spend(YAML_CALL_STEPS)) return { split, ...UNCHANGED };
  const recovered = recoverYaml(yaml, budget);
  const strict = findNestedColon(yaml, recovered) ?? readYaml(yaml, budget);
  const faults = strict.faults.map((fault) => ({ ...fault, line: fault.line + line - 1 }));
  if (strict.map !== undefined) return { split, map: strict.map, ...UNCHANGED, faults };
  if (usesAlias(yaml)) {
    const alias = faults.find((fault) => fault.kind === 'alias') ?? { kind: 'alias', message: ALIAS_MESSAGE, line };
    return { split, ...UNCHANGED, faults: [alias] };
  }
  if (!isMendable(strict.faults[0])) return { split, ...UNCHANGED, faults };
  return { split, ...recover(recovered, { line, faults, budget }) };
}

/** Unquoted text with a second colon is never valid YAML. The message is the YAML parser's. */
const NESTED_COLON = /^[A-Za-z_][\w.-]*: +[A-Za-z0-9][^#\t]*?: +[^#\s]/;
const NESTED_COLON_MESSAGE = 'Nested mappings are not allowed in compact mappings';

/**
 * Recognises the most common fault without the YAML parser, which takes ten times as long to report the same: an entry
 * with a second colon, and everything before it is in order.
 */
function findNestedColon(yaml: string, { yaml: rewritten, fixes }: RecoveredYaml): YamlReading | undefined {
  const line = fixes[0]?.line ?? 0;
  const isCertain = NESTED_COLON.test(yaml.split('\n')[line - 1] ?? '') && readSimpleYaml(rewritten) !== undefined;
  return isCertain ? { faults: [{ kind: 'syntax', message: NESTED_COLON_MESSAGE, line }] } : undefined;
}

/** Line numbers refer to the file. Repairing moves no line, so remaining faults keep theirs. */
function recover(
  recovered: RecoveredYaml,
  {
    line,
    faults,
    budget,
  }: { readonly line: number; readonly faults: readonly YamlFault[]; readonly budget: StepBudget },
): Omit<FrontmatterReading, 'split'> {
  const simple = readSimpleYaml(recovered.yaml);
  const { map, faults: left } = simple === undefined ? readYaml(recovered.yaml, budget) : { map: simple, faults: [] };
  if (map === undefined) return { ...UNCHANGED, faults };
  const inFile = <T extends { readonly line: number }>(place: T): T => ({ ...place, line: place.line + line - 1 });
  return { map, faults: [...faults, ...left.map(inFile)], isRecovered: true, fixes: recovered.fixes.map(inFile) };
}

function isMendable(fault: YamlFault | undefined): boolean {
  return fault?.kind === 'syntax' || fault?.kind === 'alias' || fault?.kind === 'not-mapping';
}

/** `*name` is an alias, and refused, only if some value has the anchor `&name`; otherwise it is text. */
function usesAlias(yaml: string): boolean {
  const anchors = new Set(namesAfter('&', yaml));
  return namesAfter('*', yaml).some((alias) => anchors.has(alias));
}

/** Names that follow this sign at the start of a value. */
function namesAfter(sign: string, yaml: string): readonly string[] {
  const pattern = new RegExp(String.raw`(?:^|[:-][ \t]+|[[{,][ \t]*)[${sign}]([^\s,[\]{}]+)`, 'gm');
  return [...yaml.matchAll(pattern)].map((match) => match[1] ?? '');
}

function isTooLarge(yaml: string): boolean {
  if (yaml.length * 3 <= MAX_FRONTMATTER_BYTES) return false;
  return Buffer.byteLength(yaml) > MAX_FRONTMATTER_BYTES;
}
