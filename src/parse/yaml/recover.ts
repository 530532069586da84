import { once } from '../../model/once.ts';
import { readMapping } from './read-yaml.ts';

/** A value that had to be rewritten. `line` counts from 1 within the YAML; `rewritten` is the line to write instead. */
export interface YamlFix {
  readonly line: number;
  readonly field: string;
  readonly rewritten: string;
}

export interface RecoveredYaml {
  /** Has as many lines as before, so line numbers stay valid. */
  readonly yaml: string;
  readonly fixes: readonly YamlFix[];
}

/**
 * Rewrites YAML that does not parse, as people write it: unquoted `: `, a leading `@`, `*` or backquote, `[a] [b]`,
 * text after a closing quote, tabs as indentation, a long value wrapped to column 0, `name:value`. Each entry whose
 * value does not stand on its own is quoted, or loses a trailing comma if that is all; other entries are left alone,
 * byte for byte.
 */
export function recoverYaml(yaml: string): RecoveredYaml {
  const out: string[] = [];
  const fixes: YamlFix[] = [];
  for (const { entry, rewritten, isMoved } of rewriteEntries(yaml)) {
    if (rewritten === undefined) {
      if (isMoved) fixes.push({ line: out.length + 1, field: entry.field, rewritten: entry.lines[0] ?? '' });
      out.push(...entry.lines);
    } else {
      fixes.push({ line: out.length + 1, field: entry.field, rewritten: rewritten.trimStart() });
      out.push(rewritten, ...entry.lines.slice(1).map(() => ''));
    }
  }
  return { yaml: out.join('\n'), fixes };
}

/** The same for writing a file: lines that were merged into the one before are removed. */
export function rewriteYaml(yaml: string): string {
  return rewriteEntries(yaml)
    .flatMap(({ entry, rewritten }) => (rewritten === undefined ? entry.lines : [rewritten]))
    .join('\n');
}

interface RewrittenEntry {
  readonly entry: EntryLines;
  /** Undefined if the entry needs no repair. */
  readonly rewritten: string | undefined;
  /** Was it indented below a name? */
  readonly isMoved: boolean;
}

function rewriteEntries(yaml: string): readonly RewrittenEntry[] {
  const written = yaml.split('\n');
  const lines = moveOutOfName(written);
  const entries: RewrittenEntry[] = [];
  for (let at = 0; at < lines.length;) {
    const entry = readEntryLines(lines, at);
    const isMoved = entry.field !== '' && lines[at] !== written[at];
    entries.push({ entry, rewritten: rewrite(entry), isMoved });
    at += entry.lines.length;
  }
  return entries;
}

/** A name is one word, so fields that are indented below it do not continue it: they lose that indentation. */
function moveOutOfName(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => /^name:[ \t]+[^\s|>]/.test(line)) + 1;
  const next = lines[at] ?? '';
  const indent = /^[ \t]+/.exec(next)?.[0];
  if (at === 0 || indent === undefined || !entry().test(untab(next))) return lines;
  const rest = lines.slice(at);
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith(indent));
  return lines.map((line, index) =>
    index >= at && (end === -1 || index < at + end) && line.startsWith(indent) ? line.slice(indent.length) : line,
  );
}

/** One `key: value` or `- item` with the lines that continue it. */
interface EntryLines {
  readonly lines: readonly string[];
  /** Everything before the value: indentation, dash, key and colon. Empty if the lines are not an entry. */
  readonly prefix: string;
  readonly field: string;
  readonly value: string;
  readonly continuation: readonly string[];
  /** `name:value` or a full-width colon, which YAML does not read as an entry. */
  readonly isMisspelled: boolean;
}

