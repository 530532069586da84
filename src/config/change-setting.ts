import { dirname, join } from 'node:path';

import type { SkillsConfig } from '../model/config.ts';
import { MAX_OWN_CONFIG_BYTES } from '../model/limits.ts';
import { findMeant } from '../model/nearest.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readPlainYaml } from '../parse/yaml/plain-yaml.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { isInside, isTaken, realPath } from '../platform/files/files.ts';
import { projectDirectories } from '../platform/project.ts';
import { editConfig, type ConfigFile, type EditedConfig } from './edit-config.ts';
import { readConfig, userConfigFile } from './read-config.ts';
import type { SettingType } from './setting-types.ts';
import {
  isSetting,
  settingNames,
  settingsTable,
  type Setting,
  type SettingName,
  type SettingValue,
} from './settings.ts';

/** A setting as it counts now. */
export interface SettingState {
  readonly name: SettingName;
  /** For people, such as `list of names`. */
  readonly type: string;
  readonly description: string;
  readonly value: unknown;
  readonly default: unknown;
  /** The files that set it; empty if the default counts. */
  readonly files: readonly string[];
}

export interface SettingsReading {
  readonly settings: readonly SettingState[];
  /** Where the user's and the project's settings are written, whether the files exist or not. */
  readonly files: { readonly user: string; readonly project: string };
}

/** Every setting with its value and where that comes from. */
export async function readSettings(options: EnvironmentOptions = {}): Promise<SettingsReading> {
  const environment = readEnvironment(options);
  const { config, files, layers, diagnostics } = readConfig(environment);
  const settings = settingNames.map((name): SettingState => {
    const { type, description, default: initial }: Setting = settingsTable[name];
    const isIgnored = (path: string): boolean =>
      diagnostics.some((one) => one.code === 'CONFIG_IGNORED' && one.path === path && one.field === name);
    const from = layers
      .filter(({ file, section }) => section[name] !== undefined && !isIgnored(file))
      .map(({ file }) => file);
    return { name, type: type.name, description, value: shownValue(name, config), default: initial, files: from };
  });
  return { settings, files: { user: files.user, project: files.project ?? projectConfigFile(environment) } };
}

/** The key of a model is never shown. */
function shownValue(name: SettingName, config: SkillsConfig): unknown {
  if (name === 'preferred') return { ...config.project.preferred, ...config.preferred };
  const { embeddings } = config.ranking;
  if (name !== 'ranking' || embeddings?.key === undefined || embeddings.key.startsWith('$')) return config[name];
  return { ...config.ranking, embeddings: { ...embeddings, key: '(hidden)' } };
}

/** One setting with its value. */
export async function readSetting(
  name: string,
  options: EnvironmentOptions = {},
): Promise<Outcome<{ readonly setting: SettingState }>> {
  const { settings } = await readSettings(options);
  const setting = settings.find((candidate) => candidate.name === name);
  return setting === undefined ? unknownSetting(name) : { ok: true, setting };
}

/** A change to a setting. Text is read as the setting's type says: `true`, `60s`, `a,b`. */
export type SettingChange =
  | { readonly kind: 'set' | 'add' | 'remove'; readonly setting: string; readonly text: string }
  | { readonly kind: 'unset'; readonly setting: string };

export interface ChangeSettingOptions extends EnvironmentOptions {
  /** Change the project's file instead of the user's. */
  readonly project?: boolean | undefined;
}

