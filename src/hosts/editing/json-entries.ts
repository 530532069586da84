import { isDeepStrictEqual } from 'node:util';

import type { Node } from 'jsonc-parser';

import { fail, type Outcome } from '../../model/outcome.ts';
import {
  addItem,
  findNode,
  isObject,
  parseJsonText,
  removeItem,
  renderValue,
  valueOf,
  type JsonText,
} from './json-text.ts';
import type { Swap } from './text-changes.ts';

/** A key of an object, or an item of a list, in a JSON file that may have comments. */
export interface JsonEntry {
  readonly kind: 'key' | 'item';
  /** The keys that lead to it: the last one is ours (`key`), or that of the list (`item`). */
  readonly at: readonly string[];
  readonly value: unknown;
}

/**
 * Puts an entry into a JSON file. Comments, order and every other byte stay. Fails if the file has another value there, or a
 * layout that cannot be edited safely.
 */
export function putJsonEntry(text: string, entry: JsonEntry): Outcome<{ readonly text: string }> {
  const mark = markOf(text);
  const given = text.slice(mark.length);
  const whole = given.trim() === '' ? EMPTY : given;
  const before = parseJsonText(whole);
  if (!before.ok) return before;
  const checked = checkPlace(before.value, entry);
  if (!checked.ok) return checked;
  if (checked.isThere) return { ok: true, text };
  const added = add(whole, before, entry);
  const after = parseJsonText(added);
  if (!after.ok || !isDeepStrictEqual(after.value, withEntry(before.value, entry))) return UNSAFE;
  return { ok: true, text: `${mark}${added}` };
}

/**
 * Removes an entry, and objects and lists that `changes` created for it and that are now empty; other content stays. A
 * missing entry is not a failure.
 */
export function takeJsonEntry(
  text: string,
  entry: JsonEntry,
  changes: readonly Swap[] = [],
): Outcome<{ readonly text: string }> {
  const mark = markOf(text);
  const given = text.slice(mark.length);
  if (given.trim() === '') return { ok: true, text };
  const before = parseJsonText(given);
  if (!before.ok) return before;
  const found = findEntry(before.root, entry);
  if (found === undefined) return { ok: true, text };
  const removed = removeEmpty(removeItem(given, found.container, found.item), entry, changes);
  const after = parseJsonText(removed);
  if (!after.ok || !isSame(after.value, withoutEntry(before.value, entry))) return UNSAFE;
  return { ok: true, text: `${mark}${removed}` };
}

/** Does the file have this entry? */
export function hasJsonEntry(text: string, entry: JsonEntry): boolean {
  const parsed = parseJsonText(text.slice(markOf(text).length));
  return parsed.ok && findEntry(parsed.root, entry) !== undefined;
}

const EMPTY = '{}\n';
const UNSAFE = fail('CONFIG_INVALID', 'its layout cannot be edited safely', {
  ask: 'user',
  to: 'Edit the file by hand.',
});

function markOf(text: string): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : '';
}

/** Is there room for the entry, or is it there already? */
function checkPlace(value: unknown, { kind, at, value: wanted }: JsonEntry): Outcome<{ readonly isThere: boolean }> {
  const [key, ...rest] = at;
  if (key === undefined || !isObject(value)) return fail('CONFIG_INVALID', 'it has another kind of value there');
  if (!Object.hasOwn(value, key)) return { ok: true, isThere: false };
  const inner = value[key];
  if (rest.length > 0) {
    if (!isObject(inner)) return fail('CONFIG_INVALID', `"${key}" is not an object`);
    return checkPlace(inner, { kind, at: rest, value: wanted });
  }
  if (kind === 'item') {
    if (!Array.isArray(inner)) return fail('CONFIG_INVALID', `"${key}" is not a list`);
    return { ok: true, isThere: inner.some((item) => isDeepStrictEqual(item, wanted)) };
  }
  if (isDeepStrictEqual(inner, wanted)) return { ok: true, isThere: true };
  return fail('CONFIG_INVALID', `"${at.join('.')}" already has another value: ${JSON.stringify(inner)}`);
}

