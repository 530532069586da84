import type { Node } from 'jsonc-parser';

/** A property to add to an object in a JSON text. */
export interface NewProperty {
  readonly key: string;
  readonly value: unknown;
}

/** Adds a property at the end of an object. Every other byte stays, comments included. */
export function insertProperty(text: string, object: Node, { key, value }: NewProperty): string {
  const eol = lineEndOf(text);
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const indent = last === undefined ? `${outer}${unitOf(text)}` : indentAt(text, last.offset);
  const property = `${JSON.stringify(key)}: ${render(text, value, indent)}`;
  if (last === undefined) {
    const close = object.offset + object.length - 1;
    const before = text.slice(0, close).trimEnd();
    return `${before}${eol}${indent}${property}${eol}${outer}${text.slice(close)}`;
  }
  const end = last.offset + last.length;
  const [, comma = '', rest = ''] = LINE_END.exec(text.slice(end)) ?? [];
  const after = text.slice(end + comma.length + rest.length);
  return `${text.slice(0, end)}${comma === '' ? ',' : comma}${rest}${eol}${indent}${property}${comma === '' ? '' : ','}${after}`;
}

export function replaceValue(text: string, property: Node, value: unknown): string {
  const node = property.children?.[1];
  if (node === undefined) return text;
  const rendered = render(text, value, indentAt(text, property.offset));
  return `${text.slice(0, node.offset)}${rendered}${text.slice(node.offset + node.length)}`;
}

/** Removes a property from an object that has others. Comments before it stay. */
export function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = object.children ?? [];
  const at = siblings.indexOf(property);
  const next = siblings[at + 1];
  if (next !== undefined) return `${text.slice(0, property.offset)}${text.slice(next.offset)}`;
  const previous = siblings[at - 1];
  const start = previous === undefined ? object.offset + 1 : previous.offset + previous.length;
  const between = text.slice(start, property.offset).replace(FIRST_COMMA, '$1').trimEnd();
  return `${text.slice(0, start)}${between}${text.slice(property.offset + property.length)}`;
}

const FIRST_COMMA = /^((?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*),/;

function render(text: string, value: unknown, indent: string): string {
  const lines = JSON.stringify(value, undefined, unitOf(text)).split('\n');
  return lines.join(`${lineEndOf(text)}${indent}`);
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** One level of indentation, taken from the first indented line. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** A comma, and the rest of its line if that is only a comment. */
const LINE_END = /^([ \t]*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?(?=[ \t]*\r?\n))?/;

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
