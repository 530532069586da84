import { openStore } from '../catalog/store.ts';
import { findConfigFile } from '../config/change-setting.ts';
import { editConfig, type ConfigEdit } from '../config/edit-config.ts';
import { editHostGlobs, isForHost } from '../config/host-globs.ts';
import { pluginName } from '../config/plugin-name.ts';
import type { PluginDefinition, SkillsSection } from '../model/config.ts';
import { HOST_IDS, type HostId } from '../model/host-id.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { findMatch } from '../parse/globs.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import { editToPrefer, findPreferable, listNamesakes } from './copies.ts';

export interface SwitchedSkill {
  readonly skill: Skill;
  readonly file: string;
  /** The settings that were changed; empty if the skill already was in this state. */
  readonly changed: readonly string[];
  /** Copies of the same name that it hides. */
  readonly others: readonly Skill[];
}

export interface SwitchOptions extends EnvironmentOptions {
  /** Change the project's configuration instead of the user's. */
  readonly project?: boolean | undefined;
}

export interface EnableOptions extends SwitchOptions {
  /** Enable the copy of this source, and let it have the name, as `prefer` does. */
  readonly from?: string | undefined;
}

export interface HostSwitchOptions extends SwitchOptions {
  /** The agent programs that shall see it, or shall not. */
  readonly hosts: readonly string[];
}

/**
 * Lets hosts see a skill, or keeps it from them, in the setting `hosts`. The skill itself stays enabled or disabled. `sync`
 * carries it out.
 */
export async function switchForHosts(
  name: string,
  isOn: boolean,
  { hosts, project = false, ...options }: HostSwitchOptions,
): Promise<Outcome<SwitchedSkill>> {
  const unknown = hosts.find((host) => !isHostId(host));
  if (unknown !== undefined)
    return fail('CONFIG_INVALID', `"${unknown}" is no host`, `Known are ${HOST_IDS.join(', ')}.`);
  await using store = await openStore(options);
  const found = store.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const file = findConfigFile(store.environment, project);
  if (!file.ok) return file;
  const ids = hosts.filter(isHostId);
  const edited = await editConfig(file, editHostGlobs(ids.map((host) => ({ name: skill.name, host, isOn }))));
  if (!edited.ok) return edited;
  const { config } = store.config();
  const still = ids.filter((id) => isForHost(skill.name, id, config) !== isOn);
  if (still.length > 0)
    return fail(
      'CONFIG_INVALID',
      `${still.join(', ')} still ${isOn ? 'does not see' : 'sees'} "${skill.name}": the ${project ? 'user' : 'project'}'s configuration says so`,
    );
  return { ok: true, skill, others: [], file: edited.path, changed: edited.changed };
}

function isHostId(host: string): host is HostId {
  return HOST_IDS.some((id) => id === host);
}

/** Switches a skill from any source on: lifts every rule in the configuration that keeps it off. */
export function enable(name: string, { from, ...options }: EnableOptions = {}): Promise<Outcome<SwitchedSkill>> {
  return change(name, options, { isOn: true, edit: editToEnable, from });
}

/** Switches a skill from any source off in the user's or the project's configuration. */
export function disable(name: string, options: SwitchOptions = {}): Promise<Outcome<SwitchedSkill>> {
  return change(name, options, { isOn: false, edit: editToDisable });
}

interface Switch {
  readonly isOn: boolean;
  readonly edit: (skill: Skill, project: boolean) => ConfigEdit;
  readonly from?: string | undefined;
}

async function change(
  name: string,
  { project = false, ...options }: SwitchOptions,
  { isOn, edit, from }: Switch,
): Promise<Outcome<SwitchedSkill>> {
  await using store = await openStore(options);
  const found = from === undefined ? store.find(name) : findPreferable(store, name, { from, project });
  if (!found.ok) return found;
  const file = findConfigFile(store.environment, project);
  const edited = file.ok
    ? await editConfig(file, (editor, now) => {
        if (from !== undefined) editToPrefer(found.skill)(editor, now);
        edit(found.skill, project)(editor, now);
      })
    : file;
  if (!edited.ok) return edited;
  await store.refresh();
  const after = listNamesakes(store, found.skill.name);
  if (!after.ok) return after;
  const [skill, ...others] = after.copies;
  const isChosen = from === undefined || skill.file === found.skill.file;
  if (skill.enabled === isOn && isChosen)
    return { ok: true, skill, others, file: edited.path, changed: edited.changed };
  const done = edited.changed.length === 0 ? '' : `; changed in ${edited.path}: ${edited.changed.join(', ')}`;
  const state = isChosen ? `${isOn ? 'off' : 'on'}: ${skill.reasons.join('; ')}` : `the copy in ${skill.file}`;
  return fail('CONFIG_INVALID', `"${skill.name}" is still ${state}${done}`);
}

function editToEnable({ id, name, source, defaultEnabled }: Skill, project: boolean): ConfigEdit {
  return (editor, { includeSkills = [], enabledBundled = [], plugins }) => {
    editor.remove('disabled', name);
    editor.remove('ignoredSkills', name);
    // Adding it to an empty list would switch every other skill off.
    if (includeSkills.length > 0 && findMatch(name, includeSkills) === undefined) editor.add('includeSkills', name);
    if (!defaultEnabled && !project) editor.add('enabledSkills', name);
    if (source === 'bundled') {
      editor.remove('disabledBundled', name);
      if (enabledBundled.length > 0) editor.add('enabledBundled', name);
    }
    const plugin = source === 'plugin' && !project ? findPlugin(id, plugins) : undefined;
    if (plugin !== undefined) editor.putPlugins([{ ...plugin, enabled: true }]);
  };
}

/** Bundled skills have their own list, plugins their own entry in the user's file; `disabled` holds all others. */
function editToDisable({ id, name, source, defaultEnabled }: Skill, project: boolean): ConfigEdit {
  return (editor, { plugins }) => {
    if (!defaultEnabled && !project) editor.remove('enabledSkills', name);
    const plugin = source === 'plugin' && !project ? findPlugin(id, plugins) : undefined;
    if (plugin !== undefined) editor.putPlugins([{ ...plugin, enabled: false }]);
    else editor.add(source === 'bundled' ? 'disabledBundled' : 'disabled', name);
  };
}

function findPlugin(id: string, plugins: SkillsSection['plugins'] = []): PluginDefinition | undefined {
  return plugins.find((plugin) => pluginName(plugin) === id);
}
