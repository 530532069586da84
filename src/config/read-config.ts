import { dirname, join, resolve } from 'node:path';

import type { SkillsConfig, SkillsSection } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_CONFIG_BYTES, MAX_OWN_CONFIG_BYTES } from '../model/limits.ts';
import { expandPath, type Environment } from '../platform/environment.ts';
import { isAbsent, isInside, readOwnText, realPath } from '../platform/files/files.ts';
import { projectDirectories } from '../platform/project.ts';
import { laySettings, mergeSections, type ConfigLayer } from './merge.ts';
import { parseConfig, recoverConfig } from './parse-config.ts';
import { RETIRED_SETTINGS, settingNames, settingsTable } from './settings.ts';

/** The paths of the configuration; the files need not exist. */
export interface ConfigFiles {
  readonly user: string;
  /** Undefined if there is none between the working directory and the repository's root. */
  readonly project: string | undefined;
  /** Every file that would count if it existed. */
  readonly candidates: readonly string[];
}

export interface ConfigReading {
  readonly config: SkillsConfig;
  readonly files: ConfigFiles;
  /** The settings that each file gives itself; first the user's. */
  readonly layers: readonly ConfigLayer[];
  /**
   * Includes `CONFIG_INVALID` errors. One with a `field` is about the value of that setting, which `config` holds in its
   * strict reading; one without is about a whole file, which is read as far as it can be and is never written.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the user's configuration and lays the project's over it, then the settings of the program. Mistakes are reported, and the
 * files are left alone.
 */
export function readConfig(environment: Environment): ConfigReading {
  const files = findConfigFiles(environment);
  const context: ReadContext = { environment, diagnostics: [] };
  const user = readUserLayer(files.user, context);
  const project = files.project === undefined ? undefined : readProjectLayer(files.project, context);
  const merged = mergeSections(user, project ?? { section: {}, file: '' }, context);
  const layers = project === undefined ? [user] : [user, project];
  const config = layProgram(merged, layers, context);
  return { config, files, layers, diagnostics: context.diagnostics };
}

/** Lays the settings of the program over those of the files. A file that cannot be read may have any of them. */
function layProgram(merged: SkillsConfig, layers: readonly ConfigLayer[], context: ReadContext): SkillsConfig {
  const { environment, diagnostics } = context;
  const { settings } = environment;
  if (settings === undefined) return merged;
  const isUnreadable = diagnostics.some(({ code, field }) => code === 'CONFIG_INVALID' && field === undefined);
  return laySettings(merged, expandPaths(settings, { path: PROGRAM, base: environment.cwd }, context), {
    isSet: (name) => isUnreadable || layers.some(({ section }) => section[name] !== undefined),
    onIgnored(field) {
      const message = `config.${field} of a program can only be stricter than that of your configuration; it is ignored`;
      diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: PROGRAM, field, message });
    },
  });
}

interface ReadContext {
  readonly environment: Environment;
  readonly diagnostics: Diagnostic[];
}

export function userConfigFile({ agentHome }: Pick<Environment, 'agentHome'>): string {
  return join(agentHome, 'config.yaml');
}

function findConfigFiles(environment: Environment): ConfigFiles {
  const { cwd } = environment;
  const user = userConfigFile(environment);
  const projects = projectDirectories(cwd).map((dir) => join(dir, '.agent', 'config.yaml'));
  // An unreadable file is included, so that it is reported.
  const project = projects.find((file) => file !== user && !isAbsent(file) && !isSameFile(file, user));
  return { user, project, candidates: [user, ...projects] };
}

function isSameFile(file: string, other: string): boolean {
  const real = realPath(file);
  return real !== undefined && real === realPath(other);
}

function readUserLayer(file: string, context: ReadContext): ConfigLayer {
  const section = readSection(file, context);
  return { section: expandPaths(section, { path: file, base: dirname(file) }, context), file };
}

/** A project may name only folders inside itself: it must not show the user's variables or read their folders. */
function readProjectLayer(file: string, context: ReadContext): ConfigLayer {
  const section = readSection(file, context);
  const boundary = projectDirectories(context.environment.cwd).at(-1) ?? context.environment.cwd;
  const place = (path: string): readonly string[] => {
    const full = resolve(dirname(dirname(file)), path);
    if (!/^~|\$/.test(path) && isInside(full, boundary)) return [full];
    const message = `skills.customDirectories: ${path} is ignored: it is outside the project`;
    context.diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: file, message });
    return [];
  };
  return { section: { ...section, customDirectories: section.customDirectories?.flatMap(place) }, file };
}

/** Stands for the path of a file in diagnostics about settings in code. */
const PROGRAM = 'openSkills';

const PATHS = settingNames.filter((name) => ['path', 'list of paths'].includes(settingsTable[name].type.name));

interface SectionPlace {
  /** For diagnostics. */
  readonly path: string;
  /** Relative paths are resolved against it. */
  readonly base: string;
}

function expandPaths(section: SkillsSection, { path: file, base }: SectionPlace, context: ReadContext): SkillsSection {
  const expand = (path: string): readonly string[] => {
    const expanded = expandPath(path, context.environment, base);
    if (expanded.ok) return [expanded.path];
    context.diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: file, message: expanded.message });
    return [];
  };
  const expanded = PATHS.map((name) => {
    const given: unknown = section[name];
    if (Array.isArray(given)) return [name, given.map(String).flatMap(expand)];
    return [name, typeof given === 'string' ? expand(given)[0] : undefined];
  });
  return { ...section, ...Object.fromEntries(expanded) };
}

function readSection(file: string, { environment, diagnostics }: ReadContext): SkillsSection {
  const read = readOwnText(file);
  if (!read.ok) {
    diagnostics.push({ code: 'CONFIG_INVALID', severity: 'error', path: file, message: read.message });
    return {};
  }
  if (read.text === undefined) return {};
  const maxBytes = file === userConfigFile(environment) ? MAX_OWN_CONFIG_BYTES : MAX_CONFIG_BYTES;
  const parsed = parseConfig(read.text, maxBytes);
  const config = parsed.ok ? parsed : recoverConfig(read.text, maxBytes);
  if (!parsed.ok) {
    const rest = config === undefined ? 'defaults are used' : 'its other settings still apply';
    const message = `${parsed.message}; the file was not changed; ${rest}`;
    diagnostics.push({ code: 'CONFIG_INVALID', severity: 'error', path: file, line: parsed.line, message });
  }
  if (config === undefined) return {};
  for (const { setting: field, line, message } of config.faults)
    diagnostics.push({ code: 'CONFIG_INVALID', severity: 'error', path: file, line, field, message });
  for (const { key: field, line, nearest } of config.unknown) {
    const place = line === undefined ? {} : { line };
    const question = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const message = RETIRED_SETTINGS.includes(field)
      ? `skills.${field} is ignored: the setting no longer exists`
      : `unknown setting skills.${field}${question}`;
    diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: file, ...place, field, message });
  }
  return config.section;
}
