import { isDeepStrictEqual } from 'node:util';

import type { Document, Node, Pair } from 'yaml';

import { fail, type Outcome } from '../model/outcome.ts';
import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';
import { toPlain } from './fields.ts';
import { renderField } from './render-yaml.ts';
import { loadYaml, readYaml } from './yaml.ts';

/** What fields shall be; `undefined` takes one away. */
export type FieldChanges = ReadonlyMap<string, FrontmatterValue | undefined>;

/**
 * Changes fields of valid frontmatter, given without its fences. Other fields, comments, blank lines and the order stay
 * byte for byte, and so does a field that has its value already; new fields come last.
 */
export function editFields(yaml: string, changes: FieldChanges): Outcome<{ readonly yaml: string }> {
  const { map, faults } = readYaml(yaml);
  if (map === undefined) return fail('PARSE_FAILED', faults[0]?.message ?? 'the frontmatter cannot be read');
  const needed = new Map([...changes].filter(([key, value]) => !isSame(map.get(key), value)));
  if (needed.size === 0) return { ok: true, yaml };
  for (const edited of [editLines(yaml, needed), editDocument(yaml, needed)]) {
    if (edited !== undefined && isAsWanted(edited, map, needed)) return { ok: true, yaml: edited };
  }
  return fail('PARSE_FAILED', 'the frontmatter is written in a way that cannot be edited safely; edit it by hand');
}

function isSame(a: FrontmatterValue | undefined, b: FrontmatterValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isDeepStrictEqual(a, b);
}

/** Every field as it was or as it shall be, and no fault that was not there. */
function isAsWanted(edited: string, before: FrontmatterMap, changes: FieldChanges): boolean {
  const wanted = new Map<string, FrontmatterValue>(before);
  for (const [key, value] of changes) {
    if (value === undefined) wanted.delete(key);
    else wanted.set(key, value);
  }
  const { map } = readYaml(edited);
  return map !== undefined && isDeepStrictEqual(toPlain(map), toPlain(wanted));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function editLines(yaml: string, changes: FieldChanges): string | undefined {
  const lineEnd = yaml.includes('\r\n') ? '\r\n' : '\n';
  const spans = locateFields(yaml);
  if (spans === undefined) return undefined;
  const edits = [...changes].map(([key, value]) => {
    const span = spans.get(key) ?? { start: yaml.length, end: yaml.length };
    return { key, value, span, isNew: !spans.has(key) };
  });
  let text = yaml;
  // From the end to the beginning, so that places before an edit stay true; new fields come in the order given.
  for (const { key, value, span } of edits.filter(({ isNew }) => !isNew).sort((a, b) => b.span.start - a.span.start))
    text = replaceSpan(text, span, value === undefined ? undefined : renderField(key, value).join(lineEnd));
  for (const { key, value } of edits.filter(({ isNew }) => isNew))
    if (value !== undefined)
      text = `${text}${/[^\n]$/.test(text) ? lineEnd : ''}${renderField(key, value).join(lineEnd)}${lineEnd}`;
  return text;
}

/** A comment behind the value stays where it is; one that stood among the old value's lines comes before the field. */
function replaceSpan(text: string, { start, end }: Span, rendered: string | undefined): string {
  const old = text.slice(start, end);
  const behind = text.slice(end);
  const lineEnd = /\r?\n$/.exec(old)?.[0] ?? '';
  if (rendered === undefined)
    return `${text.slice(0, start)}${lineEnd === '' ? behind.replace(/^[^\n]*\n?/, '') : behind}`;
  return `${text.slice(0, start)}${innerComments(old)}${rendered}${lineEnd}${behind}`;
}

function innerComments(old: string): string {
  const { Lexer } = loadYaml();
  const comments: string[] = [];
  let isScalar = false;
  for (const token of new Lexer().lex(old)) {
    if (token.startsWith('#') && !isScalar) comments.push(`${token.trimEnd()}\n`);
    isScalar = token === SCALAR_FOLLOWS;
  }
  return comments.join('');
}

/** The lexer's mark before the text of a scalar. */
const SCALAR_FOLLOWS = '\u001F';

/** Where each field stands, from its key to the end of its value; undefined where fields are not lines of their own. */
function locateFields(yaml: string): ReadonlyMap<string, Span> | undefined {
  const yamlModule = loadYaml();
  const { contents } = parse(yaml);
  const spans = new Map<string, Span>();
  if (contents === null || (yamlModule.isScalar(contents) && contents.source === '')) return spans;
  if (!yamlModule.isMap(contents) || contents.flow === true) return undefined;
  for (const pair of contents.items) {
    const span = spanOf(pair, yaml);
    if (span === undefined) return undefined;
    if (!spans.has(span.key)) spans.set(span.key, span);
  }
  return spans;
}

function spanOf({ key, value }: Pair, yaml: string): (Span & { readonly key: string }) | undefined {
  const { isNode, isScalar } = loadYaml();
  const start = isScalar(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[1] : undefined;
  if (!isScalar(key) || start === undefined || end === undefined) return undefined;
  const isAtMargin = start === 0 || yaml[start - 1] === '\n';
  return isAtMargin ? { key: String(key.value), start, end } : undefined;
}

/** The way for fields that share lines: the whole is written anew. */
function editDocument(yaml: string, changes: FieldChanges): string | undefined {
  const document = parse(yaml.replaceAll('\r\n', '\n'));
  if (!loadYaml().isMap(document.contents)) return undefined;
  for (const [key, value] of changes) {
    if (value === undefined) document.delete(key);
    else document.set(key, quoteAll(document.createNode(toPlain(value))));
  }
  return document.toString({ lineWidth: 0 });
}

function quoteAll(node: Node): Node {
  loadYaml().visit(node, {
    Scalar: (_, scalar) => {
      scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return node;
}

function parse(yaml: string): Document.Parsed {
  return loadYaml().parseDocument(yaml, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
}
