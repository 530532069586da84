import { dirname, join, relative, resolve } from 'node:path';

import { LOCK_NAME } from '../config/lock-file.ts';
import { readConfig, userConfigFile } from '../config/read-config.ts';
import type { AuditLimit, PluginDefinition, SkillsConfig } from '../model/config.ts';
import { PROJECT_SKILLS, type LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { exists, isInside, isTaken, realPath } from '../platform/files/files.ts';
import { finishPendingChanges, pendingFolder } from '../platform/files/pending-changes.ts';
import type { WorkFolder } from '../platform/files/work-folder.ts';
import { projectDirectories } from '../platform/project.ts';
import { openOwnAddresses, type IsOwnAddress } from './origins/own-addresses.ts';

/** `user`: for this user, in every project. `project`: in the project, for everyone who works in it. */
export type InstallScope = 'user' | 'project';

/** Where skills are installed, and the files that record them. */
export interface InstallPlace {
  readonly scope: InstallScope;
  /** The folder that holds one folder per skill. New skills go there. */
  readonly root: string;
  /** The folder used by earlier versions: a project's `.agent/skills`. Files are also staged there. */
  readonly earlierRoot: string;
  readonly lockFile: string;
  /** The `config.yaml` that lists plugins; undefined for a project, whose configuration must not list any. */
  readonly configFile: string | undefined;
  /** The root must stay inside this folder. */
  readonly boundary: string | undefined;
  /** The folder that the lock records for new skills. */
  readonly folder: LockedSkill['folder'];
  /** The source of new skills in the catalog. */
  readonly source: 'plugin' | 'project' | 'agents-project';
}

/** The same place, with new skills where earlier versions put them. */
export function earlierPlace(place: InstallPlace): InstallPlace {
  if (place.scope === 'user') return place;
  return { ...place, root: place.earlierRoot, folder: undefined, source: 'project' };
}

/** The folder of a skill: where its entry in the lock says, or that of a new one. */
export function skillDirectory(
  { root, earlierRoot }: InstallPlace,
  name: string,
  locked: Pick<LockedSkill, 'folder'> | undefined,
): string {
  return join(locked === undefined || locked.folder !== undefined ? root : earlierRoot, name);
}

/** How long to wait for another process, which may be installing hundreds of skills. */
export const INSTALL_PATIENCE: { readonly patienceMs: number } = { patienceMs: 120_000 };

/** The files that record what is installed, in the order in which they are locked. */
export function accountFiles({ lockFile, configFile }: InstallPlace): readonly string[] {
  return configFile === undefined ? [lockFile] : [lockFile, configFile];
}

/** Folders in which a killed process may have left parts of a change. */
export function listChanged(place: InstallPlace, { dir }: WorkFolder, agentHome: string): ReadonlySet<string> {
  const folders = accountFiles(place).map((file) => dirname(realPath(file) ?? file));
  return new Set([...folders, dir, pendingFolder(agentHome)]);
}

/** A place, with the settings that installing there needs. */
export interface OpenedPlace {
  readonly place: InstallPlace;
  /** The skills that the configuration lists. */
  readonly plugins: readonly PluginDefinition[];
  /** The setting `auditFailOn`. */
  readonly failOn: AuditLimit;
  /** For addresses that no person typed, because a file of a project or of another tool names them. */
  readonly isOwnAddress: IsOwnAddress;
}

/**
 * Finds the place of a scope, after finishing the changes that killed processes left. Fails if the user's configuration does not
 * say which skills are installed, or where.
 */
export async function openPlace(
  environment: Environment,
  scope: InstallScope,
  onWait?: (message: string) => void,
): Promise<Outcome<OpenedPlace>> {
  const finished = await finishPendingChanges(environment.agentHome, { ...INSTALL_PATIENCE, onWait });
  if (!finished.ok) return finished;
  const { config, diagnostics } = readConfig(environment);
  const own = userConfigFile(environment);
  const wrong = diagnostics.filter(
    ({ code, path, field = 'plugins' }) =>
      code === 'CONFIG_INVALID' && path === own && (field === 'plugins' || field === 'pluginsDir'),
  );
  const reasons = wrong.map(({ line, message }) => `${line === undefined ? own : `${own}:${line}`}: ${message}`);
  if (wrong.length > 0) return fail('CONFIG_INVALID', reasons.join('; '), { edit: own });
  const found = findInstallPlace({ environment, config, scope });
  if (!found.ok) return found;
  const plugins = scope === 'user' ? config.plugins : [];
  const isOwnAddress = openOwnAddresses(environment, config.privateHosts);
  return { ok: true, place: found.place, plugins, failOn: config.auditFailOn, isOwnAddress };
}

/** The scopes available here, the project first; the home directory is not a project. */
export function listScopes(options: EnvironmentOptions = {}): readonly InstallScope[] {
  return findProject(readEnvironment(options)).isHome ? ['user'] : ['project', 'user'];
}

/** The project of the working directory, which is the closest folder with skills of ours, and the folder of ours in it. */
function findProject({ cwd, agentHome }: Environment): Readonly<{ project: string; dir: string; isHome: boolean }> {
  const projects = projectDirectories(cwd);
  const isOurs = (one: string): boolean => exists(join(one, '.agent')) || exists(join(one, PROJECT_SKILLS));
  const project = projects.find(isOurs) ?? projects.at(-1) ?? cwd;
  const dir = join(project, '.agent');
  const isHome = dir === agentHome || (realPath(dir) ?? dir) === realPath(agentHome);
  return { project, dir, isHome };
}

export interface PlaceOptions {
  readonly environment: Environment;
  readonly config: SkillsConfig;
  readonly scope: InstallScope;
}

export function findInstallPlace({
  environment,
  config,
  scope,
}: PlaceOptions): Outcome<{ readonly place: InstallPlace }> {
  if (scope === 'user') return { ok: true, place: userPlace(environment, config) };
  const { project, dir, isHome } = findProject(environment);
  if (isHome) return fail('INSTALL_FAILED', `${project} is your home, not a project`, { leaveOut: 'project' });
  const root = join(project, PROJECT_SKILLS);
  const [earlierRoot, lockFile] = [join(dir, 'skills'), join(dir, LOCK_NAME)];
  const outside = [dir, earlierRoot, lockFile, dirname(root), root].find((path) => leadsOut(path, project));
  if (outside !== undefined)
    return fail('PATH_REFUSED', `${outside} is a link that leaves the project`, { moveAway: outside });
  return {
    ok: true,
    place: {
      scope,
      root,
      earlierRoot,
      lockFile,
      configFile: undefined,
      boundary: project,
      folder: PROJECT_SKILLS,
      source: 'agents-project',
    },
  };
}

/** A project's files are not ours: through a link we would write outside the project. */
function leadsOut(path: string, project: string): boolean {
  if (!isTaken(path)) return false;
  const real = realPath(path);
  const realProject = realPath(project) ?? project;
  return real === undefined || real === realProject || !isInside(real, realProject);
}

function userPlace(environment: Environment, { pluginsDir }: SkillsConfig): InstallPlace {
  return {
    scope: 'user',
    root: pluginsDir,
    earlierRoot: pluginsDir,
    lockFile: join(environment.agentHome, LOCK_NAME),
    configFile: userConfigFile(environment),
    boundary: undefined,
    folder: undefined,
    source: 'plugin',
  };
}

/** A directory as the lock records it: relative to the project if it is inside, so that it works on every machine. */
export function recordDirectory(path: string, { boundary }: InstallPlace): string {
  const real = realPath(path) ?? path;
  const base = boundary === undefined ? undefined : (realPath(boundary) ?? boundary);
  if (base === undefined || !isInside(real, base)) return real;
  return `./${relative(base, real)}`;
}

/** Turns a recorded directory into a path on this machine; fails if it leaves the project. */
export function resolveDirectory(url: string, place: InstallPlace): Outcome<{ readonly path: string }> {
  const path = resolve(place.boundary ?? dirname(place.lockFile), url);
  return place.boundary === undefined || recordDirectory(path, place).startsWith('./')
    ? { ok: true, path }
    : fail('PATH_REFUSED', `${url} in ${place.lockFile} leaves the project`);
}
