import { compareText } from '../model/order.ts';
import { isUse, type SkillUses, type Tally, type UsageHistory } from './usage-store.ts';

/** Compares the later half of the period with the earlier one; `new`: first used in the later half. */
export type Trend = 'rising' | 'falling' | 'steady' | 'new';

/** The use of one skill in a period. */
export interface SkillReport {
  readonly name: string;
  /** False if only its history is left. */
  readonly exists: boolean;
  /** Sum of `loaded` and `ran`. */
  readonly uses: number;
  readonly loaded: number;
  readonly ran: number;
  readonly searched: number;
  readonly matched: number;
  /** How many events failed. */
  readonly failed: number;
  /** In milliseconds since 1970, of all time; undefined if never used. */
  readonly lastUsed: number | undefined;
  /** Uses over time, one number per bucket. */
  readonly series: readonly number[];
  readonly trend: Trend;
}

export interface UsageReport {
  /** The period, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** Skills with events in the period, most used first. */
  readonly skills: readonly SkillReport[];
  /** Expected skills without a use in the period, by name. */
  readonly neverUsed: readonly string[];
  /** Skills that searches found and no one used, most found first. */
  readonly searchedNeverLoaded: readonly string[];
}

export interface KnownSkills {
  /** The names of all existing skills. */
  readonly existing: ReadonlySet<string>;
  /** The skills to report if they were not used. */
  readonly expected: readonly string[];
}

export function buildUsageReport(history: UsageHistory, { existing, expected }: KnownSkills): UsageReport {
  const tallies = Map.groupBy(history.tallies, ({ skill }) => skill);
  const uses = new Map(history.uses.map((use) => [use.skill, use]));
  const skills = [...tallies]
    .map(([name, own]) => ({ name, exists: existing.has(name), ...summarise(own, history, uses.get(name)) }))
    .sort((a, b) => b.uses - a.uses || (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || compareText(a.name, b.name));
  const used = new Set(skills.filter((skill) => skill.uses > 0).map(({ name }) => name));
  return {
    from: history.from,
    until: history.until,
    skills,
    neverUsed: expected.filter((name) => !used.has(name)).sort(compareText),
    searchedNeverLoaded: skills
      .filter((skill) => skill.searched > 0 && skill.uses === 0)
      .sort((a, b) => b.searched - a.searched || compareText(a.name, b.name))
      .map(({ name }) => name),
  };
}

function summarise(
  tallies: readonly Tally[],
  { from, until, buckets }: UsageHistory,
  allTime: SkillUses | undefined,
): Omit<SkillReport, 'name' | 'exists'> {
  const count = (counts: (tally: Tally) => boolean): number =>
    tallies.reduce((sum, tally) => sum + (counts(tally) ? tally.events : 0), 0);
  const series = Array.from({ length: buckets }, (_, at) => count(({ kind, bucket }) => isUse(kind) && bucket === at));
  const firstUsed = allTime?.firstUsed ?? from;
  const isNew = firstUsed <= until && firstUsed >= from + (until - from) / 2;
  return {
    uses: count(({ kind }) => isUse(kind)),
    loaded: count(({ kind }) => kind === 'loaded'),
    ran: count(({ kind }) => kind === 'ran'),
    searched: count(({ kind }) => kind === 'searched'),
    matched: count(({ kind }) => kind === 'matched'),
    failed: count(({ outcome }) => outcome === 'failed'),
    lastUsed: allTime?.lastUsed,
    series,
    trend: isNew ? 'new' : compareHalves(series),
  };
}

/** A change of less than a fifth is `steady`. */
const NOTABLE = 1.2;

function compareHalves(series: readonly number[]): Trend {
  const middle = Math.floor(series.length / 2);
  const earlier = series.slice(0, middle).reduce(add, 0);
  const later = series.slice(middle).reduce(add, 0);
  if (later > earlier * NOTABLE) return 'rising';
  return earlier > later * NOTABLE ? 'falling' : 'steady';
}

function add(a: number, b: number): number {
  return a + b;
}
