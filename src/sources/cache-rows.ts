import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import { decodeColumns, encodeColumns } from '../parse/column-file.ts';
import { countAllSteps } from '../parse/trigger-patterns.ts';
import { CachedSkill, type SkillRows } from './cached-skill.ts';
import {
  packDiagnostics,
  packSkill,
  TEXT_COUNT,
  unpackDiagnostics,
  type CachedPlace,
  type PackedDiagnostic,
  type PackedRest,
} from './packed-skill.ts';
import { openTextReader, openTextWriter, type TextWriter } from './text-columns.ts';

/** The result of reading one file: a skill, or the flaws that prevented one. */
export type ReadSkill = (
  | { readonly skill: Skill; readonly diagnostics?: never }
  | { readonly skill?: never; readonly diagnostics: readonly Diagnostic[] }
) & {
  /** The slow work that reading it took when its file was read. Default: none. */
  readonly steps?: number;
  /** The work of compiling its patterns, if that is known already. */
  readonly patternSteps?: number;
};

/** One file under its key, with the stamp it was read at. */
export interface CacheRow {
  readonly key: string;
  readonly stamp: FileStamp;
  readonly read: ReadSkill;
}

/** A row of another cache file, to be kept as it is. */
export interface KeptRow {
  readonly rows: CacheRows;
  readonly row: number;
}

/** The rows of a cache file, each decoded on demand. */
export interface CacheRows {
  readonly count: number;
  /** The row of a key. Costs next to nothing if keys are asked for in the order of the rows. */
  rowOf(key: string): number | undefined;
  isStampedAs(row: number, stamp: FileStamp): boolean;
  /** Undefined if the row is damaged. Each call gives the same skill, which decodes its fields when they are read. */
  read(row: number, place: CachedPlace): ReadSkill | undefined;
  /** Adds the row to a file that is being written, without decoding it. */
  copyTo(row: number, target: RowTarget): void;
}

/** Where a row is written: the numbers, the texts, and the place of the row among them. */
interface RowTarget {
  readonly stamps: Float64Array;
  readonly cells: Uint32Array;
  readonly texts: TextWriter;
  readonly row: number;
}

/** Layout of a row: each text takes two numbers. The key comes first, the rest of the record last, as JSON. */
const KEY = 0;
const FIRST_TEXT = 2;
const REST = FIRST_TEXT + 2 * TEXT_COUNT;
const TOKENS = REST + 2;
const BRIEF = TOKENS + 1;
const FLAGS = BRIEF + 1;
const STEPS = FLAGS + 1;
const PATTERN_STEPS = STEPS + 1;
const CELLS = PATTERN_STEPS + 1;
/** Instead of flags: the file gave no skill, and the rest lists why. */
const NO_SKILL = 0xffffffff;
const STAMP_NUMBERS = 4;

export function encodeRows(owner: string, rows: readonly (CacheRow | KeptRow)[]): Uint8Array {
  const stamps = new Float64Array(STAMP_NUMBERS * rows.length);
  const cells = new Uint32Array(CELLS * rows.length);
  const texts = openTextWriter();
  for (const [row, content] of rows.entries()) {
    const target = { stamps, cells, texts, row };
    if ('rows' in content) content.rows.copyTo(content.row, target);
    else writeRow(content, target);
  }
  return encodeColumns(owner, [stamps, cells, ...texts.columns()]);
}

function writeRow({ key, stamp, read }: CacheRow, { stamps, cells, texts, row }: RowTarget): void {
  const at = CELLS * row;
  stamps.set([stamp.mtimeMs, stamp.ctimeMs, stamp.size, stamp.ino], STAMP_NUMBERS * row);
  texts.add(key, cells, at + KEY);
  cells[at + STEPS] = read.steps ?? 0;
  if (read.skill === undefined) {
    cells[at + FLAGS] = NO_SKILL;
    texts.add(JSON.stringify(packDiagnostics(read.diagnostics)), cells, at + REST);
    return;
  }
  const packed = packSkill(read.skill);
  for (const [nth, text] of packed.texts.entries()) texts.add(text, cells, at + FIRST_TEXT + 2 * nth);
  texts.add(packed.rest === undefined ? undefined : JSON.stringify(packed.rest), cells, at + REST);
  cells[at + TOKENS] = packed.tokens;
  cells[at + BRIEF] = packed.briefLength;
  cells[at + FLAGS] = packed.flags;
  cells[at + PATTERN_STEPS] = read.patternSteps ?? countPatternSteps(read.skill);
}

function countPatternSteps({ triggers: { patterns } }: Skill): number {
  return patterns.length === 0 ? 0 : countAllSteps(patterns);
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
  const count = cells.length / CELLS;
  const keyOf = (row: number): string => texts.textAt(cells, CELLS * row + KEY) ?? '';
  const rowsOfSkills: SkillRows = {
    textOf: (row, nth) => texts.textAt(cells, CELLS * row + FIRST_TEXT + 2 * nth),
    tokensOf: (row) => cells[CELLS * row + TOKENS] ?? 0,
    briefLengthOf: (row) => cells[CELLS * row + BRIEF] ?? 0,
    flagsOf: (row) => cells[CELLS * row + FLAGS] ?? 0,
    stampOf(row) {
      const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0] = stamps.subarray(STAMP_NUMBERS * row);
      return { mtimeMs, ctimeMs, size, ino };
    },
    restOf: (row) => parseRest(texts.textAt(cells, CELLS * row + REST)),
  };
  const skills: (Skill | undefined)[] = [];
  const readRow = (row: number, place: CachedPlace): ReadSkill | undefined => {
    const at = CELLS * row;
    const steps = cells[at + STEPS] ?? 0;
    if (cells[at + FLAGS] !== NO_SKILL) {
      const patternSteps = cells[at + PATTERN_STEPS] ?? 0;
      return { skill: (skills[row] ??= new CachedSkill(rowsOfSkills, row, place)), steps, patternSteps };
    }
    const flaws = parseFlaws(texts.textAt(cells, at + REST));
    return flaws && { diagnostics: unpackDiagnostics(flaws, place.file), steps };
  };
  let next = 0;
  let rowsByKey: ReadonlyMap<string, number> | undefined;
  return {
    count,
    rowOf(key) {
      if (next === count) next = 0;
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
    read: readRow,
    copyTo(row, target) {
      const [from, to] = [CELLS * row, CELLS * target.row];
      target.stamps.set(stamps.subarray(STAMP_NUMBERS * row, STAMP_NUMBERS * (row + 1)), STAMP_NUMBERS * target.row);
      target.cells.set(cells.subarray(from, from + CELLS), to);
      for (let at = KEY; at < TOKENS; at += 2) target.texts.add(texts.textAt(cells, from + at), target.cells, to + at);
    },
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
