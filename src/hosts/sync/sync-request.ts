import { basename, dirname } from 'node:path';

import { AGENT_IDS, HOST_IDS, type AgentId, type HostId } from '../../model/agents.ts';
import { findMeant } from '../../model/nearest.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
import { keepsLinks, projectRoot } from '../../platform/project.ts';
import { HOSTS, isPresent } from '../all-hosts.ts';
import type { KnownHost, SyncScope } from '../host.ts';
import { manifestFile } from './manifest.ts';
import { outsideProjects, giveEverything, type AdmitSkill, type WantedRequest, type WishFor } from './wanted-skills.ts';

export interface SyncOptions extends EnvironmentOptions {
  /** Ids of hosts. Default: all that are on this machine; for a project, also those that have a folder in it. */
  readonly hosts?: readonly string[] | undefined;
  /** Sync the folders of this project instead of the user's own. */
  readonly project?: boolean | undefined;
  /** Make copies, not links. A project whose git has no links always gets copies. */
  readonly copy?: boolean | undefined;
  /** Called with a sentence if another process holds what is needed. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** The only skills to touch, by name; entries and switches of others stay. Default: all. */
  readonly skills?: readonly string[] | undefined;
  /** The gate; the engine's functions always set it. */
  readonly admit?: AdmitSkill | undefined;
  /** Which hosts shall have a skill. Default: all that the setting `hosts` does not leave out. */
  readonly wishFor?: WishFor | undefined;
}

/** Where a sync works, and for whom. The working directory is the project's root, or the root of the file system. */
export interface SyncRequest extends WantedRequest {
  /** The project's root. */
  readonly boundary: string | undefined;
  readonly manifestFile: string;
  readonly hosts: readonly AgentId[];
  readonly isCopying: boolean;
  readonly onWait?: ((message: string) => void) | undefined;
}

export function readSyncRequest({
  hosts,
  skills,
  project = false,
  copy = false,
  onWait,
  admit = async () => ({ ok: true }),
  wishFor = giveEverything,
  ...options
}: SyncOptions): Outcome<SyncRequest> {
  const given = readEnvironment(options);
  const unknown = hosts?.find((host) => !AGENT_IDS.some((id) => id === host));
  if (unknown !== undefined) {
    const meant = findMeant(unknown, AGENT_IDS);
    return fail('CONFIG_INVALID', `unknown agent "${unknown}"`, { choose: meant === undefined ? AGENT_IDS : [meant] });
  }
  const top = projectRoot(given.cwd);
  if (project && top === (realPath(given.home) ?? given.home))
    return fail('CONFIG_INVALID', `${given.cwd} is your home, not a project`, { leaveOut: 'project' });
  const environment = project ? { ...given, cwd: top } : outsideProjects(given);
  const scope = project ? 'project' : 'user';
  return {
    ok: true,
    scope,
    environment,
    boundary: project ? top : undefined,
    manifestFile: manifestFile(given.agentHome, scope, top),
    hosts: hosts === undefined ? listPresent(environment, scope) : AGENT_IDS.filter((id) => hosts.includes(id)),
    names: skills,
    isCopying: copy || (project && !keepsLinks(top)),
    wishFor,
    admit,
    onWait,
  };
}

/** The hosts on this machine, and for a project those that have a folder in it. */
function listPresent(environment: Environment, scope: SyncScope): readonly HostId[] {
  const ofProject = scope === 'project' ? listProjectHosts(environment) : [];
  return HOST_IDS.filter((id) => isPresent(HOSTS[id], environment) || ofProject.includes(id));
}

/** The hosts that have a folder of their own in the project. */
export function listProjectHosts(environment: Environment): readonly HostId[] {
  const place = { ...environment, cwd: projectRoot(environment.cwd) };
  return HOST_IDS.filter((id) => hasFolder(place, HOSTS[id]));
}

/** Does the project have a folder of the host's own? Many have `.github` for other reasons, and `.agents` is everyone's. */
function hasFolder(environment: Environment, host: KnownHost): boolean {
  const own = host.roots(environment).filter(({ level, use }) => level === 'project' && use === 'private');
  return [...own.map(({ path }) => path), host.shownIn(environment, 'project')]
    .map(dirname)
    .some((dir) => !['.agents', '.github'].includes(basename(dir)) && exists(dir));
}
