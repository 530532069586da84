import { z } from 'zod';

import type { Skills } from '../../engine/open-skills.ts';
import { listPresentAgents } from '../../hosts/all-hosts.ts';
import { readConnection } from '../../hosts/connecting/read-connection.ts';
import type { HistoryImport } from '../../hosts/history/import-history.ts';
import { isoDay } from '../../model/time.ts';
import { adviseOnUsage, type Advice } from '../../usage/advice.ts';
import { usesByDay } from '../../usage/use-groups.ts';
import { read } from '../endpoint.ts';
import { wholeCount, named, nothing } from '../input-fields.ts';

const DAY_MS = 86_400_000;

/** Uses by day and agent, by skill, and the advice that follows. */
export const viewUsage = read(
  z.strictObject({ days: wholeCount.min(1).max(366).optional() }),
  async ({ skills, now }, { days = 30 }) => {
    const until = now();
    const today = Math.floor(until / DAY_MS) * DAY_MS;
    const starts = Array.from({ length: days }, (_, at) => today - (days - 1 - at) * DAY_MS);
    const reported = await skills.usageReport({ since: until - days * DAY_MS, until });
    if (!reported.ok) return reported;
    const { report, imported } = reported;
    const read_ = await skills.usage.history({ since: starts[0], until, buckets: 1 });
    return {
      ok: true,
      /** Undefined if the configuration keeps no history. */
      report,
      days: starts.map(isoDay),
      /** The uses of each agent on these days. */
      agents: read_.ok && read_.history !== undefined ? usesByDay(read_.history, starts) : [],
      advice: await advise(skills, until),
      sources: listSources(skills, imported),
    };
  },
);

/** The agents on this machine: whether they tell of each use, and how much of their histories was read. */
function listSources({ environment }: Skills, imported: HistoryImport | undefined) {
  return listPresentAgents(environment).map((agent) => {
    const { hasServer, hook } = readConnection(agent, environment);
    const read_ = imported?.hosts.find(({ host }) => host === agent.id);
    return {
      id: agent.id,
      title: agent.title,
      isConnected: hasServer || hook !== undefined,
      /** Undefined if the configuration forbids it. */
      history: read_ && { sessions: read_.files, left: read_.left },
    };
  });
}

/** Advice looks at a longer time than the chart: silence counts only after weeks. */
const ADVICE_DAYS = 90;

async function advise(skills: Skills, until: number): Promise<readonly Advice[]> {
  const reported = await skills.usageReport({ since: until - ADVICE_DAYS * DAY_MS, until });
  return reported.ok && reported.report !== undefined ? adviseOnUsage(reported.report, skills.catalog().skills) : [];
}

/** The use of one skill in the last ninety days; undefined if there was none. */
export const describeUse = read(named, async ({ skills, now }, { name }) => {
  const until = now();
  const reported = await skills.usageReport({ skill: name, since: until - ADVICE_DAYS * DAY_MS, until });
  if (!reported.ok) return reported;
  return { ok: true, from: reported.report?.from ?? until, until, use: reported.report?.skills[0] };
});

const WEEKS = 12;

/** The uses of each skill in the last twelve weeks. */
export const recentUse = read(nothing, async ({ skills, now }) => {
  const until = now();
  const reported = await skills.usageReport({ since: until - WEEKS * 7 * DAY_MS, until });
  if (!reported.ok) return reported;
  const used = (reported.report?.skills ?? []).filter(({ uses, exists }) => exists && uses > 0);
  return { ok: true, skills: used.map(({ name, uses, series }) => ({ name, uses, series })) };
});
