import { z } from 'zod';

import { findOffSources } from '../../catalog/off-sources.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { turnSkills } from '../../engine/turn-skills.ts';
import type { Skill } from '../../model/skill.ts';
import { findCommand } from '../../platform/environment.ts';
import { change, job, read } from '../endpoint.ts';
import { host, MOST, name, nothing, wholeCount } from '../input-fields.ts';

/** All copies of skills, in a line each. */
export const listSkills = read(nothing, async ({ skills }) => {
  const copies = skills.copies();
  const toRow = await openRows(skills, copies);
  return {
    ok: true,
    /** Sorted by name, then source. */
    skills: copies.map(toRow),
    counts: countStates(copies),
    off: findOffSources(skills).map(({ source, path, skills: names }) => ({ source, path, skills: names.length })),
  };
});

/** How many copies there are in each state; a copy whose name another has counts as shadowed alone. */
function countStates(copies: readonly Skill[]): Readonly<Record<Skill['status'], number>> {
  const counts = { enabled: 0, disabled: 0, unavailable: 0, broken: 0, shadowed: 0 };
  for (const skill of copies) counts[skill.shadowedBy === undefined ? stateOf(skill) : 'shadowed'] += 1;
  return counts;
}

/** A skill that its user disabled needs nothing, even if its commands are missing. */
function stateOf({ status, enabled }: Skill): Skill['status'] {
  return status === 'unavailable' && !enabled ? 'disabled' : status;
}

/** One copy of a skill, in a line. There are thousands, so a line leaves out whatever there is nothing to say about. */
export interface SkillRow
  extends
    Pick<Skill, 'file' | 'name' | 'brief' | 'source'>,
    Partial<Pick<Skill, 'reasons' | 'next' | 'tags' | 'shadowedBy'>> {
  readonly state: Skill['status'];
  readonly isPinned?: boolean;
  readonly isHidden?: boolean;
  readonly isTrusted: boolean;
  readonly isAudited: boolean;
  /** Why its audit keeps its text from models. */
  readonly blockedBecause?: string;
  /** How many other copies have its name. */
  readonly shadows?: number;
  /** The first flaw of its SKILL.md. */
  readonly flaw?: string;
  /** The commands that it needs and that are not here. */
  readonly missing?: readonly string[];
}

/** Makes rows; what they have in common is read once. */
export async function openRows(
  { trust, environment }: Pick<Skills, 'trust' | 'environment'>,
  copies: readonly Skill[],
): Promise<(skill: Skill) => SkillRow> {
  const served = await trust.survey(copies);
  return (skill) => {
    const answer = served.get(skill);
    const { file, name: own, brief, source, reasons, next, tags, pinned, hidden, shadowedBy, shadows } = skill;
    const flaw = skill.diagnostics.find(({ severity }) => severity !== 'info')?.message;
    return {
      file,
      name: own,
      brief,
      source,
      state: stateOf(skill),
      isTrusted: skill.status !== 'broken' && trust.judge(skill).ok,
      isAudited: answer !== undefined,
      ...(answer?.ok === false && { blockedBecause: answer.message }),
      ...(reasons.length > 0 && { reasons }),
      ...(next !== undefined && { next }),
      ...(tags.length > 0 && { tags }),
      ...(pinned && { isPinned: true }),
      ...(hidden && { isHidden: true }),
      ...(shadowedBy !== undefined && { shadowedBy }),
      ...(shadows.length > 0 && { shadows: shadows.length }),
      ...(flaw !== undefined && { flaw }),
      ...(skill.status === 'unavailable' && {
        missing: skill.requires.filter((command) => findCommand(command, environment) === undefined),
      }),
    };
  };
}

/** The engine's own ranking. A person who types looks for a skill and does not use it, so nothing is recorded. */
export const rankSkills = read(
  z.strictObject({ query: z.string().max(10_000), limit: wholeCount.max(MOST).optional() }),
  async ({ skills }, { query, limit = 200 }) => {
    const results = await skills.search({ query, limit, recordUse: false });
    return {
      ok: true,
      results: results.map(({ name: found, score, weak = false, reasons }) => {
        return { name: found, score, isWeak: weak, reasons };
      }),
      partial: results.partial ?? [],
    };
  },
);

/**
 * Turns skills on or off, for all agents or some, and says who had and who has them; a failure does not stop the others. A disabled
 * skill that is turned on for some agents is given only to these.
 */
export const applySwitch = change(
  z.strictObject({
    names: z.array(name).min(1).max(MOST).readonly(),
    to: z.enum(['enabled', 'disabled']),
    agents: z.array(host).min(1).readonly().optional(),
  }),
  async ({ place }, { names, to, agents }) => {
    const turned = await turnSkills(names, to === 'enabled', { ...place, agents });
    return {
      ok: true,
      done: turned.flatMap(({ name: given, outcome }) => {
        if (!outcome.ok) return [];
        const { file, changed, before, after, replaced } = outcome;
        return [{ name: given, file, changed, before: before.agents, after: after.agents, replaced }];
      }),
      failed: turned.flatMap(({ name: given, outcome }) => (outcome.ok ? [] : [{ ...outcome, name: given }])),
    };
  },
);

/** Audits the skills whose audit is not known, so that the list can say what is withheld from models. */
export const auditAll = job(
  nothing,
  async ({ skills, announce }, _input, { signal, report }) => {
    const listed = skills.catalog().skills.filter(({ status }) => status !== 'broken');
    const known = await skills.trust.survey(listed);
    const unknown = listed.filter((skill) => !known.has(skill));
    let audited = 0;
    for (const { name: next } of unknown) {
      if (signal.aborted) break;
      report({ step: next, percent: Math.floor((100 * audited) / unknown.length) });
      const done = await skills.trust.audit(next);
      if (done.ok) audited += 1;
    }
    await announce();
    return { ok: true, audited };
  },
  { changes: false },
);
