import { compareText } from '../model/order.ts';
import { isoDay } from '../model/time.ts';
import { isUse, type SkillUses, type Tally, type UsageHistory } from './usage-store.ts';
import { groupUses, type UseGroup } from './use-groups.ts';

/** Compares the later half of the period with the earlier one; `new`: first used in the later half. */
export type Trend = 'rising' | 'falling' | 'steady' | 'new';

/** The use of one skill in a period. */
export interface SkillReport {
  readonly name: string;
  /** False if only its history is left. */
  readonly exists: boolean;
  /** Sum of `loaded`, `ran` and `invoked`. */
  readonly uses: number;
  readonly loaded: number;
  readonly ran: number;
  /** How often a person called it by name. */
  readonly invoked: number;
  readonly searched: number;
  readonly matched: number;
  /** How often another agent listed it, and how often by name only. */
  readonly shown: number;
  readonly cut: number;
  /** How often a hint named it, and how often the model then used it. */
  readonly hinted: number;
  readonly followed: number;
  /** Tokens spent while it was active, where the agent program says so. */
  readonly tokens: number;
  /** Its uses by agent. */
  readonly agents: Readonly<Record<string, number>>;
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
  /** Expected skills that were neither used nor shown, by name. */
  readonly neverShown: readonly string[];
  /** Expected skills that were listed and not used, most listed first. */
  readonly shownNeverUsed: readonly string[];
  /** Skills that were shown by name alone, most often first. */
  readonly cut: readonly string[];
  /** Uses by agent, by project, and by week. */
  readonly agents: readonly UseGroup[];
  readonly projects: readonly UseGroup[];
  readonly weeks: readonly UseGroup[];
}

export interface KnownSkills {
  /** The names of all existing skills. */
  readonly existing: ReadonlySet<string>;
  /** The skills to report if they were not used. */
  readonly expected: readonly string[];
  /** The skill's name for another program's name; the same by default. */
  readonly nameOf?: ((name: string) => string) | undefined;
  /** Report on this skill alone. */
  readonly only?: string | undefined;
}

export function buildUsageReport(given: UsageHistory, { existing, expected, ...naming }: KnownSkills): UsageReport {
  const history = rename(given, naming);
  const tallies = Map.groupBy(history.tallies, ({ skill }) => skill);
  const uses = new Map(history.uses.map((use) => [use.skill, use]));
  const agents = countAgents(history);
  const skills = [...tallies]
    .map(([name, own]) => ({
      name,
      exists: existing.has(name),
      ...summarise(own, history, uses.get(name)),
      agents: agents.get(name) ?? {},
    }))
    .sort((a, b) => b.uses - a.uses || (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || compareText(a.name, b.name));
  const used = new Set(skills.filter((skill) => skill.uses > 0).map(({ name }) => name));
  const known = new Map(skills.map((skill) => [skill.name, skill]));
  const most = (count: (skill: SkillReport) => number, isWanted: (skill: SkillReport) => boolean): readonly string[] =>
    skills
      .filter((skill) => count(skill) > 0 && isWanted(skill))
      .sort((a, b) => count(b) - count(a) || compareText(a.name, b.name))
      .map(({ name }) => name);
  const isExpected = new Set(expected);
  return {
    from: history.from,
    until: history.until,
    skills,
    neverUsed: expected.filter((name) => !used.has(name)).sort(compareText),
    searchedNeverLoaded: most(
      ({ searched }) => searched,
      ({ uses: count }) => count === 0,
    ),
    neverShown: expected.filter((name) => !used.has(name) && (known.get(name)?.shown ?? 0) === 0).sort(compareText),
    shownNeverUsed: most(
      ({ shown }) => shown,
      ({ name, uses: count }) => count === 0 && isExpected.has(name),
    ),
    cut: most(
      ({ cut }) => cut,
      ({ name }) => isExpected.has(name),
    ),
    agents: groupUses(history, ({ agent }) => agent),
    projects: groupUses(history, ({ project }) => project),
    weeks: groupUses(history, ({ week }) => isoDay(week)),
  };
}

/** The history with the names of the catalog, of all skills or of one. */
function rename(
  history: UsageHistory,
  { nameOf = (name) => name, only }: Pick<KnownSkills, 'nameOf' | 'only'>,
): UsageHistory {
  const toNamed = <T extends { readonly skill: string }>(rows: readonly T[]): readonly T[] =>
    rows
      .map((row) => ({ ...row, skill: nameOf(row.skill) }))
      .filter(({ skill }) => only === undefined || skill === only);
  const byName = Map.groupBy(toNamed(history.uses), ({ skill }) => skill);
  const uses = [...byName].map(([skill, own]) => ({
    skill,
    uses: own.reduce((sum, use) => sum + use.uses, 0),
    firstUsed: Math.min(...own.map(({ firstUsed }) => firstUsed)),
    lastUsed: Math.max(...own.map(({ lastUsed }) => lastUsed)),
  }));
  return { ...history, tallies: toNamed(history.tallies), details: toNamed(history.details), uses };
}

function countAgents({ details }: UsageHistory): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  for (const { skill, agent, events } of details) {
    const own = counts.get(skill) ?? {};
    own[agent] = (own[agent] ?? 0) + events;
    counts.set(skill, own);
  }
  return counts;
}

function summarise(
  tallies: readonly Tally[],
  { from, until, buckets }: UsageHistory,
  allTime: SkillUses | undefined,
): Omit<SkillReport, 'name' | 'exists' | 'agents'> {
  const count = (counts: (tally: Tally) => boolean): number =>
    tallies.reduce((sum, tally) => sum + (counts(tally) ? tally.events : 0), 0);
  const series = Array.from({ length: buckets }, (_, at) => count(({ kind, bucket }) => isUse(kind) && bucket === at));
  const firstUsed = allTime?.firstUsed ?? from;
  const isNew = firstUsed <= until && firstUsed >= from + (until - from) / 2;
  return {
    uses: count(({ kind }) => isUse(kind)),
    loaded: count(({ kind }) => kind === 'loaded'),
    ran: count(({ kind }) => kind === 'ran'),
    invoked: count(({ kind }) => kind === 'invoked'),
    searched: count(({ kind }) => kind === 'searched'),
    matched: count(({ kind }) => kind === 'matched'),
    shown: count(({ kind }) => kind === 'shown'),
    cut: count(({ kind }) => kind === 'cut'),
    hinted: count(({ kind }) => kind === 'hinted'),
    followed: count(({ kind }) => kind === 'followed'),
    tokens: count(({ kind }) => kind === 'spent'),
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
