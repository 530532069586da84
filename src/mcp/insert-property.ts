import type { Node } from 'jsonc-parser';

/** A property to be added to an object of a JSON text. */
export interface NewProperty {
  readonly key: string;
  readonly value: unknown;
}

/** Adds a property at the end of an object and touches nothing else: the rest stays byte for byte, comments too. */
export function insertProperty(text: string, object: Node, { key, value }: NewProperty): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const indent = last === undefined ? `${outer}${unit}` : indentAt(text, last.offset);
  const lines = JSON.stringify(value, undefined, unit).split('\n');
  const property = `${JSON.stringify(key)}: ${lines.join(`${eol}${indent}`)}`;
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

/** A comma, and what else stands on its line where that is only a comment. */
const LINE_END = /^([ \t]*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?(?=[ \t]*\r?\n))?/;

/** The blanks with which the line of an offset begins. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
