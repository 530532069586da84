import type { FoundRow, HostsView, SkillList, SkillRow } from './answers.ts';
import type { Route } from './route.ts';

/** How many copies have their name. */
export function countHolders({ enabled, disabled, unavailable, broken }: SkillList['counts']): number {
  return enabled + disabled + unavailable + broken;
}

/** Keeps the rows that the filters in the address ask for. */
export function filterRows(
  rows: readonly SkillRow[],
  { source = '', host = '', state = '', trust = '', audit = '', tag = '' }: Route['params'],
  seen: HostsView | undefined,
): readonly SkillRow[] {
  const seenFiles = host === '' ? undefined : filesSeenBy(host, seen);
  return rows.filter(
    (row) =>
      (state === 'shadowed' ? row.shadowedBy !== undefined : row.shadowedBy === undefined || row.state === 'broken') &&
      (state === '' || state === 'shadowed' || row.state === state) &&
      (source === '' || row.source === source) &&
      (trust === '' || row.isTrusted === (trust === 'trusted')) &&
      (audit === '' || auditOf(row) === audit) &&
      (tag === '' || row.tags?.includes(tag) === true) &&
      (seenFiles === undefined || seenFiles.has(row.file)),
  );
}

export function auditOf({ isWithheld }: SkillRow): 'withheld' | 'served' | 'unknown' {
  if (isWithheld === undefined) return 'unknown';
  return isWithheld ? 'withheld' : 'served';
}

function filesSeenBy(host: string, view: HostsView | undefined): ReadonlySet<string> | undefined {
  if (view === undefined) return undefined;
  const at = view.hosts.filter(({ isPresent }) => isPresent).findIndex(({ id }) => id === host);
  const isSeen = (standing: string | undefined): boolean => standing === 'described' || standing === 'named';
  return new Set(view.rows.filter(({ cells }) => isSeen(cells[at]?.standing)).map(({ file }) => file));
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
