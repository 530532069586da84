import { basename, dirname } from 'node:path';

import { HOST_IDS, type HostId } from '../../model/host-id.ts';
import { findMeant } from '../../model/nearest.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { findCommand, readEnvironment, type Environment, type EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
import { projectDirectories } from '../../platform/project.ts';
import { HOSTS } from '../all-hosts.ts';
import type { SyncScope } from './host-sync.ts';
import { manifestFile } from './manifest.ts';
import { atRoot, type AdmitSkill } from './wanted-skills.ts';

export interface SyncOptions extends EnvironmentOptions {
  /** Ids of hosts. Default: all that are on this machine; for a project, also those that have a folder in it. */
  readonly hosts?: readonly string[] | undefined;
  /** Sync the folders of this project instead of the user's own. */
  readonly project?: boolean | undefined;
  /** Make copies, not links. */
  readonly copy?: boolean | undefined;
  /** Called with a sentence if another process holds what is needed. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** The gate; the engine's functions always set it. */
  readonly admit?: AdmitSkill | undefined;
}

/** Where a sync works, and for whom. */
export interface SyncRequest {
  readonly scope: SyncScope;
  /** The working directory is the project's root, or the root of the file system for the user's own folders. */
  readonly environment: Environment;
  /** The project's root. */
  readonly boundary: string | undefined;
  readonly manifestFile: string;
  readonly hosts: readonly HostId[];
  /** Did the caller name the hosts? */
  readonly isNamed: boolean;
  readonly isCopying: boolean;
  readonly admit: AdmitSkill;
  readonly onWait?: ((message: string) => void) | undefined;
}

export function readSyncRequest({
  hosts,
  project = false,
  copy = false,
  onWait,
  admit = async () => ({ ok: true }),
  ...options
}: SyncOptions): Outcome<SyncRequest> {
  const given = readEnvironment(options);
  const unknown = hosts?.find((host) => !HOST_IDS.some((id) => id === host));
  if (unknown !== undefined) {
    const meant = findMeant(unknown, HOST_IDS);
    const known = `Known are ${HOST_IDS.join(', ')}.`;
    return fail('CONFIG_INVALID', `"${unknown}" is no host`, meant === undefined ? known : `Did you mean ${meant}?`);
  }
  const top = realPath(projectDirectories(given.cwd).at(-1) ?? given.cwd) ?? given.cwd;
  if (project && top === (realPath(given.home) ?? given.home))
    return fail('CONFIG_INVALID', `${given.cwd} is your home, not a project`, 'Leave out `project`.');
  const environment = project ? { ...given, cwd: top } : atRoot(given);
  const scope = project ? 'project' : 'user';
  return {
    ok: true,
    scope,
    environment,
    boundary: project ? top : undefined,
    manifestFile: manifestFile(given.agentHome, scope, top),
    hosts: hosts === undefined ? listPresent(environment, scope) : HOST_IDS.filter((id) => hosts.includes(id)),
    isNamed: hosts !== undefined,
    isCopying: copy,
    admit,
    onWait,
  };
}

/** The hosts on this machine, and for a project those that have a folder in it. */
function listPresent(environment: Environment, scope: SyncScope): readonly HostId[] {
  return HOST_IDS.filter((id) => {
    const host = HOSTS[id];
    const isInstalled = findCommand(host.program, environment) !== undefined || exists(host.folder(environment));
    return isInstalled || (scope === 'project' && hasFolder(environment, id));
  });
}

/** Does the project have a folder of the host's own? Many have `.github` for other reasons, and `.agents` is everyone's. */
function hasFolder(environment: Environment, id: HostId): boolean {
  const host = HOSTS[id];
  const own = host.roots(environment).filter(({ level, use }) => level === 'project' && use === 'private');
  return [...own.map(({ path }) => path), host.sync.folder(environment, 'project')]
    .map(dirname)
    .some((dir) => !['.agents', '.github'].includes(basename(dir)) && exists(dir));
}
