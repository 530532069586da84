import { dirname } from 'node:path';

import { isBroken } from '../../catalog/broken.ts';
import { SkillStore } from '../../catalog/store.ts';
import { isSourceNamed } from '../../config/source-names.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { foldName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import type { InstallPlace } from '../install-place.ts';

/** A skill elsewhere has the name of a skill that is to be installed. */
export interface NameConflict {
  /** Would the new skill hide the other one, or be hidden by it? */
  readonly kind: 'hides' | 'hidden';
  readonly name: string;
  readonly source: string;
  readonly dir: string;
  /** One phrase for people: "hides your user skill pdf at …". */
  readonly phrase: string;
}

export type FindConflict = (name: string) => NameConflict | undefined;

/** Looks among the skills that this user and project have now. Skills of sources that are off have no conflicts. */
export async function openNameConflicts(environment: Environment, place: InstallPlace): Promise<FindConflict> {
  const { skills, roots, reading } = await new SkillStore({ environment }).loadAll();
  const own = roots.findIndex(({ path }) => path === place.root);
  if (own === -1) return () => undefined;
  const byName = new Map(skills.map((skill) => [foldName(skill.name), skill]));
  const foldKeys = (preferred: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
    new Map(Object.entries(preferred).map(([name, source]) => [foldName(name), source]));
  const { config } = reading;
  const [preferred, projectPreferred] = [foldKeys(config.preferred), foldKeys(config.project.preferred)];
  const wins = (skill: Skill): boolean => {
    const key = foldName(skill.name);
    const isWithinProject = place.scope === 'project' && skill.level === 'project';
    const source = preferred.get(key) ?? (isWithinProject ? projectPreferred.get(key) : undefined);
    const isPreferred = (id: string): boolean => source !== undefined && isSourceNamed(id, [source]);
    if (isBroken(skill) || isPreferred(place.source)) return true;
    if (isPreferred(skill.source)) return false;
    return own <= roots.findIndex(({ id, path }) => id === skill.source && path === dirname(skill.dir));
  };
  return (name) => {
    const skill = byName.get(foldName(name));
    return skill && describeConflict(skill, wins(skill) ? 'hides' : 'hidden');
  };
}

function describeConflict({ name, source, level, dir }: Skill, kind: NameConflict['kind']): NameConflict {
  const owner = level === 'user' ? 'your' : 'the';
  const phrase = `${kind === 'hides' ? 'hides' : 'is hidden by'} ${owner} ${source} skill ${name} at ${dir}`;
  return { kind, name, source, dir, phrase };
}

export function refuseConflict(name: string, { phrase }: NameConflict): Failure {
  return fail(
    'ALREADY_EXISTS',
    `"${name}" is in use: the new skill ${phrase}`,
    'Give it another name with `name`, or accept this with `replace`.',
  );
}
