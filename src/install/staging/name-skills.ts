import { dirname, join } from 'node:path';

import { isBroken } from '../../catalog/broken.ts';
import { SkillStore } from '../../catalog/store.ts';
import { isSourceNamed } from '../../config/source-names.ts';
import type { LockedSkill } from '../../model/lock.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { findNameFaults, foldName, isFolderName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import { isTaken } from '../../platform/files/files.ts';
import type { InstallPlace } from '../install-place.ts';
import { readInstalled } from '../install-record.ts';
import {
  toSkipped,
  type InstallDecisions,
  type InstallOptions,
  type NameConflict,
  type Rename,
  type SkippedSkill,
} from '../install-request.ts';
import type { RepositorySkill } from '../origins/find-skills.ts';
import type { OriginFiles } from './prepare-skill.ts';

/** A skill that was picked from an origin. */
export interface PickedSkill extends RepositorySkill {
  readonly origin: OriginFiles;
}

export interface NamedSkill {
  readonly name: string;
  readonly found: PickedSkill;
  /** The lock's entry, if this skill of this origin is installed under this name already. */
  readonly before?: LockedSkill | undefined;
  /** The existing skill with the same name, as accepted. */
  readonly conflict?: NameConflict | undefined;
}

export interface NameOptions extends Pick<InstallOptions, 'name' | 'replace'>, Pick<InstallDecisions, 'rename'> {
  readonly place: InstallPlace;
  readonly environment: Environment;
  /** Skip a skill whose name cannot be used instead of failing. */
  readonly isLenient: boolean;
}

/** Decides the name under which each skill is installed. A skill whose name cannot be used is renamed or skipped. */
export async function nameSkills(
  picked: readonly PickedSkill[],
  { place, environment, name: newName, rename, replace = false, isLenient }: NameOptions,
): Promise<Outcome<{ readonly skills: readonly NamedSkill[]; readonly skipped: readonly SkippedSkill[] }>> {
  if (newName !== undefined && picked.length > 1)
    return fail('INVALID_NAME', `a new name works for one skill, and ${picked.length} were chosen`, {
      give: 'skills',
      aim: 'pick one',
    });
  const installed = readInstalled(place);
  if (!installed.ok) return installed;
  const findConflict = await openNameConflicts(environment, place);
  const taken = new Set(installed.skills.map(({ name }) => name));
  const faults = { findFault: (name: string) => findFault(name, taken, place), findConflict, replace };
  const skills: NamedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  for (const found of picked) {
    // A plugin prefix is not possible in a folder name.
    const own = newName ?? (found.plugin === undefined ? found.name : found.name.replace(':', '-'));
    const before = installed.skills.find((skill) => skill.name === own && isFrom(skill, found));
    if (before !== undefined) {
      skills.push({ name: before.name, found, before });
      continue;
    }
    const settled = await settleName(own, faults, rename);
    if (settled.ok) {
      skills.push({ name: settled.name, found, conflict: settled.conflict });
      taken.add(settled.name);
    } else if (isLenient || rename !== undefined) {
      skipped.push(toSkipped(found.name, settled));
    } else return settled;
  }
  return { ok: true, skills, skipped };
}

/** Is this entry of the lock an earlier installation of the skill? */
function isFrom({ origin, path }: LockedSkill, found: PickedSkill): boolean {
  const chosen = found.origin.originOf(found.path);
  return chosen.ok && chosen.origin.url === origin.url && (chosen.path ?? found.path) === path;
}

interface NameFaults {
  readonly replace: boolean;
  readonly findFault: (name: string) => Failure | undefined;
  readonly findConflict: FindConflict;
}

async function settleName(
  first: string,
  { findFault: findFaultOf, findConflict, replace }: NameFaults,
  rename: Rename | undefined,
): Promise<Outcome<Pick<NamedSkill, 'name' | 'conflict'>>> {
  for (let name = first; ;) {
    const fault = findFaultOf(name);
    const conflict = fault === undefined ? findConflict(name) : undefined;
    const refusal = fault ?? (conflict === undefined || replace ? undefined : refuseConflict(name, conflict));
    if (refusal === undefined) return { ok: true, name, conflict };
    const other = await rename?.(name, refusal.message, conflict);
    if (other === undefined) return refusal;
    if (other === name && conflict !== undefined) return { ok: true, name, conflict };
    name = other;
  }
}

/** Refuses a name that no skill may have, whatever is installed. */
export function refuseName(name: string): Failure | undefined {
  if (isFolderName(name)) return undefined;
  const faults = findNameFaults(name).join('; ') || `"${name}" cannot be the name of a folder`;
  return fail('INVALID_NAME', faults, OTHER_NAME);
}

function findFault(name: string, taken: ReadonlySet<string>, { root }: InstallPlace): Failure | undefined {
  const invalid = refuseName(name);
  if (invalid !== undefined) return invalid;
  const dir = join(root, name);
  if (taken.has(name))
    return fail('ALREADY_EXISTS', `"${name}" is already installed in ${dir}`, {
      either: [{ do: 'update', skill: name }, OTHER_NAME],
    });
  return isTaken(dir)
    ? fail('ALREADY_EXISTS', `${dir} already exists`, { either: [{ moveAway: dir }, OTHER_NAME] })
    : undefined;
}

const OTHER_NAME: NextStep = { give: 'name', aim: 'give the new one another name' };

type FindConflict = (name: string) => NameConflict | undefined;

/** Looks among the skills that this user and project have now. Skills of sources that are off have no conflicts. */
async function openNameConflicts(environment: Environment, place: InstallPlace): Promise<FindConflict> {
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

function refuseConflict(name: string, { phrase }: NameConflict): Failure {
  return fail('ALREADY_EXISTS', `"${name}" is in use: the new skill ${phrase}`, {
    either: [OTHER_NAME, { give: 'replace', aim: 'accept this' }],
  });
}
