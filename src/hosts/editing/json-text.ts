import type { Node, ParseError } from 'jsonc-parser';

import { MAX_NESTING, parseJson } from '../../model/json.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { loadJsonc } from '../../parse/lazy-packages.cjs';

/** A JSON text, with or without comments, whose value is an object. */
export interface JsonText {
  readonly value: Readonly<Record<string, unknown>>;
  readonly root: Node;
}

const LENIENT = { allowTrailingComma: true };

export function parseJsonText(text: string): Outcome<JsonText> {
  if (isTextTooDeep(text)) return TOO_DEEP;
  const errors: ParseError[] = [];
  const value: unknown = loadJsonc().parse(text, errors, LENIENT);
  const root = loadJsonc().parseTree(text, [], LENIENT);
  const [error] = errors;
  if (error !== undefined) return faultAt(text, error);
  if (!isObject(value) || root === undefined) return fail('CONFIG_INVALID', 'it does not contain a JSON object');
  return { ok: true, value, root };
}

/** The value of a JSON text, with or without comments. */
export function parseJsonValue(text: string): Outcome<{ readonly value: unknown }> {
  const value = parseJson(text);
  if (value !== undefined) return { ok: true, value };
  if (isTextTooDeep(text)) return TOO_DEEP;
  const errors: ParseError[] = [];
  const lenient: unknown = loadJsonc().parse(text, errors, LENIENT);
  const [error] = errors;
  return error === undefined ? { ok: true, value: lenient } : faultAt(text, error);
}

/** A failure for data that is nested too deeply. */
export const TOO_DEEP: Failure = fail('CONFIG_INVALID', `it is nested more than ${MAX_NESTING} levels deep`);

/** Asked before the parser, which follows every level by recursion. */
function isTextTooDeep(text: string): boolean {
  const scanner = loadJsonc().createScanner(text, true);
  let level = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const first = text[scanner.getTokenOffset()];
    if (first === '{' || first === '[') level += 1;
    if (first === '}' || first === ']') level -= 1;
    if (level > MAX_NESTING) return true;
  }
  return false;
}

function faultAt(text: string, { offset, error }: ParseError): Failure {
  const line = text.slice(0, offset).split('\n').length;
  return fail('CONFIG_INVALID', `line ${line} is not valid JSON (${loadJsonc().printParseErrorCode(error)})`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined if there is none. */
export function findNode(root: Node, at: readonly string[]): Node | undefined {
  return loadJsonc().findNodeAtLocation(root, [...at]);
}

/** As plain data: the parser's objects have no prototype, so they equal no other object. */
export function valueOf(node: Node): unknown {
  const value: unknown = loadJsonc().getNodeValue(node);
  return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
}

/**
 * Adds an item behind the last one of an object or a list. Every other byte stays. An object's item is `"key": value`
 * without indentation.
 */
export function addItem(text: string, container: Node, render: (layout: Layout) => string): string {
  const last = container.children?.at(-1);
  const layout = layoutOf(text, container);
  const item = render(layout);
  const { eol, indent, isInline } = layout;
  if (last === undefined) {
    const close = container.offset + container.length - 1;
    const before = isInline ? text.slice(0, container.offset + 1) : text.slice(0, close).trimEnd();
    const rest = text.slice(close);
    return isInline ? `${before}${item}${rest}` : `${before}${eol}${indent}${item}${eol}${layout.outer}${rest}`;
  }
  const end = last.offset + last.length;
  const [comma = ''] = COMMA.exec(text.slice(end)) ?? [];
  const [remark = ''] = isInline ? [] : (REMARK.exec(text.slice(end + comma.length)) ?? []);
  const after = text.slice(end + comma.length + remark.length);
  const gap = isInline ? ' ' : `${eol}${indent}`;
  return `${text.slice(0, end)}${comma === '' ? ',' : comma}${remark}${gap}${item}${comma === '' ? '' : ','}${after}`;
}

/** Takes out what `addItem` added, to the byte; whatever others wrote around it stays. */
export function removeItem(text: string, container: Node, item: Node): string {
  const items = container.children ?? [];
  const at = items.indexOf(item);
  const [previous, next] = [items[at - 1], items[at + 1]];
  const head = text.slice(0, item.offset).replace(GAP, '');
  const rest = text.slice(item.offset + item.length);
  const [comma = ''] = COMMA.exec(rest) ?? [];
  const tail = rest.slice(comma.length);
  // The next one is on the same line, and takes its place.
  const isFollowed = next !== undefined && !text.slice(item.offset + item.length, next.offset).includes('\n');
  if (isFollowed) return `${text.slice(0, item.offset)}${withoutComma(comma)}${tail.trimStart()}`;
  if (next !== undefined || comma !== '') return `${head}${withoutComma(comma)}${tail}`;
  if (previous === undefined) return `${head}${rest}`;
  const end = previous.offset + previous.length;
  return `${head.slice(0, end)}${head.slice(end).replace(FIRST_COMMA, '$1')}${rest}`;
}

/** Gives a property of an object another value. */
export function replaceValue(text: string, property: Node, value: unknown): string {
  const [, node] = property.children ?? [];
  if (node === undefined || property.parent === undefined) return text;
  const rendered = renderValue(value, layoutOf(text, property.parent));
  return `${text.slice(0, node.offset)}${rendered}${text.slice(node.offset + node.length)}`;
}

function innerOf(text: string, container: Node): string {
  return text.slice(container.offset + 1, container.offset + container.length - 1);
}

/** How items of a container are laid out. */
export interface Layout {
  readonly eol: string;
  /** Before an item on a line of its own. */
  readonly indent: string;
  /** Before the closing bracket. */
  readonly outer: string;
  /** One level of indentation. */
  readonly unit: string;
  /** Everything on one line. */
  readonly isInline: boolean;
}

function layoutOf(text: string, container: Node): Layout {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const outer = indentAt(text, container.offset);
  const last = container.children?.at(-1);
  const inner = innerOf(text, container);
  const isInline = !inner.includes('\n') && (last !== undefined || (container.type === 'array' && inner.trim() === ''));
  const indent = last === undefined || isInline ? `${outer}${unit}` : indentAt(text, last.offset);
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', indent, outer, unit, isInline };
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** A value in the layout of its container. */
export function renderValue(value: unknown, { eol, indent, unit, isInline }: Layout): string {
  if (isInline) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).split('\n').join(`${eol}${indent}`);
}

/** The next comma, behind blanks and comments. */
const COMMA = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*?,/;
/** A comment at the end of a line. */
const REMARK = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*\r?\n))/;
const FIRST_COMMA = /^((?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*?),/;
/** The blanks between an item and the line before it, or its neighbour on the same line. */
const GAP = /(?:\r?\n)?[ \t]*$/;

function withoutComma(text: string): string {
  return text.slice(0, -1);
}
