import { basename, join, relative, resolve } from 'node:path';

import { isSourceNamed } from '../config/source-names.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { once } from '../model/once.ts';
import type { SourceRoot } from '../model/source.ts';
import { expandPath, type Environment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';
import { INSTALL_BESIDE, packageFile, packageFolder } from '../platform/package-file.ts';
import { projectDirectories } from '../platform/project.ts';
import { placePackages } from './npm-roots.ts';
import { agentWritten, customSource, placeAtHome, sourceTable, type SourceRow } from './table.ts';

export interface ResolvedSources {
  /** Every directory to scan, existing or not, highest priority first. */
  readonly roots: readonly SourceRoot[];
  /** Directories of the sources that are off, by default or by configuration. */
  readonly off: readonly SourceRoot[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Resolves the table of places to directories on this machine. */
export function resolveSources(config: SkillsConfig, environment: Environment): ResolvedSources {
  const projects = projectDirectories(environment.cwd);
  const isOn = ({ id, isDefault }: SourceRow): boolean =>
    !isSourceNamed(id, config.disabledSources) && (isDefault || isSourceNamed(id, config.enabledSources));
  const own = findOwnPlaces(projects, { config, environment });
  const rootsOf = (rows: readonly SourceRow[]): readonly SourceRoot[] =>
    rows
      .flatMap((row) => place(row, projects, { config, environment }))
      .filter(({ level, path }) => level !== 'project' || !own.has(path));
  const custom = placeCustom(config, projects).filter((root) => !isSourceNamed(root.id, config.disabledSources));
  return {
    roots: [...rootsOf(sourceTable.filter(isOn)), ...custom].sort((a, b) => b.priority - a.priority),
    off: rootsOf(sourceTable.filter((row) => !isOn(row))),
    diagnostics: [...reportUnknown(config, environment), ...reportMissingPackage(config)],
  };
}

/** Source roots for directories that a caller names, in place of the table. The first has the highest precedence. */
export function directoryRoots(
  dirs: readonly string[],
  environment: Environment,
  idOf: (index: number) => string = (index) => `custom:${index}`,
): readonly SourceRoot[] {
  return dirs.map((dir, index) => {
    const expanded = expandPath(dir, environment, environment.cwd);
    const path = expanded.ok ? expanded.path : resolve(environment.cwd, dir);
    const source = { ...customSource(index, 'user'), id: idOf(index), group: basename(path) };
    return { ...source, path, ordinal: index, boundary: undefined, isNamed: true };
  });
}

/** The folder to which one agent writes, whatever the configuration says. It may not exist yet. */
export function agentFolderRoot(dir: string, environment: Environment): SourceRoot {
  const expanded = expandPath(dir, environment, environment.cwd);
  const path = expanded.ok ? expanded.path : resolve(environment.cwd, dir);
  return { ...agentWritten, path, ordinal: 0, boundary: undefined };
}

/** Directory of the skills that ship with this package. */
export const bundledDirectory: () => string = once(() => packageFile('bundled-skills'));

interface Surroundings {
  readonly config: SkillsConfig;
  readonly environment: Environment;
}

function place(
  row: SourceRow,
  projects: readonly string[],
  { config, environment }: Surroundings,
): readonly SourceRoot[] {
  const { place: template, isDefault: _, agent: __, ...source } = row;
  const at = (path: string): readonly SourceRoot[] => [{ ...source, path, ordinal: 0, boundary: undefined }];
  if (template === '{pluginsDir}') return at(config.pluginsDir);
  if (template === '{userDir}') return at(config.userDir);
  // By default agents write to the user's own directory, which is in the list already.
  if (template === '{agentSkillsDir}') return config.agentSkillsDir === config.userDir ? [] : at(config.agentSkillsDir);
  if (template === '{bundled}') return at(bundledDirectory());
  if (template.endsWith('{npmPackages}')) return placePackages(source, projects, config.npmPackages);
  if (template.startsWith('~/')) return at(placeAtHome(row, environment));
  const boundary = projects.at(-1);
  return projects.map((dir, ordinal) => ({ ...source, path: join(dir, template), ordinal, boundary }));
}

/** The user's own folders. They stay the user's even if the project is the home directory. */
function findOwnPlaces(projects: readonly string[], { config, environment }: Surroundings): ReadonlySet<string> {
  const { home } = environment;
  const rows = sourceTable.filter(({ place: template }) => template.startsWith('~/'));
  const own = [
    config.userDir,
    // Where `userDir` is by default: moved away, it does not become a project's.
    join(environment.agentHome, 'skills'),
    config.agentSkillsDir,
    config.pluginsDir,
    ...rows.flatMap((row) => [join(home, row.place.slice(2)), placeAtHome(row, environment)]),
  ];
  const realHome = realPath(home);
  const otherSpellings = projects.filter((dir) => dir !== home && realPath(dir) === realHome);
  return new Set([...own, ...otherSpellings.flatMap((dir) => own.map((path) => join(dir, relative(home, path))))]);
}

function placeCustom({ customDirectories }: SkillsConfig, projects: readonly string[]): readonly SourceRoot[] {
  return customDirectories.map(({ path, level }, index) => {
    const boundary = level === 'project' ? projects.at(-1) : undefined;
    return { ...customSource(index, level), path, ordinal: 0, boundary };
  });
}

/** Only in a bundle: its own skills are files that a bundler leaves behind. */
function reportMissingPackage({ disabledSources }: SkillsConfig): readonly Diagnostic[] {
  if (packageFolder() !== undefined || isSourceNamed('bundled', disabledSources)) return [];
  const message = `The skills that Skillplane ships are missing: this is a bundle, and they are files of its package. ${INSTALL_BESIDE}, or disable the source "bundled".`;
  return [{ code: 'PATH_NOT_FOUND', severity: 'warning', path: bundledDirectory(), message }];
}

function reportUnknown(config: SkillsConfig, { agentHome }: Environment): readonly Diagnostic[] {
  const ids = sourceTable.map((row) => row.id);
  const custom = config.customDirectories.map((_, index) => `custom:${index}`);
  const { disabledSources, enabledSources, preferred } = config;
  const named = { disabledSources, enabledSources, preferred: [...new Set(Object.values(preferred))] };
  return Object.entries(named).flatMap(([field, names]) =>
    names
      .filter((name) => ![...ids, ...custom].some((id) => isSourceNamed(id, [name])))
      .map((name): Diagnostic => {
        const message = `unknown source "${name}" in ${field}; available: ${ids.join(', ')}`;
        return { code: 'CONFIG_IGNORED', severity: 'warning', path: join(agentHome, 'config.yaml'), field, message };
      }),
  );
}
