import type { Diagnostic } from '../model/diagnostic.ts';
import { compareText } from '../model/order.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import { encodeInPieces, openColumns, type ByteSource } from '../parse/column-file.ts';
import { CachedSkill, placeOf, type FolderPlace, type SkillRows } from './cached-skill.ts';
import { FLAG_BITS, unpackDiagnostics, type PackedDiagnostic, type PackedRest } from './packed-skill.ts';
import { NO_LISTING, type PackedListing } from './root-listing.ts';
import {
  CELL,
  CELLS,
  NO_FILE,
  NO_SKILL,
  openRowWriter,
  STAMP_NUMBERS,
  type RowColumns,
  type RowWriter,
  type WrittenRows,
} from './row-writer.ts';
import { openRareTexts, openTextReader } from './text-columns.ts';

/** The result of reading one file: a skill, or the flaws that prevented one. */
export type ReadSkill = (
  | { readonly skill: Skill; readonly diagnostics?: never }
  | { readonly skill?: never; readonly diagnostics: readonly Diagnostic[] }
) & {
  /** The slow work that reading it took when its file was read. */
  readonly steps: number;
  /** The work of compiling its patterns. */
  readonly patternSteps: number;
};

/** A row of a cache file, or of files that were read now. */
export interface KeptRow {
  readonly rows: CacheRows;
  readonly row: number;
}

/** A cache file: the rows of one root, and its listing. */
export interface KeptRoot {
  readonly rows: CacheRows;
  readonly listing: PackedListing;
}

/** The rows of files, each decoded on demand. */
export interface CacheRows {
  readonly count: number;
  keyOf(row: number): string;
  /** The row of a key, if the rows are sorted by key. Costs next to nothing if keys are asked for in that order. */
  rowOf(key: string): number | undefined;
  isStampedAs(row: number, stamp: FileStamp): boolean;
  /** False if the file changed a moment ago, or could not be read. */
  isSettled(row: number): boolean;
  /** False if the row is damaged. */
  isWhole(row: number): boolean;
  /** The row has a skill with a plain name, which is that of its directory. */
  isPlainlyNamed(row: number): boolean;
  /**
   * Undefined if there is no such file, or the row is damaged. Each call gives the same skill, which decodes its fields when
   * they are read.
   */
  read(row: number, folder: FolderPlace): ReadSkill | undefined;
  /** Adds the row to others without decoding it. */
  copyTo(target: RowWriter, row: number): void;
}

/** The bytes of a cache file with these rows and the listing of their root, in pieces. */
export function encodeRows(owner: string, kept: readonly KeptRow[], listing: PackedListing): readonly Uint8Array[] {
  const writer = openRowWriter(kept.length);
  for (const { rows, row } of kept) rows.copyTo(writer, row);
  return encodeRowColumns(owner, writer.columns(), listing);
}

export function encodeRowColumns(
  owner: string,
  { stamps, cells, narrow, wide, rest }: RowColumns,
  { stamp, entries }: PackedListing = NO_LISTING,
): readonly Uint8Array[] {
  return encodeInPieces(owner, [stamps, cells, narrow, wide, rest, stamp, entries]);
}

/** Opens a cache file; undefined if it is damaged or has another owner. */
export function decodeRows(file: ByteSource, owner: string): KeptRoot | undefined {
  const columns = openColumns(file, owner, { isWhole: true });
  if (columns?.lengths.length !== COLUMNS) return undefined;
  const cells = columns.read(1);
  const rows = openTextRows({
    stamps: toDoubles(columns.read(0)),
    cells: new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / Uint32Array.BYTES_PER_ELEMENT),
    texts: openTextReader(columns.read(2), columns.read(3)),
    rest: columns.read(4),
  });
  return { rows, listing: { stamp: toDoubles(columns.read(5)), entries: columns.read(6) } };
}

function toDoubles({ buffer, byteOffset, byteLength }: Uint8Array): Float64Array {
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}

const COLUMNS = 7;

/** Opens rows as they were written. */
export function openRowColumns({ stamps, cells, narrow, wide, rest }: RowColumns): CacheRows {
  return openTextRows({ stamps, cells, texts: openTextReader(narrow, wide), rest });
}

