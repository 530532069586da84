import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp, SkillDefinition } from '../model/skill.ts';
import { countAllSteps } from '../parse/trigger-patterns.ts';
import { packDiagnostics, packSkill, TEXT_COUNT } from './packed-skill.ts';
import { openRareTextWriter, openTextWriter, type TextColumns, type TextReader } from './text-columns.ts';

/** Rows of the cache, as its file and a thread's answer have them. */
export interface RowColumns extends TextColumns {
  readonly stamps: Float64Array<ArrayBuffer>;
  readonly cells: Uint32Array<ArrayBuffer>;
  /** The rest of each record, which few callers need. */
  readonly rest: Uint8Array<ArrayBuffer>;
}

/** The same, opened for reading. */
export interface WrittenRows {
  readonly stamps: Float64Array;
  readonly cells: Uint32Array;
  readonly texts: TextReader;
  readonly rest: Uint8Array;
}

const REST = 2 + 2 * TEXT_COUNT;

/** Where a row has its numbers: two for each text. The key comes first, the rest of the record last, as JSON. */
export const CELL: Readonly<Record<CellName, number>> = {
  key: 0,
  firstText: 2,
  rest: REST,
  tokens: REST + 2,
  brief: REST + 3,
  flags: REST + 4,
  steps: REST + 5,
  patternSteps: REST + 6,
};

type CellName = 'key' | 'firstText' | 'rest' | 'tokens' | 'brief' | 'flags' | 'steps' | 'patternSteps';

export const CELLS: number = CELL.patternSteps + 1;
export const STAMP_NUMBERS = 4;
/** Instead of flags: the file gave no skill, and the rest lists why. */
export const NO_SKILL = 0xffffffff;
/** Instead of flags: there is no such file. */
export const NO_FILE = 0xfffffffe;
/** More than any budget has. */
export const TOO_MANY_STEPS = 0xffffffff;

/** The result of reading one file: a skill, the flaws that prevented one, or nothing if there is no such file. */
export interface RowContent {
  readonly key: string;
  /** The stamp it was read at; default: one that equals no other, so that the row is not kept. */
  readonly stamp?: FileStamp;
  readonly skill?: SkillDefinition;
  readonly diagnostics?: readonly Diagnostic[];
  /** The slow work that reading it took. Default: none. */
  readonly steps?: number;
}

/** Packs rows one after the other; as many as were announced. */
export interface RowWriter {
  add(content: RowContent): void;
  /** Adds a row of other columns without decoding it. */
  addFrom(rows: WrittenRows, row: number): void;
  columns(): RowColumns;
}

export function openRowWriter(count: number): RowWriter {
  const stamps = new Float64Array(STAMP_NUMBERS * count);
  const cells = new Uint32Array(CELLS * count);
  const texts = openTextWriter();
  const rest = openRareTextWriter(count);
  let row = 0;
  const addSkill = (skill: SkillDefinition, at: number): void => {
    const packed = packSkill(skill);
    for (let nth = 0; nth < TEXT_COUNT; nth += 1) texts.add(packed.texts[nth], cells, at + CELL.firstText + 2 * nth);
    rest.add(packed.rest === undefined ? undefined : JSON.stringify(packed.rest), cells, at + CELL.rest);
    cells[at + CELL.tokens] = packed.tokens;
    cells[at + CELL.brief] = packed.briefLength;
    cells[at + CELL.flags] = packed.flags;
    cells[at + CELL.patternSteps] = countPatternSteps(skill);
  };
  return {
    add({ key, stamp, skill, diagnostics, steps = 0 }) {
      const at = CELLS * row;
      writeStamp(stamps, STAMP_NUMBERS * row, stamp);
      row += 1;
      texts.add(key, cells, at + CELL.key);
      cells[at + CELL.steps] = steps;
      if (skill !== undefined) return addSkill(skill, at);
      cells[at + CELL.flags] = diagnostics === undefined ? NO_FILE : NO_SKILL;
      const flaws = diagnostics && JSON.stringify(packDiagnostics(diagnostics));
      for (let cell = at + CELL.firstText; cell < at + CELL.rest; cell += 2) texts.add(undefined, cells, cell);
      rest.add(flaws, cells, at + CELL.rest);
    },
    addFrom(other, from) {
      const at = CELLS * row;
      stamps.set(other.stamps.subarray(STAMP_NUMBERS * from, STAMP_NUMBERS * (from + 1)), STAMP_NUMBERS * row);
      cells.set(other.cells.subarray(CELLS * from, CELLS * (from + 1)), at);
      texts.addFrom(other.texts, cells, { from: at + CELL.key, to: at + CELL.rest });
      rest.addFrom(other.rest, cells, at + CELL.rest);
      row += 1;
    },
    columns: () => ({ stamps, cells, ...texts.columns(), rest: rest.bytes() }),
  };
}

function writeStamp(stamps: Float64Array, at: number, stamp: FileStamp | undefined): void {
  stamps[at] = stamp?.mtimeMs ?? 0;
  stamps[at + 1] = stamp?.ctimeMs ?? Number.NaN;
  stamps[at + 2] = stamp?.size ?? 0;
  stamps[at + 3] = stamp?.ino ?? 0;
}

function countPatternSteps({ triggers: { patterns } }: SkillDefinition): number {
  return patterns.length === 0 ? 0 : countAllSteps(patterns);
}
