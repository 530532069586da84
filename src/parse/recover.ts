import { readYaml } from './yaml.ts';

/** One value that had to be quoted; `line` counts from 1 within the YAML, `mended` is the line to write instead. */
export interface YamlFix {
  readonly line: number;
  readonly field: string;
  readonly mended: string;
}

export interface RecoveredYaml {
  readonly yaml: string;
  readonly fixes: readonly YamlFix[];
}

/**
 * Mends YAML that does not parse, as people write it: unquoted `: `, a leading `@`, `*` or backquote, `[a] [b]`,
 * text after a closing quote, tabs as indentation, a long value wrapped to column 0. Each entry whose value does not
 * stand on its own is quoted; entries that do are left alone, byte for byte.
 */
export function recoverYaml(yaml: string): RecoveredYaml {
  const lines = yaml.split('\n').map(untab);
  const out: string[] = [];
  const fixes: YamlFix[] = [];
  let at = 0;
  while (at < lines.length) {
    const entry = readEntryLines(lines, at);
    const mended = mend(entry);
    if (mended === undefined) out.push(...lines.slice(at, entry.next));
    else {
      fixes.push({ line: at + 1, field: entry.field, mended: mended.trimStart() });
      out.push(mended);
    }
    at = entry.next;
  }
  return { yaml: out.join('\n'), fixes };
}

/** One `key: value` or `- item` with the lines that continue it. */
interface EntryLines {
  /** Everything before the value: indentation, dash, key and colon. */
  readonly prefix: string;
  readonly field: string;
  readonly value: string;
  readonly continuation: readonly string[];
  readonly next: number;
}

const ENTRY = /^( *(?:- +)*)((?:[A-Za-z_][\w.-]*|"[^"]*"|'[^']*') *)(?::|：(?=\S))(?: +(.*)|$)/;
/** `name:value` without the blank: believed only for fields that everybody has. */
const TIGHT_ENTRY = /^()(name|description|version|license|author)[:：] *(\S.*)$/;
const ITEM = /^( *(?:- +)+)()(\S.*)$/;
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]? *(?:#.*)?$/;

function readEntryLines(lines: readonly string[], at: number): EntryLines {
  const line = lines[at] ?? '';
  const match = ENTRY.exec(line) ?? TIGHT_ENTRY.exec(line) ?? ITEM.exec(line);
  if (match === null) return { prefix: '', field: '', value: '', continuation: [], next: at + 1 };
  const [, lead = '', key = '', written = ''] = match;
  const entry = {
    prefix: key === '' ? lead : `${lead}${key.trimEnd()}: `,
    field: key.trim().replaceAll(/^["']|["']$/g, ''),
  };
  const following = lines[at + 1] ?? '';
  const isHeader = BLOCK_SCALAR.test(written);
  const isBlock = isHeader && /^(?: |$)/.test(following);
  const value = isHeader && !isBlock ? '' : written;
  if (written === '' && isStructure(following)) return { ...entry, value, continuation: [], next: at + 1 };
  const indent = lead.length - lead.trimStart().length;
  const next = endOfEntry(lines, at + 1, { indent, strayBelongs: written !== '' && !isBlock && lead === '' });
  return { ...entry, value, continuation: isBlock ? [] : lines.slice(at + 1, next), next };
}

/** Below `key:` alone: a list or mapping, whose lines are looked at one by one, or wrapped text. */
function isStructure(line: string): boolean {
  return ENTRY.test(line) || ITEM.test(line);
}

interface EntryShape {
  readonly indent: number;
  /** After `key: text`, whatever at column 0 is no entry of its own is taken as wrapped text. */
  readonly strayBelongs: boolean;
}

function endOfEntry(lines: readonly string[], from: number, { indent, strayBelongs }: EntryShape): number {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const isDeeper = line.length - line.trimStart().length > indent;
    const isStray = strayBelongs && !ENTRY.test(line) && !TIGHT_ENTRY.test(line);
    if (!isDeeper && !isStray) break;
    end = at + 1;
  }
  return end;
}

function mend(entry: EntryLines): string | undefined {
  if (entry.prefix === '' || standsAlone(entry)) return undefined;
  const text = [entry.value, ...entry.continuation]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return `${entry.prefix}${quote(unquote(text))}`;
}

/** Does the value parse where nothing else can disturb it? */
function standsAlone({ prefix, value, continuation }: EntryLines): boolean {
  if (BLOCK_SCALAR.test(value)) return true;
  if (continuation.some((line) => line.trim() !== '' && !line.startsWith(' '))) return false;
  const start = prefix.endsWith(': ') ? 'key: ' : 'key:\n- ';
  const reading = readYaml([`${start}${value}`, ...continuation.map((line) => ` ${line}`), ''].join('\n'));
  return reading.map !== undefined && reading.faults.length === 0;
}

/** `"PDF "form" tools"` has its outer quotes by mistake or its inner ones; a lone outer quote means nothing. */
function unquote(text: string): string {
  const first = text[0];
  if (first !== '"' && first !== "'") return text;
  if (text.length > 1 && text.endsWith(first)) return text.slice(1, -1);
  return text.indexOf(first, 1) === -1 ? text.slice(1) : text;
}

function quote(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

function untab(line: string): string {
  return line.replace(/^[ \t]*\t[ \t]*/, (blanks) => blanks.replaceAll('\t', '  ')).replaceAll('\t', ' ');
}
