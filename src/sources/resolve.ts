import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { SourceRoot } from '../model/source.ts';
import type { Environment } from '../platform/environment.ts';
import { realPath } from '../platform/files.ts';
import { projectDirectories } from '../platform/project.ts';
import { findMatch } from './globs.ts';
import { customSource, sourceTable, type SourceRow } from './table.ts';

export interface ResolvedSources {
  /** Every directory to look into, whether or not it exists; highest priority first. */
  readonly roots: readonly SourceRoot[];
  /** The same of the sources that are switched off, by default or by the configuration. */
  readonly off: readonly SourceRoot[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The table of places, made into directories of this machine by the configuration. */
export function resolveSources(config: SkillsConfig, environment: Environment): ResolvedSources {
  const isOn = (row: SourceRow): boolean =>
    !isNamed(row.id, config.disabledSources) && (row.isDefault || isNamed(row.id, config.enabledSources));
  const everywhere = sourceTable.map((row) => ({ row, roots: place(row, config, environment) }));
  // With the home directory as a project, its folders are still the user's own and not a project's.
  const own = new Set(
    everywhere
      .filter(({ row }) => row.level !== 'project')
      .flatMap(({ roots }) => roots.map(({ path }) => followed(path))),
  );
  const placed = everywhere.filter(({ row }) => isOn(row)).flatMap(({ roots }) => roots);
  const custom = placeCustom(config, environment).filter((root) => !isNamed(root.id, config.disabledSources));
  const roots = [...placed.filter((root) => root.level !== 'project' || !own.has(followed(root.path))), ...custom];
  return {
    roots: roots.sort((a, b) => b.priority - a.priority),
    off: everywhere.filter(({ row }) => !isOn(row)).flatMap(({ roots }) => roots),
    diagnostics: reportUnknown(config, environment),
  };
}

/** The path without links, as far as it exists. */
function followed(path: string): string {
  return (
    realPath(path) ?? join(realPath(dirname(dirname(path))) ?? dirname(dirname(path)), ...path.split(sep).slice(-2))
  );
}

/** The skills that ship with this package. */
export const bundledDirectory: string = fileURLToPath(new URL('../../bundled-skills', import.meta.url));

/** A name means a source (`claude-user`), all of an agent's (`claude`), or fits as a glob (`*-project`). */
function isNamed(id: string, names: readonly string[]): boolean {
  return (
    names.some((name) => id.startsWith(`${name}-`) || id.startsWith(`${name}:`)) || findMatch(id, names) !== undefined
  );
}

function place(row: SourceRow, config: SkillsConfig, environment: Environment): readonly SourceRoot[] {
  const { place: template, isDefault: _, ...source } = row;
  const at = (path: string): readonly SourceRoot[] => [{ ...source, path, ordinal: 0, boundary: undefined }];
  if (template === '{pluginsDir}') return at(config.pluginsDir);
  if (template === '{userDir}') return at(config.userDir);
  if (template === '{bundled}') return at(bundledDirectory);
  if (template.startsWith('~/')) return at(join(environment.home, template.slice(2)));
  const projects = projectDirectories(environment.cwd);
  const boundary = projects.at(-1);
  return projects.map((dir, ordinal) => ({ ...source, path: join(dir, template), ordinal, boundary }));
}

function placeCustom({ customDirectories }: SkillsConfig, { cwd }: Environment): readonly SourceRoot[] {
  const projectRoot = projectDirectories(cwd).at(-1);
  return customDirectories.map(({ path, level }, index) => {
    const boundary = level === 'project' ? projectRoot : undefined;
    return { ...customSource(index, level), path, ordinal: 0, boundary };
  });
}

function reportUnknown(config: SkillsConfig, { agentHome }: Environment): readonly Diagnostic[] {
  const ids = sourceTable.map((row) => row.id);
  const custom = config.customDirectories.map((_, index) => `custom:${index}`);
  return (['disabledSources', 'enabledSources'] as const).flatMap((field) =>
    config[field]
      .filter((name) => ![...ids, ...custom].some((id) => isNamed(id, [name])))
      .map((name): Diagnostic => {
        const message = `"${name}" in ${field} is no source; there are ${ids.join(', ')}`;
        return { code: 'CONFIG_IGNORED', severity: 'warning', path: join(agentHome, 'config.yaml'), field, message };
      }),
  );
}