/** Adds the entry to the deepest container that exists, with those that are missing on the way. */
function add(text: string, { root }: JsonText, { kind, at, value }: JsonEntry): string {
  const path = kind === 'item' ? at : at.slice(0, -1);
  const depth = path.findLastIndex((_, index) => findNode(root, path.slice(0, index + 1)) !== undefined) + 1;
  const container = depth === 0 ? root : (findNode(root, path.slice(0, depth)) ?? root);
  return addItem(text, container, (layout) => {
    const [key, ...rest] = at.slice(depth);
    if (key === undefined) return renderValue(value, layout);
    const nested = rest.reduceRight<unknown>((held, name) => ({ [name]: held }), kind === 'item' ? [value] : value);
    return `${JSON.stringify(key)}: ${renderValue(nested, layout)}`;
  });
}

interface FoundEntry {
  readonly container: Node;
  readonly item: Node;
}

/** With another value than ours it is not ours any more. */
function findEntry(root: Node, { kind, at, value }: JsonEntry): FoundEntry | undefined {
  const node = findNode(root, at);
  const item =
    kind === 'key'
      ? node?.parent
      : node?.type === 'array'
        ? node.children?.find((child) => isDeepStrictEqual(valueOf(child), value))
        : undefined;
  if (node === undefined || item?.parent === undefined) return undefined;
  return kind === 'key' && !isDeepStrictEqual(valueOf(node), value) ? undefined : { container: item.parent, item };
}

/** Removes the containers on the way to the entry that are ours and empty now, from the inside out. */
function removeEmpty(text: string, { kind, at }: JsonEntry, changes: readonly Swap[]): string {
  let edited = text;
  for (let depth = kind === 'item' ? at.length : at.length - 1; depth > 0; depth -= 1) {
    const key = `${JSON.stringify(at[depth - 1])}:`;
    const isOurs = changes.some(({ before, after }) => after.includes(key) && !before.includes(key));
    const parsed = parseJsonText(edited);
    const node = parsed.ok ? findNode(parsed.root, at.slice(0, depth)) : undefined;
    const property = node?.parent;
    if (!isOurs || node === undefined || property?.parent === undefined) return edited;
    // Others may have written a comment into it.
    if (edited.slice(node.offset + 1, node.offset + node.length - 1).trim() !== '') return edited;
    edited = removeItem(edited, property.parent, property);
  }
  return edited;
}

type Json = Readonly<Record<string, unknown>>;

function withEntry(value: Json, { kind, at, value: added }: JsonEntry): Json {
  const [key = '', ...rest] = at;
  const inner = value[key];
  if (rest.length > 0)
    return { ...value, [key]: withEntry(isObject(inner) ? inner : {}, { kind, at: rest, value: added }) };
  return { ...value, [key]: kind === 'item' ? [...(Array.isArray(inner) ? inner : []), added] : added };
}

function withoutEntry(value: Json, { kind, at, value: removed }: JsonEntry): Json {
  const [key = '', ...rest] = at;
  const inner = value[key];
  if (rest.length > 0 && isObject(inner))
    return { ...value, [key]: withoutEntry(inner, { kind, at: rest, value: removed }) };
  if (kind === 'item' && Array.isArray(inner)) {
    const first = inner.findIndex((item) => isDeepStrictEqual(item, removed));
    return { ...value, [key]: inner.filter((_, index) => index !== first) };
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Equal, but for empty containers that may have been removed. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(prune(a), prune(b));
}

function prune(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, prune(inner)] as const)
    .filter(
      ([, inner]) =>
        !(isObject(inner) && Object.keys(inner).length === 0) && !(Array.isArray(inner) && inner.length === 0),
    );
  return Object.fromEntries(kept);
}
