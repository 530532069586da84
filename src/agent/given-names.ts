import { failBroken, isBroken } from '../catalog/broken.ts';
import { findSkill } from '../catalog/find.ts';
import { toView } from '../catalog/view.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { isGlob } from '../parse/globs.ts';
import { listNearest, quoteName } from './unknown-skill.ts';
import type { CatalogHolder } from './visible-skills.ts';

/** The names of skills that a program gives for an agent, by option. */
export interface GivenNames {
  /** Names, ids or globs. */
  readonly skills: readonly string[];
  readonly pinned: readonly string[];
  readonly preload: readonly string[];
}

export interface GivenPools {
  /** All skills that there are for the program. */
  readonly pool: CatalogHolder;
  /** Those of the agent. */
  readonly scoped: CatalogHolder;
}

/**
 * Resolves the names of pinned and preloaded skills, and checks that all names are known. A glob may match nothing yet.
 * The failure names every unknown one and the nearest skills, for the programmer.
 */
export function checkNames(
  { skills, pinned, preload }: GivenNames,
  { pool, scoped }: GivenPools,
): Outcome<Pick<GivenNames, 'pinned' | 'preload'>> {
  const all = pool.catalog().skills;
  const own = scoped.catalog().skills;
  const missing = skills.filter((name) => !isGlob(name) && !all.some(toView(name)));
  const given = [
    ...pinned.map((name) => ({ option: 'pinned', name, found: findSkill(own, name) })),
    ...preload.map((name) => ({ option: 'preload', name, found: findSkill(own, name) })),
  ];
  const unknown = [...missing.map((name) => ({ option: 'skills', name })), ...given.filter(({ found }) => !found.ok)];
  if (unknown.length > 0) return failUnknown(unknown, { all, own });
  const namesOf = (wanted: string): readonly string[] =>
    given.flatMap(({ option, found }) => (option === wanted && found.ok ? [found.skill.name] : []));
  const refused = given.map(({ option, found }) => (found.ok ? refuse(found.skill, option) : undefined));
  return (
    refused.find((failure) => failure !== undefined) ?? {
      ok: true,
      pinned: namesOf('pinned'),
      preload: namesOf('preload'),
    }
  );
}

interface UnknownName {
  readonly option: string;
  readonly name: string;
}

function failUnknown(
  unknown: readonly UnknownName[],
  { all, own }: { readonly all: readonly Skill[]; readonly own: readonly Skill[] },
): Failure {
  const named = unknown.map(({ option, name }) => `"${quoteName(name)}" in ${option}`).join(', ');
  const available = unknown.every(({ option }) => option === 'skills') ? all : own;
  const nearest = listNearest(
    available.map(({ name }) => name),
    unknown.map(({ name }) => name),
  );
  const outside = unknown.filter(({ option, name }) => option !== 'skills' && findSkill(all, name).ok);
  return fail(
    'SKILL_NOT_FOUND',
    `unknown ${unknown.length === 1 ? 'skill' : 'skills'}: ${named}; available: ${nearest}`,
    outside.length === 0
      ? undefined
      : `Add ${outside.map(({ name }) => `"${quoteName(name)}"`).join(', ')} to \`skills\`, the skills of this agent.`,
  );
}

/** Why a skill cannot be pinned or preloaded although it exists. */
function refuse(skill: Skill, option: string): Failure | undefined {
  const { name, status, hidden, reasons } = skill;
  if (isBroken(skill)) return failBroken(skill);
  if (status !== 'enabled')
    return fail('SKILL_NOT_FOUND', `${option}: the skill "${name}" is ${status}: ${reasons.join('; ')}`);
  if (hidden)
    return fail('NOT_ALLOWED', `${option}: the skill "${name}" is hidden from models (disable-model-invocation)`);
  return undefined;
}
