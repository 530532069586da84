import { adviseOnUsage, type Skills, type UsageReport } from '../../index.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { UsageView, UsedSkill } from '../wire/usage.ts';

const DAY_MS = 86_400_000;

/** Uses by day and agent, by skill, and the advice that follows. */
export const viewUsage: ReadAnswer<'usage'> = async ({ skills, now }, { days = 30 }) => {
  const until = now();
  const since = until - days * DAY_MS;
  const reported = await skills.usageReport({ since, until });
  if (!reported.ok) return reported;
  const { report, imported } = reported;
  const chart = await countDays(skills, { until, days });
  const view: UsageView = {
    isKept: report !== undefined,
    from: toIso(since),
    until: toIso(until),
    ...chart,
    skills: (report?.skills ?? []).map(toRow),
    neverUsed: report?.neverUsed ?? [],
    shownNeverUsed: report?.shownNeverUsed ?? [],
    searchedNeverLoaded: report?.searchedNeverLoaded ?? [],
    advice: await advise(skills, until),
    left: imported?.hosts.reduce((sum, host) => sum + host.left, 0) ?? 0,
  };
  return { ok: true, ...view };
};

function toIso(time: number): string {
  return new Date(time).toISOString();
}

function toRow(skill: UsageReport['skills'][number]): UsedSkill {
  const { name, exists, uses, invoked, shown, searched, lastUsed, trend, series } = skill;
  const last = lastUsed === undefined ? null : toIso(lastUsed);
  return { name, exists, uses, invoked, shown, searched, lastUsed: last, trend, series };
}

/** Advice looks at a longer time than the chart: silence counts only after weeks. */
const ADVICE_DAYS = 90;

async function advise(skills: Skills, until: number): Promise<UsageView['advice']> {
  const reported = await skills.usageReport({ since: until - ADVICE_DAYS * DAY_MS, until });
  return reported.ok && reported.report !== undefined ? adviseOnUsage(reported.report, skills.catalog().skills) : [];
}

interface ChartRequest {
  readonly until: number;
  readonly days: number;
}

/** The uses of each agent on each day. */
async function countDays(skills: Skills, { until, days }: ChartRequest): Promise<Pick<UsageView, 'agents' | 'days'>> {
  const today = Math.floor(until / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: days }, (_, at) => today - (days - 1 - at) * DAY_MS);
  const counts = new Map<string, number[]>();
  for (const [at, start] of starts.entries()) {
    const read = await skills.usage.history({ since: start, until: start + DAY_MS - 1, buckets: 1 });
    for (const { agent, kind, events } of read.ok ? (read.history?.details ?? []) : []) {
      if (kind !== 'loaded' && kind !== 'ran' && kind !== 'invoked') continue;
      const own = counts.get(agent) ?? starts.map(() => 0);
      own[at] = (own[at] ?? 0) + events;
      counts.set(agent, own);
    }
  }
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
  const agents = [...counts].map(([name, own]) => ({ name, days: own })).sort((a, b) => total(b.days) - total(a.days));
  return { agents, days: starts.map((start) => toIso(start).slice(0, 10)) };
}
