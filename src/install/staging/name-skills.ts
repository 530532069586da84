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

export interface NamedSkill {
  readonly name: string;
  readonly found: RepositorySkill;
  /** The lock's entry, if this skill of this repository is installed under this name already. */
  readonly before?: LockedSkill | undefined;
}

/** A skill that is not installed, and why. */
export interface SkippedSkill extends Omit<Failure, 'ok'> {
  readonly name: string;
}

export function toSkipped(name: string, { code, message, hint }: Failure): SkippedSkill {
  return hint === undefined ? { name, code, message } : { name, code, message, hint };
}

/** Asks for another name; undefined skips the skill. */
export type Rename = (name: string, why: string) => Promise<string | undefined>;

export interface NameOptions {
  readonly place: InstallPlace;
  readonly environment: Environment;
  /** The repository, as the lock records it. */
  readonly url: string;
  /** Replaces the name that the skill gives itself; for one skill only. */
  readonly name?: string | undefined;
  readonly rename?: Rename | undefined;
  /** Skip a skill whose name cannot be used instead of failing. */
  readonly isLenient: boolean;
}

/** Decides the name under which each skill is installed. A skill whose name cannot be used is renamed or skipped. */
export async function nameSkills(
  picked: readonly RepositorySkill[],
  { place, environment, url, name: given, rename, isLenient }: NameOptions,
): Promise<Outcome<{ readonly skills: readonly NamedSkill[]; readonly skipped: readonly SkippedSkill[] }>> {
  if (given !== undefined && picked.length > 1)
    return fail(
      'INVALID_NAME',
      `a new name is for one skill, and ${picked.length} were picked`,
      'Pick one skill with `skills`.',
    );
  const installed = await readInstalled(place, environment);
  if (!installed.ok) return installed;
  const taken = new Set(installed.skills.map(({ name }) => name));
  const skills: NamedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  for (const found of picked) {
    const before = installed.skills.find(
      (skill) => skill.name === (given ?? found.name) && skill.url === url && skill.path === found.path,
    );
    if (before !== undefined) {
      skills.push({ name: before.name, found, before });
      continue;
    }
    const settled = await settleName(given ?? found.name, (name) => findFault(name, taken, place), rename);
    if (settled.ok) {
      skills.push({ name: settled.name, found });
      taken.add(settled.name);
    } else if (isLenient || rename !== undefined) {
      skipped.push(toSkipped(found.name, settled));
    } else return settled;
  }
  return { ok: true, skills, skipped };
}

async function settleName(
  first: string,
  findFaultOf: (name: string) => Failure | undefined,
  rename: Rename | undefined,
): Promise<Outcome<{ readonly name: string }>> {
  for (let name = first; ;) {
    const fault = findFaultOf(name);
    if (fault === undefined) return { ok: true, name };
    const other = await rename?.(name, fault.message);
    if (other === undefined) return fault;
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
