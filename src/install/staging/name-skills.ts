import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findNameFaults, isFolderName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import { isTaken } from '../../platform/files/files.ts';
import type { InstallPlace } from '../install-place.ts';
import type { FoundSkill } from '../origins/find-skills.ts';
import { readInstalled } from '../read-installed.ts';

export interface NamedSkill {
  readonly name: string;
  readonly found: FoundSkill;
}

/** A skill that is not installed, and why. */
export interface SkippedSkill extends Pick<Failure, 'code' | 'message'> {
  readonly name: string;
}

/** Asks for another name; undefined leaves the skill out. */
export type Rename = (name: string, why: string) => Promise<string | undefined>;

export interface NameOptions {
  readonly place: InstallPlace;
  readonly environment: Environment;
  /** What the one skill is to be called, in place of what it calls itself. */
  readonly name?: string | undefined;
  readonly rename?: Rename | undefined;
  /** Skip what cannot be called so, in place of failing. */
  readonly isLenient: boolean;
}

/** What each skill will be called here; one whose name cannot be used gets another or is left out. */
export async function nameSkills(
  picked: readonly FoundSkill[],
  { place, environment, name: given, rename, isLenient }: NameOptions,
): Promise<Outcome<{ readonly skills: readonly NamedSkill[]; readonly skipped: readonly SkippedSkill[] }>> {
  if (given !== undefined && picked.length > 1)
    return fail('INVALID_NAME', `--name is for one skill, and ${picked.length} were picked; pick one with --skill`);
  const installed = await readInstalled(place, environment);
  if (!installed.ok) return installed;
  const taken = new Set(installed.skills.map(({ name }) => name));
  const skills: NamedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  for (const found of picked) {
    const settled = await settleName(given ?? found.name, (name) => findFault(name, taken, place), rename);
    if (settled.ok) {
      skills.push({ name: settled.name, found });
      taken.add(settled.name);
    } else if (isLenient || rename !== undefined) {
      skipped.push({ name: found.name, code: settled.code, message: settled.message });
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
    const [fault = `"${name}" is no name of a folder`] = findNameFaults(name);
    return fail('INVALID_NAME', `${fault}; give it another one with --name`);
  }
  const dir = join(root, name);
  const other = 'give the new one another name with --name';
  if (taken.has(name))
    return fail(
      'ALREADY_EXISTS',
      `"${name}" is installed already, in ${dir}; update it with "skillplane manage update ${name}", or ${other}`,
    );
  return isTaken(dir) ? fail('ALREADY_EXISTS', `${dir} is there already; move it away, or ${other}`) : undefined;
}
