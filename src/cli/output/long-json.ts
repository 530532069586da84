import { escapeUnsafe } from './encode.ts';

/** Shorter lists are encoded at once. */
const LONG = 500;
/** As many items of a long list are encoded together: one by one takes twice as long. */
const TOGETHER = 64;
const CHUNK_BYTES = 256 * 1024;
/** The most bytes that a unit of a text takes. */
const UNIT_BYTES = 3;

/**
 * Encodes an object with long lists in chunks, byte for byte as `encodeJson` does. A few items are encoded at a time,
 * so that thousands of records are never in memory as one text.
 */
export function* encodeLongJson(value: object): Generator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let end = 0;
  for (const piece of piecesOf(value)) {
    const safe = escapeUnsafe(piece);
    const most = UNIT_BYTES * safe.length;
    if (end + most > chunk.length) {
      yield chunk.subarray(0, end);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, most));
      end = 0;
    }
    end += chunk.write(safe, end);
  }
  yield chunk.subarray(0, end);
}

export function hasLongList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return false;
  return Object.values(value).some((part) => Array.isArray(part) && part.length >= LONG);
}

/** JSON in pieces: a few items or a short field each. */
function* piecesOf(value: object): Generator<string> {
  let separator = '{\n';
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    if (Array.isArray(part) && part.length > 0) {
      yield `${separator}  ${JSON.stringify(key)}: [\n`;
      for (let at = 0; at < part.length; at += TOGETHER)
        yield `${at === 0 ? '' : ',\n'}${indentItems(part.slice(at, at + TOGETHER))}`;
      yield '\n  ]';
    } else yield separator + JSON.stringify({ [key]: part }, undefined, 2).slice('{\n'.length, -'\n}'.length);
    separator = ',\n';
  }
  yield separator === '{\n' ? '{}' : '\n}';
}

/** Items, indented as in a list of an object: encoded in such a list, which is then cut off. */
function indentItems(items: readonly unknown[]): string {
  return JSON.stringify({ l: items }, undefined, 2).slice('{\n  "l": [\n'.length, -'\n  ]\n}'.length);
}
