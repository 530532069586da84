import { join } from 'node:path';

import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import { findNameFaults, isFolderName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import { isTaken } from '../../platform/files/files.ts';
import type { InstallPlace } from '../install-place.ts';
import type { RepositorySkill } from '../origins/find-skills.ts';
import { readInstalled } from '../read-installed.ts';
import {
  openNameConflicts,
  refuseConflict,
  type FindConflict,
  type NameConflict,
  type NameConflicts,
} from './name-conflicts.ts';

export interface NamedSkill {
  readonly name: string;
  readonly found: RepositorySkill;
  /** The lock's entry, if this skill of this repository is installed under this name already. */
  readonly before?: LockedSkill | undefined;
  /** The skill elsewhere that it hides, or that hides it, as was accepted. */
  readonly conflict?: NameConflict | undefined;
}

/** A skill that is not installed, and why. */
export interface SkippedSkill extends Omit<Failure, 'ok'> {
  readonly name: string;
}

export function toSkipped(name: string, { code, message, hint }: Failure): SkippedSkill {
  return hint === undefined ? { name, code, message } : { name, code, message, hint };
}

/**
 * Asks for another name; undefined skips the skill. The same name again accepts a `conflict` with a skill elsewhere;
 * without one, the name cannot be used.
 */
export type Rename = (name: string, why: string, conflict?: NameConflict) => Promise<string | undefined>;

/** The names that are taken now, by installed skills and by others. */
export interface KnownNames {
  readonly installed: readonly LockedSkill[];
  readonly conflicts: NameConflicts;
}

/** Reads which names are taken. */
export async function readNames({
  place,
  environment,
}: Pick<NameOptions, 'place' | 'environment'>): Promise<Outcome<KnownNames>> {
  const read = readInstalled(place);
  if (!read.ok) return read;
  return { ok: true, installed: read.skills, conflicts: await openNameConflicts(environment, place) };
}

export interface NameOptions {
  readonly place: InstallPlace;
  readonly environment: Environment;
  /** Read already; by default, they are read now. */
  readonly names?: Outcome<KnownNames> | undefined;
  /** The address, as the lock records it. */
  readonly url: string;
  /** Replaces the name that the skill gives itself; for one skill only. */
  readonly name?: string | undefined;
  readonly rename?: Rename | undefined;
  /** Accept that the skill hides another one of the same name, or is hidden by it. */
  readonly replace?: boolean | undefined;
  /** Skip a skill whose name cannot be used instead of failing. */
  readonly isLenient: boolean;
}

/** Decides the name under which each skill is installed. A skill whose name cannot be used is renamed or skipped. */
export async function nameSkills(
  picked: readonly RepositorySkill[],
  { place, environment, names, url, name: given, rename, replace = false, isLenient }: NameOptions,
): Promise<Outcome<{ readonly skills: readonly NamedSkill[]; readonly skipped: readonly SkippedSkill[] }>> {
  if (given !== undefined && picked.length > 1)
    return fail(
      'INVALID_NAME',
      `a new name is for one skill, and ${picked.length} were picked`,
      'Pick one skill with `skills`.',
    );
  const known = names ?? (await readNames({ place, environment }));
  if (!known.ok) return known;
  const { installed, conflicts } = known;
  const taken = new Set(installed.map(({ name }) => name));
  const faults = { findFault: (name: string) => findFault(name, taken, place), findConflict: conflicts.find, replace };
  const skills: NamedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  for (const found of picked) {
    // A folder cannot have the name of a skill that is told apart by its plugin.
    const own = given ?? (found.plugin === undefined ? found.name : found.name.replace(':', '-'));
    const before = installed.find(
      (skill) => skill.name === own && skill.origin.url === url && skill.path === found.path,
    );
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

interface NameFaults extends Required<Pick<NameOptions, 'replace'>> {
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

function findFault(name: string, taken: ReadonlySet<string>, { root }: InstallPlace): Failure | undefined {
  if (!isFolderName(name)) {
    const faults = findNameFaults(name).join('; ') || `"${name}" cannot be the name of a folder`;
    return fail('INVALID_NAME', faults, 'Give the skill another name with `name`.');
  }
  const dir = join(root, name);
  const other = 'give the new one another name with `name`.';
  if (taken.has(name))
    return fail(
      'ALREADY_EXISTS',
      `"${name}" is already installed in ${dir}`,
      `Update it with \`update ${quoteWord(name)}\`, or ${other}`,
    );
  return isTaken(dir) ? fail('ALREADY_EXISTS', `${dir} already exists`, `Move it away, or ${other}`) : undefined;
}
