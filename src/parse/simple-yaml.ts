import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';

/**
 * Reads the small part of YAML that nearly every frontmatter is written in, some fifty times faster than a whole
 * YAML parser: top-level `key: value` with plain, quoted and block scalars, one-line lists, and one level of block
 * list or mapping. Answers `undefined` for everything else, faulty text included, and never guesses: where it
 * answers, it agrees with the YAML parser (a property test and the corpus bench hold it to that).
 */
export function readSimpleYaml(yaml: string): FrontmatterMap | undefined {
  if (UNUSUAL.test(yaml)) return undefined;
  const lines = yaml.split('\n');
  const entries = new Map<string, FrontmatterValue>();
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    if (isBlankOrComment(line)) {
      at += 1;
      continue;
    }
    const value = readEntry(lines, at);
    if (value === undefined || entries.has(value.key)) return undefined;
    entries.set(value.key, value.value);
    at = value.next;
  }
  return entries;
}

/** Tabs, control characters and odd line breaks are left to the whole parser. */
const UNUSUAL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
/** Prototype names are no keys here: the whole parser reports them. */
const KEY = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_][\w.-]*$/;
/** YAML allows no longer keys on one line with their value. */
const MAX_KEY_LENGTH = 1_000;
const INDICATOR_FIRST = /^[\s\-?:,[\]{}#&*!|>'"%@`]/;
const PLAIN_IN_LIST = /^[^\s\-?:,[\]{}#&*!|>'"%@`\\][^,[\]{}:#"'\\]*$/;

interface Entry {
  readonly key: string;
  readonly value: FrontmatterValue;
  readonly next: number;
}

function readEntry(lines: readonly string[], at: number): Entry | undefined {
  const line = lines[at] ?? '';
  const colon = endOfKey(line);
  if (colon === -1) return undefined;
  const key = line.slice(0, colon);
  const text = trimBlanks(line.slice(colon + 1));
  if (text === '') return readBlock(lines, at + 1, key);
  if (text.startsWith('|') || text.startsWith('>')) return readBlockScalar(lines, at, { key, header: text });
  const value = text.startsWith('[') ? readFlowList(text) : readScalar(text);
  if (value === undefined) return undefined;
  if (!isContinued(lines, at + 1)) return { key, value, next: at + 1 };
  return isPlain(text) ? readContinuation(lines, at + 1, { key, text }) : undefined;
}

/** Where the key ends in `key: value` or `key:`, else -1. */
function endOfKey(line: string): number {
  const colon = line.indexOf(':');
  if (colon < 1 || colon > MAX_KEY_LENGTH || (colon + 1 < line.length && line[colon + 1] !== ' ')) return -1;
  return KEY.test(line.slice(0, colon)) ? colon : -1;
}

/** A plain scalar over several lines, each as plain as the first; its line breaks are blanks. */
function readContinuation(
  lines: readonly string[],
  from: number,
  start: { key: string; text: string },
): Entry | undefined {
  let { text } = start;
  let next = from;
  for (let line = lines[next]; line !== undefined && line.startsWith(' '); line = lines[++next]) {
    const part = trimBlanks(line);
    if (!isPlain(part)) return undefined;
    text += ` ${part}`;
  }
  return isContinued(lines, next) ? undefined : { key: start.key, value: text, next };
}

function readScalar(text: string): string | null | undefined {
  if (text.startsWith('"')) return isClosedQuote(text, '"') && !text.includes('\\') ? text.slice(1, -1) : undefined;
  if (text.startsWith("'")) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
  if (!isPlain(text)) return undefined;
  return isNull(text) ? null : text;
}

function isClosedQuote(text: string, quote: string): boolean {
  return text.length > 1 && text.indexOf(quote, 1) === text.length - 1;
}

/** A plain scalar that no YAML rule can read otherwise: no indicator first, no `: `, no ` #`. */
function isPlain(text: string): boolean {
  return (
    text !== '' && !INDICATOR_FIRST.test(text) && !text.includes(': ') && !text.includes(' #') && !text.endsWith(':')
  );
}

function isNull(text: string): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL';
}

function readFlowList(text: string): readonly (string | null)[] | undefined {
  if (!text.endsWith(']')) return undefined;
  const inner = trimBlanks(text.slice(1, -1));
  if (inner === '') return [];
  const items = inner.split(',').map((part) => readFlowItem(trimBlanks(part)));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function readFlowItem(text: string): string | null | undefined {
  if (text.startsWith('"') || text.startsWith("'")) return /[,[\]{}]/.test(text) ? undefined : readScalar(text);
  if (!PLAIN_IN_LIST.test(text)) return undefined;
  return isNull(text) ? null : text;
}

/** `key:` alone: null, or a block list or mapping of one-line scalars at one indentation. */
function readBlock(lines: readonly string[], from: number, key: string): Entry | undefined {
  const first = lines[from];
  if (first === undefined || !/^(?: +\S|- )/.test(first)) {
    return isContinued(lines, from) || nextStartsList(lines, from) ? undefined : { key, value: null, next: from };
  }
  const indent = indentOf(first);
  const body: string[] = [];
  let next = from;
  while (belongsToBlock(lines[next], indent)) body.push((lines[next++] ?? '').slice(indent));
  if (isContinued(lines, next) || nextStartsList(lines, next)) return undefined;
  const value = body[0]?.startsWith('- ') === true ? readBlockList(body) : readBlockMap(body);
  return value === undefined ? undefined : { key, value, next };
}

function belongsToBlock(line: string | undefined, indent: number): boolean {
  if (line === undefined || isBlank(line)) return false;
  return indent > 0 ? indentOf(line) >= indent : line.startsWith('- ');
}

function readBlockList(body: readonly string[]): readonly (string | null)[] | undefined {
  const items: (string | null)[] = [];
  for (const line of body) {
    const item = line.startsWith('- ') ? readScalar(trimBlanks(line.slice(2))) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readBlockMap(body: readonly string[]): FrontmatterMap | undefined {
  const entries = new Map<string, FrontmatterValue>();
  for (const line of body) {
    const colon = endOfKey(line);
    const value = colon === -1 ? undefined : readScalar(trimBlanks(line.slice(colon + 1)));
    const key = line.slice(0, colon);
    if (value === undefined || entries.has(key)) return undefined;
    entries.set(key, value);
  }
  return entries;
}

interface BlockScalar {
  readonly key: string;
  readonly header: string;
}

function readBlockScalar(lines: readonly string[], at: number, { key, header }: BlockScalar): Entry | undefined {
  if (!/^[|>]-?$/.test(header)) return undefined;
  const content: string[] = [];
  let next = at + 1;
  while (next < lines.length && (lines[next] === '' || lines[next]?.startsWith(' ') === true)) {
    content.push(lines[next++] ?? '');
  }
  while (content.at(-1) === '') content.pop();
  const indent = indentOf(content[0] ?? '');
  const isFolded = header.startsWith('>');
  if (indent === 0 || content.some((line) => !isPlainContent(line, indent, isFolded))) return undefined;
  const stripped = content.map((line) => line.slice(indent));
  const text = isFolded ? fold(stripped) : stripped.join('\n');
  return { key, value: header.endsWith('-') ? text : `${text}\n`, next };
}

/** Content whose meaning needs no thought: evenly indented; in folded text also without outer blanks. */
function isPlainContent(line: string, indent: number, isFolded: boolean): boolean {
  if (line === '') return true;
  if (isBlank(line) || indentOf(line) < indent) return false;
  return !isFolded || (line[indent] !== ' ' && !line.endsWith(' '));
}

function fold(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)));
}

function isContinued(lines: readonly string[], from: number): boolean {
  let at = from;
  while (at < lines.length && isBlank(lines[at] ?? '')) at += 1;
  return lines[at]?.startsWith(' ') === true;
}

function nextStartsList(lines: readonly string[], from: number): boolean {
  let at = from;
  while (at < lines.length && isBlankOrComment(lines[at] ?? '')) at += 1;
  return /^-(?: |$)/.test(lines[at] ?? '');
}

function isBlankOrComment(line: string): boolean {
  return line.startsWith('#') || isBlank(line);
}

function isBlank(line: string): boolean {
  return line === '' || indentOf(line) === line.length;
}

/** YAML's blanks only: `trim` would also take the wide and non-breaking spaces that belong to the text. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(indentOf(text), end);
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent;
}
