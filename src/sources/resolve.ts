import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { SourceRoot } from '../model/source.ts';
import type { Environment } from '../platform/environment.ts';
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
  const custom = config.customDirectories
    .map((directory, index) => ({ ...customSource(index, directory.level), path: directory.path }))
    .filter((source) => !isNamed(source.id, config.disabledSources));
  const everywhere = sourceTable.map((row) => ({ row, roots: place(row, config, environment) }));
  // With the home directory as a project, its folders are still the user's own and not a project's.
  const own = new Set(
    everywhere.filter(({ row }) => row.level !== 'project').flatMap(({ roots }) => roots.map((root) => root.path)),
  );
  const placed = everywhere.filter(({ row }) => isOn(row)).flatMap(({ roots }) => roots);
  const projectRoot = projectDirectories(environment.cwd).at(-1);
  const roots = [
    ...placed.filter((root) => root.level !== 'project' || !own.has(root.path)),
    ...custom.map((source): SourceRoot => ({
      ...source,
      ordinal: 0,
      boundary: source.level === 'project' ? projectRoot : undefined,
    })),
  ];
  return {
    roots: roots.sort((a, b) => b.priority - a.priority),
    off: everywhere.filter(({ row }) => !isOn(row)).flatMap(({ roots }) => roots),
    diagnostics: reportUnknown(config),
  };
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

function reportUnknown(config: SkillsConfig): readonly Diagnostic[] {
  const known = [...sourceTable.map((row) => row.id), ...config.customDirectories.map((_, index) => `custom:${index}`)];
  return [...config.disabledSources, ...config.enabledSources]
    .filter((name) => !known.some((id) => isNamed(id, [name])))
    .map((name) => ({
      code: 'CONFIG_IGNORED',
      severity: 'warning',
      path: 'config.yaml',
      field: 'disabledSources',
      message: `"${name}" is no source; there are ${sourceTable.map((row) => row.id).join(', ')}`,
    }));
}
