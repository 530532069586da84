import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { parseJson } from '../../model/json.ts';
import { isFile, listDirectory, readOwnText } from '../../platform/files/files.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { HostPlace } from '../host.ts';
import type { HostRoot } from '../seeing/host-skill.ts';
import { objectOf, readJsonSettings, type SettingsFile } from '../seeing/settings-file.ts';

/** The folder with the user's settings, skills and history. */
export function claudeFolder(place: HostPlace): string {
  return agentFolder('claude-code', place);
}

const MANAGED_FILES = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

/** The settings files, the strongest first: managed, local, project, user. */
export function readClaudeSettings(place: HostPlace): readonly SettingsFile[] {
  return [
    ...MANAGED_FILES,
    join(place.cwd, '.claude', 'settings.local.json'),
    join(place.cwd, '.claude', 'settings.json'),
    join(claudeFolder(place), 'settings.json'),
  ].map((path) => checkOverrides(readJsonSettings(path)));
}

/** Values of `skillOverrides`. */
const OVERRIDES: readonly string[] = ['on', 'name-only', 'user-invocable-only', 'off'];

/** One value that the program does not know, and it ignores the whole file. */
function checkOverrides(file: SettingsFile): SettingsFile {
  const { path, values } = file;
  const wrong = Object.entries(objectOf(values['skillOverrides'])).find(
    ([, value]) => typeof value !== 'string' || !OVERRIDES.includes(value),
  );
  if (wrong === undefined) return file;
  const [name, value] = wrong;
  const because = `${path}: skillOverrides["${name}"] is ${JSON.stringify(value)}, so Claude Code ignores the whole file`;
  return { path, values: {}, fault: { because, next: { advice: `Use one of ${OVERRIDES.join(', ')}.` } } };
}

/** The first file with a value for this key that passes, and the value. */
export function firstValue<T>(
  files: readonly SettingsFile[],
  key: string,
  isValid: (value: unknown) => value is T,
): T | undefined {
  return files.map(({ values }) => values[key]).find(isValid);
}

/** A plugin that Claude Code has installed. */
export interface ClaudePlugin {
  /** `plugin@marketplace`. */
  readonly id: string;
  readonly folder: string;
  readonly commit: string | undefined;
  /** The project that it is installed for; undefined for the user's. */
  readonly project: string | undefined;
}

export function installedPluginsFile(claude: string): string {
  return join(claude, 'plugins', 'installed_plugins.json');
}

/** Reads `installed_plugins.json` (version 2, seen in 2.1.325); undefined if it is no list of plugins. */
export function parseInstalledPlugins(text: string): readonly ClaudePlugin[] | undefined {
  const listed = valueAt(parseJson(text), 'plugins');
  if (typeof listed !== 'object' || listed === null) return undefined;
  return Object.entries(objectOf(listed)).flatMap(([id, copies]) =>
    (Array.isArray(copies) ? copies : [copies]).flatMap((copy: Json) => {
      const folder = textAt(copy, 'installPath');
      if (folder === undefined || !isAbsolute(folder)) return [];
      return [{ id, folder, commit: textAt(copy, 'gitCommitSha'), project: textAt(copy, 'projectPath') }];
    }),
  );
}

/** `enabledPlugins` of all settings files; the strongest file counts, the weakest gives the order. */
export function readEnabledPlugins(place: HostPlace): ReadonlyMap<string, boolean> {
  const files = readClaudeSettings(place).toReversed();
  return new Map(
    files.flatMap(({ values }) =>
      Object.entries(objectOf(values['enabledPlugins'])).map(([id, value]) => [id, value !== false] as const),
    ),
  );
}

/** A folder of a plugin's skills, which are called `plugin:skill`. */
export interface PluginRoot extends HostRoot {
  readonly plugin: string;
  /** The only skill that counts there, if the manifest names one. */
  readonly only?: string | undefined;
}

/** The folders of the plugins that are on, then those of folders in the user's skills that are plugins themselves. */
export function pluginRoots(place: HostPlace): readonly PluginRoot[] {
  const claude = claudeFolder(place);
  const read = readOwnText(installedPluginsFile(claude));
  const installed = (read.ok && read.text !== undefined ? parseInstalledPlugins(read.text) : undefined) ?? [];
  const enabled = [...readEnabledPlugins(place)].flatMap(([id, isOn]) => {
    const copies = isOn ? installed.filter((each) => each.id === id) : [];
    const copy =
      copies.find(({ project }) => project === place.cwd) ?? copies.find(({ project }) => project === undefined);
    return copy === undefined ? [] : rootsOf(copy.folder, id.replace(/@[^@]*$/, ''));
  });
  return [...enabled, ...findSkillsThatArePlugins(join(claude, 'skills'))];
}

function findSkillsThatArePlugins(folder: string): readonly PluginRoot[] {
  const listing = listDirectory(folder);
  if (listing.state !== 'listed') return [];
  return listing.entries
    .map(({ name }) => join(folder, name))
    .filter((dir) => readManifest(dir) !== undefined)
    .flatMap((dir) => rootsOf(dir, basename(dir)));
}

/** Its folder `skills`, and those that its manifest adds. */
function rootsOf(dir: string, id: string): readonly PluginRoot[] {
  const manifest = readManifest(dir);
  const plugin = textAt(manifest, 'name') ?? id;
  const one = textAt(manifest, 'skills');
  const more = (one === undefined ? itemsAt(manifest, 'skills') : [one]).filter((path) => typeof path === 'string');
  return ['skills', ...more]
    .map((path) => resolve(dir, path))
    .map((path): PluginRoot => {
      const root = { level: 'plugin', use: 'host', plugin } as const;
      const isSkill = isFile(join(path, 'SKILL.md'));
      return isSkill ? { ...root, path: dirname(path), only: basename(path) } : { ...root, path };
    });
}

function readManifest(dir: string): Json {
  const read = readOwnText(join(dir, '.claude-plugin', 'plugin.json'));
  const manifest = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
  return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
}