/** Changes one setting in the user's or the project's file, and keeps its comments. */
export async function changeSetting(
  change: SettingChange,
  { project = false, ...options }: ChangeSettingOptions = {},
): Promise<Outcome<EditedConfig>> {
  const { setting } = change;
  if (!isSetting(setting)) return unknownSetting(setting);
  if (setting === 'plugins')
    return fail('CONFIG_INVALID', '`plugins` lists what is installed', {
      either: [{ do: 'install' }, { do: 'remove' }],
    });
  const rule = settingsTable[setting];
  if (project && rule.project === 'ignored')
    return fail('CONFIG_INVALID', `${setting} applies only in your own config.yaml, not in a project's`);
  const found = findConfigFile(readEnvironment(options), project);
  if (!found.ok) return found;
  if (change.kind === 'unset') return editConfig(found, (editor) => editor.set(setting, undefined));
  if (change.kind !== 'set' && rule.type.form !== 'list')
    return fail('CONFIG_INVALID', `${setting} is not a list`, notAList(setting));
  const read = readValue(setting, change.text);
  if (!read.ok) return read;
  const items = Array.isArray(read.value) ? read.value.map(String) : [];
  return editConfig(found, (editor) => {
    if (change.kind === 'add') for (const item of items) editor.add(setting, item);
    else if (change.kind === 'remove') for (const item of items) editor.remove(setting, item);
    else editor.set(setting, read.value);
  });
}

function notAList(setting: SettingName): NextStep {
  if (setting === 'hosts') return { either: [{ do: 'enable' }, { do: 'disable' }] };
  return setting === 'preferred' ? { do: 'prefer' } : { advice: 'Set it to one value instead.' };
}

/** The path of the user's or the project's file, which is made if there is none: for an editor. */
export async function prepareConfig({ project = false, ...options }: ChangeSettingOptions = {}): Promise<
  Outcome<{ readonly path: string }>
> {
  const found = findConfigFile(readEnvironment(options), project);
  if (!found.ok) return found;
  return isTaken(found.file) ? { ok: true, path: found.file } : editConfig(found, () => undefined);
}

/** The `config.yaml` of the user or of the project. */
export function findConfigFile(environment: Environment, project: boolean): Outcome<ConfigFile> {
  return project ? findProjectConfig(environment) : { ok: true, file: userConfigFile(environment), isUsers: true };
}

function unknownSetting(name: string): Outcome<never> {
  const meant = findMeant(name, settingNames);
  const next: NextStep = meant === undefined ? { do: 'config' } : { choose: [meant] };
  return fail('CONFIG_INVALID', `unknown setting "${name}"`, next);
}

/** Fails if it is a link: a clone could lead us to any file. */
function findProjectConfig(environment: Environment): Outcome<ConfigFile> {
  const directories = projectDirectories(environment.cwd);
  const dir = directories.find((one) => isTaken(join(one, '.agent', 'config.yaml'))) ?? directories.at(-1);
  const project = dir ?? environment.cwd;
  const file = join(project, '.agent', 'config.yaml');
  const folder = realPath(dirname(file));
  if (file === userConfigFile(environment) || (folder !== undefined && folder === realPath(environment.agentHome)))
    return fail('CONFIG_INVALID', `${project} is your home directory, not a project`);
  const [real, top] = [realPath(isTaken(file) ? file : dirname(file)), realPath(project) ?? project];
  return isTaken(dirname(file)) && (real === undefined || real === top || !isInside(real, top))
    ? fail('PATH_REFUSED', `${file} is a link to a place outside the project`, { moveAway: file })
    : { ok: true, file, isUsers: false };
}

function projectConfigFile({ cwd }: Environment): string {
  return join(projectDirectories(cwd).at(-1) ?? cwd, '.agent', 'config.yaml');
}

/** The value as it is written to the file; undefined for an empty one, which removes the setting. */
function readValue<Name extends SettingName>(
  setting: Name,
  text: string,
): Outcome<{ readonly value: SettingValue<Name> | undefined }> {
  const { type } = settingsTable[setting];
  const value = readForm(type.form, text);
  if (value === undefined || value === null) return { ok: true, value: undefined };
  const checked = type.check(value);
  return checked.ok ? checked : fail('CONFIG_INVALID', `${setting} ${checked.faults[0].message}, not "${text}"`);
}

function readForm(form: SettingType<unknown>['form'], text: string): unknown {
  if (form === 'text') return text;
  if (form === 'list' && !text.trim().startsWith('['))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const parsed = readPlainYaml(text, MAX_OWN_CONFIG_BYTES);
  return parsed.ok ? parsed.value : text;
}
