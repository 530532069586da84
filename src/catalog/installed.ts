import { dirname, join } from 'node:path';

import { LOCK_NAME, readLock } from '../config/lock-file.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { freezeDeep } from '../model/freeze.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { SourceRoot } from '../model/source.ts';
import { isFolderName } from '../parse/name-rules.ts';
import type { Environment } from '../platform/environment.ts';
import type { FoundSkill } from '../sources/scan.ts';

export interface InstalledSkills {
  readonly found: readonly FoundSkill[];
  /** Every lock file that counts, whether it exists or not. */
  readonly lockFiles: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives installed skills their origin and their name: a skill has the name under which it was installed, whatever its
 * own file says.
 */
export async function applyLocks(
  found: readonly FoundSkill[],
  roots: readonly SourceRoot[],
  environment: Environment,
): Promise<InstalledSkills> {
  const locks = new Map<string, ReadonlyMap<string, LockedSkill>>();
  const diagnostics: Diagnostic[] = [];
  const lockFiles: string[] = [];
  for (const root of roots) {
    const file = lockFileOf(root, environment);
    if (file === undefined) continue;
    if (!lockFiles.includes(file)) lockFiles.push(file);
    const read = readLock(file);
    if (!read.ok) diagnostics.push({ code: 'CONFIG_INVALID', severity: 'error', path: file, message: read.message });
    else {
      const here = read.skills.filter(({ folder }) => (folder !== undefined) === (root.id === 'agents-project'));
      if (here.length > 0) locks.set(root.path, new Map(here.map((skill) => [skill.name, skill])));
    }
  }
  if (locks.size === 0) return { found, lockFiles, diagnostics };
  const named = found.map((one) => {
    const locked = locks.get(one.root.path)?.get(one.skill.id);
    return locked === undefined || !isFolderName(locked.name) ? one : { ...one, skill: applyLock(one.skill, locked) };
  });
  return { found: named, lockFiles, diagnostics };
}

function lockFileOf({ id, path }: SourceRoot, { agentHome }: Environment): string | undefined {
  if (id === 'plugin') return join(agentHome, LOCK_NAME);
  return id === 'project' || id === 'agents-project' ? join(dirname(dirname(path)), '.agent', LOCK_NAME) : undefined;
}

function applyLock(skill: FoundSkill['skill'], locked: LockedSkill): FoundSkill['skill'] {
  const { origin, path, digest, held } = locked;
  const diagnostics = skill.diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH');
  return freezeDeep({
    ...skill,
    name: skill.id,
    diagnostics,
    origin: { ...origin, path, digest, ...(held === true ? { held } : {}) },
  });
}
