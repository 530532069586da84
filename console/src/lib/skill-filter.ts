import type { AgentMark, MarkKind, MarksOf } from './agent-marks.ts';
import type { FoundRow, SkillList, SkillRow } from './answers.ts';
import type { Params, Route } from './route.ts';

/** How many copies have their name. */
export function countHolders({ enabled, disabled, unavailable, broken }: SkillList['counts']): number {
  return enabled + disabled + unavailable + broken;
}

/** The views of the list: everything, or what a person most often looks for. */
export const VIEWS = ['problems', 'disabled', 'updates'] as const;
export type View = (typeof VIEWS)[number];

/** Keys of the address that hold the chosen values of a filter. */
export const FILTER_KEYS = ['state', 'agent', 'source', 'trust', 'audit', 'tag'] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

/** The values that are chosen in the address. */
export function readChosen(params: Route['params'], key: FilterKey): readonly string[] {
  return (params[key] ?? '').split(',').filter(Boolean);
}

/** The address with a value of a filter chosen, or no longer. */
export function toggleChosen(params: Route['params'], key: FilterKey, value: string): Params {
  const chosen = readChosen(params, key);
  const after = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  return { [key]: after.join(',') };
}

const HAVING: ReadonlySet<MarkKind> = new Set(['listed', 'named', 'still']);

/** The values of a row by which each filter knows it. */
export function valuesOf(
  row: SkillRow,
  marks: readonly AgentMark[] | undefined,
): Readonly<Record<FilterKey, readonly string[]>> {
  const having = (marks ?? []).filter(({ kind }) => HAVING.has(kind)).map(({ agent }) => agent.id);
  return {
    state: [row.state, ...(row.shadowedBy === undefined ? [] : ['unused'])],
    agent: having.length === 0 && marks !== undefined ? ['none'] : having,
    source: [row.source],
    trust: [row.isTrusted ? 'trusted' : 'untrusted'],
    audit: [row.blockedBecause === undefined ? (row.isAudited ? 'passed' : 'unknown') : 'blocked'],
    tag: row.tags ?? [],
  };
}

/** Keeps the rows that have one of the chosen values of every filter. Copies that are not used show only if they are asked for, or broken. */
export function filterRows(rows: readonly SkillRow[], params: Route['params'], marksOf: MarksOf): readonly SkillRow[] {
  const chosen = FILTER_KEYS.map((key) => [key, readChosen(params, key)] as const).filter(
    ([, some]) => some.length > 0,
  );
  const wantsUnused = readChosen(params, 'state').includes('unused');
  return rows.filter((row) => {
    if (row.shadowedBy !== undefined && row.state !== 'broken' && !wantsUnused) return false;
    if (chosen.length === 0) return true;
    const values = valuesOf(row, marksOf(row));
    return chosen.every(([key, some]) => some.some((value) => values[key].includes(value)));
  });
}

/** A row, with what the engine says about it if it was found. */
export interface RankedRow {
  readonly row: SkillRow;
  readonly found: FoundRow | undefined;
}

/**
 * Orders rows for a search: those that the engine found as it ranks them, then those that only hold the text. Before the
 * engine has answered, the rows that hold the text are all there is.
 */
export function rankRows(
  rows: readonly SkillRow[],
  query: string,
  results: readonly FoundRow[] | undefined,
): readonly RankedRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows.map((row) => ({ row, found: undefined }));
  const byName = new Map(rows.filter(({ shadowedBy }) => shadowedBy === undefined).map((row) => [row.name, row]));
  const found = (results ?? []).flatMap((result) => {
    const row = byName.get(result.name);
    return row === undefined ? [] : [{ row, found: result }];
  });
  const strong = found.filter(({ found: { isWeak } }) => !isWeak);
  const weak = found.filter(({ found: { isWeak } }) => isWeak);
  const ranked = new Set(found.map(({ row }) => row));
  const holding = rows
    .filter((row) => !ranked.has(row) && words.every((word) => holds(row, word)))
    .map((row) => ({ row, found: undefined }));
  return [...strong, ...holding, ...weak];
}

function holds({ name, brief, tags = [] }: SkillRow, word: string): boolean {
  return (
    name.toLowerCase().includes(word) ||
    brief.toLowerCase().includes(word) ||
    tags.some((tag) => tag.toLowerCase().includes(word))
  );
}
