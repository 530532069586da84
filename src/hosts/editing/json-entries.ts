import { isDeepStrictEqual } from 'node:util';

import type { Node } from 'jsonc-parser';

import { fail, type Outcome } from '../../model/outcome.ts';
import type { EditedText, JsonEntry, Seam } from './foreign-entry.ts';
import {
  addItem,
  findNode,
  innerOf,
  isObject,
  parseJsonText,
  removeItem,
  renderValue,
  setInner,
  valueOf,
  type JsonText,
} from './json-text.ts';

/**
 * Puts an entry into a JSON file. Comments, order and every other byte stay. Fails if the file has another value there, or a
 * layout that cannot be edited safely. `seams` are those of earlier edits; the answer has them all.
 */
export function putJsonEntry(text: string, entry: JsonEntry, seams: readonly Seam[] = []): Outcome<EditedText> {
  const mark = markOf(text);
  const given = text.slice(mark.length);
  const isBlank = given.trim() === '';
  const before = parseJsonText(isBlank ? EMPTY : given);
  if (!before.ok) return before;
  const known: readonly Seam[] = isBlank ? [...seams, { at: [], was: { text: given }, isFile: true }] : seams;
  const checked = checkPlace(before.value, entry);
  if (!checked.ok) return checked;
  if (checked.isThere) return { ok: true, text, seams };
  const added = add(isBlank ? EMPTY : given, before, { entry, seams: known });
  const after = parseJsonText(added.text);
  if (!after.ok || !isDeepStrictEqual(after.value, withEntry(before.value, entry))) return UNSAFE;
  return { ok: true, text: `${mark}${added.text}`, seams: added.seams };
}

/**
 * Takes an entry out again, with the objects and lists that were made for it. If others did not change the file since, it is
 * as it was before, to the byte. An entry that is not there any more is no failure.
 */
export function takeJsonEntry(text: string, entry: JsonEntry, seams: readonly Seam[] = []): Outcome<EditedText> {
  const mark = markOf(text);
  const given = text.slice(mark.length);
  if (given.trim() === '') return { ok: true, text, seams: [] };
  const before = parseJsonText(given);
  if (!before.ok) return before;
  const found = findEntry(before.root, entry);
  if (found === undefined) return { ok: true, text, seams };
  const removed = closeSeams(removeItem(given, found.container, found.item), entry, seams);
  const after = removed.text.trim() === '' ? parseJsonText(EMPTY) : parseJsonText(removed.text);
  if (!after.ok || !isSame(after.value, withoutEntry(before.value, entry))) return UNSAFE;
  return { ok: true, text: `${mark}${removed.text}`, seams: removed.seams };
}

/** Does the file have this entry? */
export function hasJsonEntry(text: string, entry: JsonEntry): boolean {
  const parsed = parseJsonText(text.slice(markOf(text).length));
  return parsed.ok && findEntry(parsed.root, entry) !== undefined;
}

const EMPTY = '{}\n';
const UNSAFE = fail('CONFIG_INVALID', 'its layout cannot be edited safely', 'Edit the file by hand.');

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
  return fail('CONFIG_INVALID', `"${at.join('.')}" has another value already: ${JSON.stringify(inner)}`);
}

interface Adding {
  readonly entry: JsonEntry;
  readonly seams: readonly Seam[];
}

/** Adds the entry to the deepest container that exists, with those that are missing on the way. */
function add(text: string, { root }: JsonText, { entry, seams }: Adding): EditedText {
  const { kind, at, value } = entry;
  const path = kind === 'item' ? at : at.slice(0, -1);
  const depth = path.findLastIndex((_, index) => findNode(root, path.slice(0, index + 1)) !== undefined) + 1;
  const container = depth === 0 ? root : (findNode(root, path.slice(0, depth)) ?? root);
  const made = path.slice(depth).map((_, index): Seam => ({ at: path.slice(0, depth + index + 1), was: 'absent' }));
  const isFresh = (container.children?.length ?? 0) === 0;
  const inner: Seam = { at: path.slice(0, depth), was: { text: innerOf(text, container) } };
  const isKnown = seams.some((seam) => seam.isFile !== true && isDeepStrictEqual(seam.at, inner.at));
  const edited = addItem(text, container, (layout) => {
    const [key, ...rest] = at.slice(depth);
    if (key === undefined) return renderValue(value, layout);
    const nested = rest.reduceRight<unknown>((held, name) => ({ [name]: held }), kind === 'item' ? [value] : value);
    return `${JSON.stringify(key)}: ${renderValue(nested, layout)}`;
  });
  return { text: edited, seams: [...seams, ...(isFresh && !isKnown ? [inner] : []), ...made] };
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

/** Restores the containers that are empty now, from the inside out. */
function closeSeams(text: string, { kind, at }: JsonEntry, seams: readonly Seam[]): EditedText {
  let edited: EditedText = { text, seams };
  for (let depth = kind === 'item' ? at.length : at.length - 1; depth >= 0; depth -= 1)
    edited = closeSeam(edited, at.slice(0, depth));
  return edited;
}

function closeSeam({ text, seams }: EditedText, at: readonly string[]): EditedText {
  const mine = seams.filter((seam) => isDeepStrictEqual(seam.at, at));
  const parsed = mine.length === 0 ? undefined : parseJsonText(text);
  const node = parsed?.ok === true ? (at.length === 0 ? parsed.root : findNode(parsed.root, at)) : undefined;
  // Others wrote into it: it is theirs now, and stays.
  if (node === undefined || (node.children?.length ?? 0) > 0) return { text, seams };
  const rest = seams.filter((seam) => !mine.includes(seam));
  const property = node.parent;
  if (mine.some(({ was }) => was === 'absent') && innerOf(text, node).trim() === '' && property?.parent !== undefined)
    return { text: removeItem(text, property.parent, property), seams: rest };
  const inner = mine.find(({ isFile }) => isFile !== true)?.was;
  const isAsBefore = inner !== undefined && inner !== 'absent' && inner.text.trim() === innerOf(text, node).trim();
  const closed = isAsBefore ? setInner(text, node, inner.text) : text;
  const file = mine.find(({ isFile }) => isFile === true)?.was;
  const isBlank = file !== undefined && file !== 'absent' && closed.trim() === EMPTY.trim();
  return { text: isBlank ? file.text : closed, seams: rest };
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
