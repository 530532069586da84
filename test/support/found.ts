import { basename, dirname, join } from 'node:path';

import { buildCatalog, type Catalog } from '../../src/catalog/catalog.ts';
import type { ConfigReading } from '../../src/config/read-config.ts';
import type { SkillsConfig } from '../../src/model/config.ts';
import type { SourceRoot } from '../../src/model/source.ts';
import { parseSkill } from '../../src/parse/parse-skill.ts';
import { brokenSkill } from '../../src/sources/broken-skill.ts';
import { placeSkill } from '../../src/sources/place-skill.ts';
import type { FoundSkill } from '../../src/sources/scan.ts';
import { skillText } from './tree.ts';

/** A configuration with everything on, except for what is given. */
export function settings(given: Partial<SkillsConfig> = {}): SkillsConfig {
  return {
    enabled: true,
    auditFailOn: 'critical',
    agents: 'found',
    hosts: {},
    ranking: {},
    plugins: [],
    pluginsDir: '/home/.agent/plugins',
    userDir: '/home/.agent/skills',
    agentSkillsDir: '/home/.agent/skills',
    disabledBundled: [],
    enabledBundled: [],
    scriptTimeout: 60_000,
    customDirectories: [],
    ignoredSkills: [],
    includeSkills: [],
    disabledSources: [],
    enabledSources: [],
    npmPackages: [],
    privateHosts: [],
    enableSkillCommands: true,
    enableCommandFiles: true,
    maxSkills: 3,
    disabled: [],
    enabledSkills: [],
    pinned: [],
    preferred: {},
    usage: true,
    learn: false,
    likelyHints: false,
    sandbox: 'auto',
    project: {},
    ...given,
  };
}

/** The same as if it was read from no file. */
export function readingOf(given: Partial<SkillsConfig> = {}): ConfigReading {
  const files = { user: '/home/.agent/config.yaml', project: undefined, candidates: [] };
  return { config: settings(given), files, layers: [], diagnostics: [] };
}

export function sourceRoot(path: string, given: Partial<SourceRoot> = {}): SourceRoot {
  return {
    id: 'user',
    group: 'User',
    level: 'user',
    priority: 60,
    requireDescription: false,
    layout: 'skills',
    path,
    ordinal: 0,
    boundary: undefined,
    ...given,
  };
}

/** The stamp of skills that never were on disk. */
export const STAMP = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };

/** A skill as a scan finds it in `dir`; the path of its root is the directory's parent. */
export function foundSkill(
  dir: string,
  fields: Readonly<Record<string, unknown>> = {},
  root: Partial<SourceRoot> = {},
): FoundSkill {
  const parsed = parseSkill(skillText({ name: basename(dir), description: 'Does it.', ...fields }), { dir });
  if (!parsed.ok) throw new Error(parsed.message);
  const place = sourceRoot(dirname(dir), root);
  const { id: source, group, level } = place;
  return { skill: placeSkill(parsed.skill, { source, group, level }, STAMP), root: place, realDir: dir };
}

/** A folder whose SKILL.md cannot be parsed, as a scan finds it. */
export function brokenFind(dir: string, given: Partial<SourceRoot> = {}): FoundSkill {
  const root = sourceRoot(dirname(dir), given);
  const place = { id: basename(dir), dir, file: join(dir, 'SKILL.md') };
  const flaw = { code: 'PARSE_FAILED', severity: 'error', path: place.file, message: 'the file is empty' } as const;
  return { skill: brokenSkill(place, root, flaw), root, realDir: dir };
}

/** A catalog of these skills, in this order. Every command is installed unless `missing` names it. */
export function catalogOf(
  found: readonly FoundSkill[],
  given: Partial<SkillsConfig> = {},
  missing: readonly string[] = [],
): Catalog {
  const hasCommand = (name: string): boolean => !missing.includes(name);
  return buildCatalog({ found, roots: [], diagnostics: [], reading: readingOf(given), hasCommand });
}
