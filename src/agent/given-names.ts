import { failBroken, isBroken } from '../catalog/broken.ts';
import { findSkill } from '../catalog/find.ts';
import { listNames, listVisible, toView, type SkillNames, type SkillSelection } from '../catalog/view.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { isGlob } from '../parse/globs.ts';
import { listNearest, quoteName } from './unknown-skill.ts';

/** The names in a selection that fit no skill; a glob may fit none yet. The failure is for the programmer. */
export function refuseUnknown(skills: readonly Skill[], selection: SkillSelection): Failure | undefined {
  if (typeof selection === 'function') return undefined;
  const unknown = listNames(selection).filter((name) => !isGlob(name) && !skills.some(toView(name)));
  return unknown.length === 0 ? undefined : failUnknown('skills', unknown, skills);
}

/** Skills that a program names for an agent. */
export interface NamedSkills {
  /** The option that has the names. */
  readonly option: 'pinned' | 'preload';
  readonly names: SkillNames;
  /** The skills of the agent, and all that there are for the program. */
  readonly own: readonly Skill[];
  readonly all: readonly Skill[];
}

/** Finds the exact names of skills that a model may see. The failure names every unknown one, and is for the programmer. */
export function resolveGiven({ option, names, own, all }: NamedSkills): Outcome<{ readonly names: readonly string[] }> {
  const found = listNames(names).map((name) => ({ name, outcome: findSkill(own, name) }));
  const unknown = found.filter(({ outcome }) => !outcome.ok).map(({ name }) => name);
  const outside = unknown.filter((name) => findSkill(all, name).ok).map(quoteName);
  const next: NextStep = { give: 'skills', as: outside, aim: 'let this agent have them' };
  if (unknown.length > 0) return { ...failUnknown(option, unknown, own), ...(outside.length === 0 ? {} : { next }) };
  const skills = found.flatMap(({ outcome }) => (outcome.ok ? [outcome.skill] : []));
  const refusal = skills.map((skill) => refuseHidden(option, skill)).find((failure) => failure !== undefined);
  return refusal ?? { ok: true, names: skills.map(({ name }) => name) };
}

function failUnknown(option: string, unknown: readonly string[], skills: readonly Skill[]): Failure {
  const nearest = listNearest(
    listVisible(skills).map(({ name }) => name),
    unknown,
  );
  const named = unknown.map((name) => `"${quoteName(name)}"`).join(', ');
  return fail(
    'SKILL_NOT_FOUND',
    `${option}: no ${unknown.length === 1 ? 'skill' : 'skills'} called ${named}; available: ${nearest}`,
  );
}

/** Why a skill that exists must not be shown to a model. */
function refuseHidden(option: string, skill: Skill): Failure | undefined {
  const { name, status, hidden, reasons } = skill;
  if (isBroken(skill)) return failBroken(skill);
  if (status !== 'enabled') return fail('SKILL_NOT_FOUND', `${option}: cannot load "${name}": ${reasons.join('; ')}`);
  if (!hidden) return undefined;
  return fail('NOT_ALLOWED', `${option}: the skill "${name}" is hidden from models (disable-model-invocation)`);
}
