import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { readBlockScalar } from './simple-block.ts';
import { readFlow } from './simple-flow.ts';
import { foldLines, indentOf, isBlank, isNull, isPlain, KEY, readQuoted, trimBlanks } from './simple-scalars.ts';

/**
 * Reads the small part of YAML that nearly every frontmatter is written in, some fifty times faster than a whole YAML
 * parser: mappings and lists of scalars in every style, and comments. Returns `undefined` for everything else, faulty
 * text included, and never guesses: where it answers, it agrees with the YAML parser. A property test and the corpus
 * bench hold it to that.
 */
export function readSimpleYaml(yaml: string): FrontmatterMap | undefined {
  if (UNUSUAL.test(yaml)) return undefined;
  const cursor = { lines: yaml.split('\n'), at: 0 };
  const map = readMap(cursor, 0, 0);
  return cursor.at < cursor.lines.length ? undefined : map;
}

/** Tabs, control characters and odd line breaks are left to the YAML parser. */
const UNUSUAL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
/** YAML allows no longer keys on one line with their value. */
const MAX_KEY_LENGTH = 1_000;
const MAX_DEPTH = 16;

/** The lines, and the number of the next one. */
interface Cursor {
  readonly lines: string[];
  at: number;
}

/** A value that begins in the line at the cursor. */
interface Value {
  /** Column of the key or dash. Lines that continue the value are indented further. */
  readonly column: number;
  /** The line from the value on, without blanks around it. */
  readonly text: string;
  readonly depth: number;
}

/** Reads the mapping whose keys start at `column`, up to the first line indented less. */
function readMap(cursor: Cursor, column: number, depth: number): FrontmatterMap | undefined {
  const entries = new Map<string, FrontmatterValue>();
  for (let line = nextLine(cursor); line !== undefined; line = nextLine(cursor)) {
    const indent = indentOf(line);
    if (indent < column) break;
    const colon = indent === column ? endOfKey(line, column) : -1;
    if (colon === -1) return undefined;
    const key = line.slice(column, colon);
    const value = readValue(cursor, { column, text: trimBlanks(line.slice(colon + 1)), depth });
    if (value === undefined || entries.has(key)) return undefined;
    entries.set(key, value);
  }
  return entries;
}

/** Reads the list whose dashes are at `column`. */
function readList(cursor: Cursor, column: number, depth: number): readonly FrontmatterValue[] | undefined {
  const items: FrontmatterValue[] = [];
  for (let line = nextLine(cursor); line !== undefined; line = nextLine(cursor)) {
    const indent = indentOf(line);
    if (indent < column || (indent === column && line[column] !== '-')) break;
    if (indent > column || line[column + 1] !== ' ') return undefined;
    const rest = line.slice(column + 2);
    const item = readItem(cursor, { column, text: trimBlanks(rest), depth }, column + 2 + indentOf(rest));
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

/** Reads a list item whose text begins at `at`: a mapping that starts after the dash, or a scalar. */
function readItem(cursor: Cursor, value: Value, at: number): FrontmatterValue | undefined {
  const line = cursor.lines[cursor.at] ?? '';
  if (value.text === '' || value.text.startsWith('#') || value.text.startsWith('- ')) return undefined;
  if (endOfKey(line, at) === -1) return readValue(cursor, value);
  if (value.depth === MAX_DEPTH) return undefined;
  cursor.lines[cursor.at] = `${' '.repeat(at)}${value.text}`;
  return readMap(cursor, at, value.depth + 1);
}

/** Leaves the cursor behind the value. */
function readValue(cursor: Cursor, value: Value): FrontmatterValue | undefined {
  switch (value.text[0]) {
    case undefined:
    case '#':
      cursor.at += 1;
      return readNested(cursor, value);
    case '|':
    case '>':
      return readBlock(cursor, value);
    case '[':
    case '{':
      return readFlow(takeLines(cursor, value));
    case '"':
    case "'":
      return readQuoted(takeLines(cursor, value));
    default:
      return readPlain(cursor, value);
  }
}

/** Reads the value below a key that has none on its own line; null if nothing is indented further. */
function readNested(cursor: Cursor, { column, depth }: Value): FrontmatterValue | undefined {
  const line = nextLine(cursor);
  const indent = line === undefined ? -1 : indentOf(line);
  const isDash = line !== undefined && line[indent] === '-' && (line[indent + 1] ?? ' ') === ' ';
  if (line === undefined || indent < column || (indent === column && !isDash)) return null;
  if (depth === MAX_DEPTH) return undefined;
  if (isDash) return readList(cursor, indent, depth + 1);
  if (endOfKey(line, indent) !== -1) return readMap(cursor, indent, depth + 1);
  if (line[indent] === '|' || line[indent] === '>' || line[indent] === '#') return undefined;
  return readValue(cursor, { column, text: trimBlanks(line), depth });
}

/** Reads a plain scalar. Lines indented further continue it; a comment ends it. */
function readPlain(cursor: Cursor, { column, text }: Value): string | null | undefined {
  const comment = text.indexOf(' #');
  const first = comment === -1 ? text : trimBlanks(text.slice(0, comment));
  if (!isPlain(first)) return undefined;
  cursor.at += 1;
  if (comment !== -1) return isNull(first) ? null : first;
  const parts = [first];
  while (isContinued(cursor, column)) {
    const part = trimBlanks(cursor.lines[cursor.at] ?? '');
    if (part.includes(': ') || part.includes(' #') || part.endsWith(':')) return undefined;
    parts.push(part);
    cursor.at += 1;
  }
  if (parts.length === 1) return isNull(first) ? null : first;
  return foldLines(parts);
}

/** Does the line at the cursor, or the first one after blank lines, continue the scalar? */
function isContinued({ lines, at }: Cursor, column: number): boolean {
  let next = at;
  while (next < lines.length && isBlank(lines[next] ?? '')) next += 1;
  const line = lines[next] ?? '';
  const indent = indentOf(line);
  return next < lines.length && indent > column && line[indent] !== '#';
}

function readBlock(cursor: Cursor, { column, text }: Value): string | undefined {
  const [header = '', ...content] = takeLines(cursor, { column, text, depth: 0 });
  return readBlockScalar(header, content);
}

/** Takes the rest of the line and all following lines that are blank or indented further. */
function takeLines(cursor: Cursor, { column, text }: Value): readonly string[] {
  const { lines, at } = cursor;
  let end = at + 1;
  while (end < lines.length && (isBlank(lines[end] ?? '') || indentOf(lines[end] ?? '') > column)) end += 1;
  cursor.at = end;
  return [text, ...lines.slice(at + 1, end)];
}

/** Moves the cursor to the next line that is neither blank nor a comment. */
function nextLine(cursor: Cursor): string | undefined {
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? '';
    if (!isBlank(line) && line[indentOf(line)] !== '#') return line;
  }
  return undefined;
}

/** The end of the key that begins at `from`, in `key: value` or `key:`; -1 if there is none. */
function endOfKey(line: string, from: number): number {
  const colon = line.indexOf(':', from);
  if (colon <= from || colon - from > MAX_KEY_LENGTH || (colon + 1 < line.length && line[colon + 1] !== ' ')) return -1;
  return KEY.test(line.slice(from, colon)) ? colon : -1;
}