function openTextRows(columns: WrittenRows): CacheRows {
  const { stamps, cells, texts } = columns;
  const count = cells.length / CELLS;
  const keyOf = (row: number): string => texts.textAt(cells, CELLS * row + CELL.key) ?? '';
  const restAt = openRareTexts(columns.rest);
  const rowsOfSkills = openSkillRows(columns);
  const flawsOf = (row: number): readonly PackedDiagnostic[] | undefined =>
    parseFlaws(restAt(cells, CELLS * row + CELL.rest));
  const skills: (Skill | undefined)[] = [];
  const readRow = (row: number, folder: FolderPlace): ReadSkill | undefined => {
    const at = CELLS * row;
    const steps = cells[at + CELL.steps] ?? 0;
    if (cells[at + CELL.flags] === NO_FILE) return undefined;
    if (cells[at + CELL.flags] !== NO_SKILL) {
      const patternSteps = cells[at + CELL.patternSteps] ?? 0;
      return { skill: (skills[row] ??= new CachedSkill(rowsOfSkills, row, folder)), steps, patternSteps };
    }
    const flaws = flawsOf(row);
    return flaws && { diagnostics: unpackDiagnostics(flaws, placeOf(folder).file), steps, patternSteps: 0 };
  };
  let next = 0;
  return {
    count,
    keyOf,
    rowOf(key) {
      if (next === count) next = 0;
      const isNext = next < count && texts.isTextAt(cells, CELLS * next + CELL.key, key);
      const row = isNext ? next : findSorted(count, (at) => compareText(keyOf(at), key));
      if (row !== undefined) next = row + 1;
      return row;
    },
    isStampedAs(row, { mtimeMs, ctimeMs, size, ino }) {
      const at = STAMP_NUMBERS * row;
      return stamps[at] === mtimeMs && stamps[at + 1] === ctimeMs && stamps[at + 2] === size && stamps[at + 3] === ino;
    },
    isPlainlyNamed(row) {
      const flags = cells[CELLS * row + CELL.flags] ?? NO_FILE;
      return flags < NO_FILE && (flags & FLAG_BITS.plainName) !== 0;
    },
    read: readRow,
    isWhole: (row) => cells[CELLS * row + CELL.flags] !== NO_SKILL || flawsOf(row) !== undefined,
    isSettled: (row) => !Number.isNaN(stamps[STAMP_NUMBERS * row + 1]),
    copyTo: (target, row) => target.addFrom(columns, row),
  };
}

function findSorted(count: number, compare: (at: number) => number): number | undefined {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const order = compare(middle);
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return undefined;
}

function openSkillRows({ stamps, cells, texts, rest }: WrittenRows): SkillRows {
  const restAt = openRareTexts(rest);
  return {
    textOf: (row, nth) => texts.textAt(cells, CELLS * row + CELL.firstText + 2 * nth),
    tokensOf: (row) => cells[CELLS * row + CELL.tokens] ?? 0,
    briefLengthOf: (row) => cells[CELLS * row + CELL.brief] ?? 0,
    flagsOf: (row) => cells[CELLS * row + CELL.flags] ?? 0,
    stampOf(row) {
      const at = STAMP_NUMBERS * row;
      return {
        mtimeMs: stamps[at] ?? 0,
        ctimeMs: stamps[at + 1] ?? 0,
        size: stamps[at + 2] ?? 0,
        ino: stamps[at + 3] ?? 0,
      };
    },
    restOf: (row) => parseRest(restAt(cells, CELLS * row + CELL.rest)),
  };
}

/** The same code wrote it, so its shape is known. Nothing, if it is damaged. */
function parseRest(json: string | undefined): PackedRest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return json === undefined ? NO_REST : ((parseJson(json) as PackedRest | undefined) ?? NO_REST);
}

/** The flaws of a file that gave no skill. */
function parseFlaws(json: string | undefined): readonly PackedDiagnostic[] | undefined {
  const flaws = parseJson(json ?? '');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(flaws) ? (flaws as readonly PackedDiagnostic[]) : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const NO_REST: PackedRest = {};
