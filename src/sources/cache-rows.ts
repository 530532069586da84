import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import { decodeColumns, encodeColumns } from '../parse/column-file.ts';
import {
  packDiagnostics,
  packSkill,
  TEXT_COUNT,
  unpackDiagnostics,
  unpackSkill,
  type CachedPlace,
  type PackedDiagnostic,
  type PackedRest,
} from './packed-skill.ts';
import { openTextReader, openTextWriter } from './text-columns.ts';

/** The result of reading one file: a skill, or the flaws that prevented one. */
export type ReadSkill = (
  | { readonly skill: Skill; readonly diagnostics?: never }
  | { readonly skill?: never; readonly diagnostics: readonly Diagnostic[] }
) & {
  /** The slow work that reading it took when its file was read. Default: none. */
  readonly steps?: number;
};

/** One file under its key, with the stamp it was read at. */
export interface CacheRow {
  readonly key: string;
  readonly stamp: FileStamp;
  readonly read: ReadSkill;
}

/** The rows of a cache file, each decoded on demand. */
export interface CacheRows {
  readonly count: number;
  /** The row of a key. Costs next to nothing if keys are asked for in the order of the rows. */
  rowOf(key: string): number | undefined;
  isStampedAs(row: number, stamp: FileStamp): boolean;
  /** Undefined if the row is damaged. */
  read(row: number, place: CachedPlace, stamp: FileStamp): ReadSkill | undefined;
}

/** Layout of a row: each text takes two numbers. The key comes first, the rest of the record last, as JSON. */
const KEY = 0;
const FIRST_TEXT = 2;
const REST = FIRST_TEXT + 2 * TEXT_COUNT;
const TOKENS = REST + 2;
const BRIEF = TOKENS + 1;
const FLAGS = BRIEF + 1;
const STEPS = FLAGS + 1;
const CELLS = STEPS + 1;
const STAMP_NUMBERS = 4;

export function encodeRows(owner: string, rows: readonly CacheRow[]): Uint8Array {
  const stamps = new Float64Array(STAMP_NUMBERS * rows.length);
  const cells = new Uint32Array(CELLS * rows.length);
  const texts = openTextWriter();
  for (const [row, { key, stamp, read }] of rows.entries()) {
    const at = CELLS * row;
    stamps.set([stamp.mtimeMs, stamp.ctimeMs, stamp.size, stamp.ino], STAMP_NUMBERS * row);
    texts.add(key, cells, at + KEY);
    cells[at + STEPS] = read.steps ?? 0;
    if (read.skill === undefined) {
      texts.add(JSON.stringify(packDiagnostics(read.diagnostics)), cells, at + REST);
      continue;
    }
    const packed = packSkill(read.skill);
    for (const [nth, text] of packed.texts.entries()) texts.add(text, cells, at + FIRST_TEXT + 2 * nth);
    texts.add(packed.rest === undefined ? undefined : JSON.stringify(packed.rest), cells, at + REST);
    cells[at + TOKENS] = packed.tokens;
    cells[at + BRIEF] = packed.briefLength;
    cells[at + FLAGS] = packed.flags;
  }
  return encodeColumns(owner, [stamps, cells, ...texts.columns()]);
}

/** Opens a cache file; undefined if it is damaged or has another owner. */
export function decodeRows(bytes: Uint8Array, owner: string): CacheRows | undefined {
  const [stampBytes, cellBytes, narrow, wide] = decodeColumns(bytes, owner) ?? [];
  if (stampBytes === undefined || cellBytes === undefined || narrow === undefined || wide === undefined)
    return undefined;
  // Copied, so that the file's bytes can be collected once its texts are decoded.
  const stamps = new Float64Array(stampBytes.slice().buffer);
  const cells = new Uint32Array(cellBytes.slice().buffer);
  const texts = openTextReader(narrow, wide);
  const textsOf = (row: number): readonly (string | undefined)[] => {
    const own: (string | undefined)[] = [];
    for (let at = CELLS * row + FIRST_TEXT; own.length < TEXT_COUNT; at += 2) own.push(texts.textAt(cells, at));
    return own;
  };
  const count = cells.length / CELLS;
  const keyOf = (row: number): string => texts.textAt(cells, CELLS * row + KEY) ?? '';
  let next = 0;
  let rowsByKey: ReadonlyMap<string, number> | undefined;
  return {
    count,
    rowOf(key) {
      const isNext = next < count && texts.isTextAt(cells, CELLS * next + KEY, key);
      if (!isNext) rowsByKey ??= new Map(Array.from({ length: count }, (_, row) => [keyOf(row), row]));
      const row = isNext ? next : rowsByKey?.get(key);
      if (row !== undefined) next = row + 1;
      return row;
    },
    isStampedAs(row, { mtimeMs, ctimeMs, size, ino }) {
      const at = STAMP_NUMBERS * row;
      return stamps[at] === mtimeMs && stamps[at + 1] === ctimeMs && stamps[at + 2] === size && stamps[at + 3] === ino;
    },
    read(row, place, stamp) {
      const at = CELLS * row;
      const rest = parseRest(texts.textAt(cells, at + REST));
      if (rest === undefined) return undefined;
      const steps = cells[at + STEPS] ?? 0;
      if (Array.isArray(rest)) return { diagnostics: unpackDiagnostics(rest, place.file), steps };
      const packed = {
        texts: textsOf(row),
        tokens: cells[at + TOKENS] ?? 0,
        briefLength: cells[at + BRIEF] ?? 0,
        flags: cells[at + FLAGS] ?? 0,
        rest,
      };
      return { skill: unpackSkill(packed, place, stamp), steps };
    },
  };
}

/** The same code wrote it, so its shape is known. A list holds the flaws of a file that gave no skill. */
function parseRest(json: string | undefined): PackedRest | PackedDiagnostic[] | undefined {
  if (json === undefined) return NO_REST;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(json) as PackedRest | PackedDiagnostic[];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const NO_REST: PackedRest = {};
