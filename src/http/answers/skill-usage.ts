import type { ReadAnswer } from '../console-context.ts';
import type { SkillUsageView } from '../wire/skill.ts';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** The use of one skill in the last ninety days. */
export const describeUse: ReadAnswer<'skill/usage'> = async ({ skills, now }, { name }) => {
  const until = now();
  const reported = await skills.usageReport({ skill: name, since: until - DAYS * DAY_MS, until });
  if (!reported.ok) return reported;
  const { report } = reported;
  const own = report?.skills[0];
  const view: SkillUsageView = {
    uses: own?.uses ?? 0,
    lastUsed: own?.lastUsed === undefined ? null : new Date(own.lastUsed).toISOString(),
    trend: own?.trend ?? null,
    counts: {
      loaded: own?.loaded ?? 0,
      ran: own?.ran ?? 0,
      invoked: own?.invoked ?? 0,
      searched: own?.searched ?? 0,
      matched: own?.matched ?? 0,
      shown: own?.shown ?? 0,
    },
    agents: own?.agents ?? {},
    from: new Date(report?.from ?? until).toISOString(),
    until: new Date(until).toISOString(),
    series: own?.series ?? [],
  };
  return { ok: true, ...view };
};
