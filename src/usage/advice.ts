import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import type { SkillReport, UsageReport } from './usage-report.ts';

/** A change to a skill that a person may want to make, with the numbers that speak for it. */
export interface Advice {
  readonly kind: 'disable' | 'pin' | 'rewrite';
  readonly skill: string;
  readonly evidence: string;
}

/** The facts of a skill that matter here. */
type AdvisedSkill = Pick<Skill, 'name' | 'status' | 'pinned' | 'hidden' | 'stamp'>;

const DAY_MS = 86_400_000;
/** A history of fewer days says nothing about what is missing in it. */
const SHORTEST_DAYS = 14;
/** After so many days without a use a skill only takes room. */
const UNUSED_DAYS = 60;
/** Minimum number of listings before missing use means something. */
const OFTEN_SHOWN = 20;
/** So often a person must have called a skill, or any skill must have been used. */
const OFTEN_INVOKED = 2;
const OFTEN_USED = 10;
const MOST_PINS = 5;

/**
 * Suggestions from use: disable (unused for long), pin (used often, but cut from the list), improve the description
 * (listed, but never chosen). Only for enabled skills that are not new.
 */
export function adviseOnUsage({ skills, from, until }: UsageReport, known: readonly AdvisedSkill[]): readonly Advice[] {
  const days = Math.floor((until - from) / DAY_MS);
  if (days < SHORTEST_DAYS) return [];
  const reports = new Map(skills.map((skill) => [skill.name, skill]));
  const found = known
    .filter(({ status }) => status === 'enabled')
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap((skill) => adviseOn(skill, reports.get(skill.name), { days, until }));
  const pins = found.filter(({ kind }) => kind === 'pin');
  const usesOf = ({ skill }: Advice): number => reports.get(skill)?.uses ?? 0;
  const kept = new Set(pins.toSorted((a, b) => usesOf(b) - usesOf(a)).slice(0, MOST_PINS));
  return KINDS.flatMap((kind) =>
    found.filter((advice) => advice.kind === kind && (kind !== 'pin' || kept.has(advice))),
  );
}

const KINDS = ['rewrite', 'pin', 'disable'] as const;

interface Period {
  readonly days: number;
  readonly until: number;
}

function adviseOn(skill: AdvisedSkill, report: SkillReport | undefined, period: Period): readonly Advice[] {
  const { name, pinned, hidden } = skill;
  const { uses = 0, invoked = 0, shown = 0, cut = 0 } = report ?? {};
  const chosen = uses - invoked;
  const told = `models were told of it ${times(shown)}`;
  if (isUnused(skill, report, period))
    return [{ kind: 'disable', skill: name, evidence: describeUnused(report, period) }];
  if (!hidden && chosen === 0 && shown > 0 && invoked >= OFTEN_INVOKED)
    return [{ kind: 'rewrite', skill: name, evidence: `you called it ${times(invoked)}; ${told} and never chose it` }];
  if (!hidden && uses === 0 && shown >= OFTEN_SHOWN)
    return [{ kind: 'rewrite', skill: name, evidence: `${told} and never chose it` }];
  if (!pinned && !hidden && uses >= OFTEN_USED && cut > 0)
    return [{ kind: 'pin', skill: name, evidence: `used ${times(uses)}, yet ${times(cut)} listed by its name alone` }];
  return [];
}

function isUnused({ pinned, stamp }: AdvisedSkill, report: SkillReport | undefined, { days, until }: Period): boolean {
  const since = Math.max(stamp.mtimeMs, report?.lastUsed ?? 0);
  return !pinned && days >= UNUSED_DAYS && (report?.uses ?? 0) === 0 && until - since >= UNUSED_DAYS * DAY_MS;
}

function describeUnused(report: SkillReport | undefined, { days, until }: Period): string {
  const { shown = 0, lastUsed } = report ?? {};
  const age =
    lastUsed === undefined
      ? `not used in ${days} days`
      : `last used ${Math.floor((until - lastUsed) / DAY_MS)} days ago`;
  return shown > 0 ? `${age}, but shown ${times(shown)}` : age;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