const entry = once(() => /^( *(?:- +)*)((?:[\p{L}_][\p{L}\p{N}_.-]*|"[^"]*"|'[^']*') *):(?:[ \t]+(.*)|$)/su);
/** Accepted only for the usual fields. */
const MISSPELLED_ENTRY = /^()(name|description|version|license|author)(?::|：[ \t]*)(\S.*)$/su;
const ITEM = /^( *(?:- +)+)()(\S.*)$/su;
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]? *(?:#.*)?$/;

function readEntryLines(lines: readonly string[], at: number): EntryLines {
  const line = untab(lines[at] ?? '');
  const written = entry().exec(line);
  const misspelled = written === null ? MISSPELLED_ENTRY.exec(line) : null;
  const match = written ?? misspelled ?? ITEM.exec(line);
  if (match === null) return { lines: [line], prefix: '', field: '', value: '', continuation: [], isMisspelled: false };
  const [, lead = '', key = '', value = ''] = match;
  const next = lines[at + 1] ?? '';
  const shape = {
    prefix: key === '' ? lead : `${lead}${key.trimEnd()}: `,
    field: key.trim().replaceAll(/^["']|["']$/g, ''),
    isMisspelled: misspelled !== null,
  };
  const column = key === '' ? lead.length - lead.trimStart().length : lead.length;
  if (value === '' && isStructure(next)) return { ...shape, lines: [line], value, continuation: [] };
  if (BLOCK_SCALAR.test(value) && /^(?:\s|$)/.test(next)) {
    const block = readBlock(lines, at + 1, column);
    return { ...shape, lines: [line, ...block], value, continuation: [] };
  }
  const end = endOfEntry(lines, at + 1, { column, strayBelongs: value !== '' && lead === '' });
  const continuation = lines.slice(at + 1, end);
  const isEmptyBlock = BLOCK_SCALAR.test(value);
  return { ...shape, lines: [line, ...continuation], value: isEmptyBlock ? '' : value, continuation };
}

/** Below `key:` alone: a list or mapping, whose lines are looked at one by one, or wrapped text. */
function isStructure(line: string): boolean {
  const untabbed = untab(line);
  return entry().test(untabbed) || ITEM.test(untabbed);
}

/** The lines of a block scalar, as they are; only tabs in the place of its indentation are replaced. */
function readBlock(lines: readonly string[], from: number, column: number): readonly string[] {
  const block = lines.slice(from, endOfEntry(lines, from, { column, strayBelongs: false }));
  const first = block.find((line) => line.trim() !== '');
  return first?.startsWith('\t') === true ? block.map(untab) : block;
}

interface EntryShape {
  /** Column of the entry's key. Lines indented further continue it. */
  readonly column: number;
  /** After `key: text`, a line at column 0 that is not an entry is wrapped text. */
  readonly strayBelongs: boolean;
}

function endOfEntry(lines: readonly string[], from: number, { column, strayBelongs }: EntryShape): number {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = untab(lines[at] ?? '');
    if (line.trim() === '') continue;
    const isDeeper = line.length - line.trimStart().length > column;
    const isStray = strayBelongs && !entry().test(line) && !MISSPELLED_ENTRY.test(line) && !line.startsWith('#');
    if (!isDeeper && !isStray) break;
    end = at + 1;
  }
  return end;
}

function rewrite(entry: EntryLines): string | undefined {
  if (entry.prefix === '' || (!entry.isMisspelled && standsAlone(entry))) return undefined;
  const parts = [entry.value, ...entry.continuation].map((part) => part.trim()).filter((part) => part !== '');
  const text = parts.join(' ');
  return `${entry.prefix}${dropComma(entry, text) ?? quote(unquote(text))}`;
}

/** The text without the comma after a quoted text or a list, as in JSON. Undefined if that is not what is wrong. */
function dropComma(entry: EntryLines, text: string): string | undefined {
  if (!/^["'[{].*,$/s.test(text)) return undefined;
  const value = text.slice(0, -1).trimEnd();
  return standsAlone({ ...entry, value, continuation: [] }) ? value : undefined;
}

/** Does the value parse on its own? */
function standsAlone({ prefix, value, continuation }: EntryLines): boolean {
  if (BLOCK_SCALAR.test(value)) return true;
  if (continuation.some((line) => line.trim() !== '' && !line.startsWith(' '))) return false;
  const start = prefix.endsWith(': ') ? 'key: ' : 'key:\n- ';
  const yaml = [`${start}${value}`, ...continuation.map((line) => ` ${line}`), ''].join('\n');
  return readMapping(yaml.replaceAll(CONTROLS, '_')) !== undefined;
}

/** js-yaml refuses them, but they break no value. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Drops outer quotes: in `"PDF "form" tools"` either pair may be the mistake, and a lone one means nothing. */
function unquote(text: string): string {
  const first = text[0];
  if (first !== '"' && first !== "'") return text;
  if (text.length > 1 && text.endsWith(first)) return text.slice(1, -1);
  return text.indexOf(first, 1) === -1 ? text.slice(1) : text;
}

function quote(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** Tabs in the indentation become two blanks each; any other tab is text. */
function untab(line: string): string {
  return line.replace(/^[ \t]*\t[ \t]*/, (blanks) => blanks.replaceAll('\t', '  '));
}
