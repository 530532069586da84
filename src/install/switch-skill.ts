import { openCatalog } from '../catalog/open-catalog.ts';
import { editConfig, type ConfigEdit } from '../config/edit-config.ts';
import { pluginName } from '../config/plugin-name.ts';
import { userConfigFile } from '../config/read-config.ts';
import type { PluginDefinition, SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { findMatch } from '../parse/globs.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';

export interface SwitchedSkill {
  readonly skill: Skill;
  readonly file: string;
  /** The settings that were changed; empty where it was so already. */
  readonly changed: readonly string[];
}

/** Switches a skill of any source on or off in the user's configuration, and says what that took. */
export async function switchSkill(
  name: string,
  isOn: boolean,
  options: EnvironmentOptions = {},
): Promise<Outcome<SwitchedSkill>> {
  await using catalog = await openCatalog(options);
  const { environment } = catalog;
  const found = catalog.find(name);
  if (!found.ok) return found;
  const edited = await editConfig(userConfigFile(environment), (isOn ? enableSkill : disableSkill)(found.skill));
  if (!edited.ok) return edited;
  await catalog.refresh();
  const after = catalog.find(found.skill.name);
  if (!after.ok) return after;
  const { skill } = after;
  if (skill.enabled === isOn) return { ok: true, skill, file: edited.path, changed: edited.changed };
  const done = edited.changed.length === 0 ? '' : `; in ${edited.path} was changed: ${edited.changed.join(', ')}`;
  return fail('CONFIG_INVALID', `"${skill.name}" is still ${isOn ? 'off' : 'on'}: ${skill.reasons.join('; ')}${done}`);
}

type Switched = Pick<Skill, 'id' | 'name' | 'source' | 'defaultEnabled'>;

/** What makes a skill usable in a `config.yaml`: every rule against it that can be taken back is. */
function enableSkill({ id, name, source, defaultEnabled }: Switched): ConfigEdit {
  return (editor, { includeSkills = [], enabledBundled = [], plugins }) => {
    editor.remove('disabled', name);
    editor.remove('ignoredSkills', name);
    // In a list that is empty it would be the only one that counts.
    if (includeSkills.length > 0 && findMatch(name, includeSkills) === undefined) editor.add('includeSkills', name);
    if (!defaultEnabled) editor.add('enabledSkills', name);
    if (source === 'bundled') {
      editor.remove('disabledBundled', name);
      if (enabledBundled.length > 0) editor.add('enabledBundled', name);
    }
    const plugin = source === 'plugin' ? findPlugin(id, plugins) : undefined;
    if (plugin !== undefined) editor.putPlugin({ ...plugin, enabled: true });
  };
}

/** What switches a skill off: bundled ones by their list, plugins by their entry, any other by `disabled`. */
function disableSkill({ id, name, source, defaultEnabled }: Switched): ConfigEdit {
  return (editor, { plugins }) => {
    if (!defaultEnabled) editor.remove('enabledSkills', name);
    const plugin = source === 'plugin' ? findPlugin(id, plugins) : undefined;
    if (plugin !== undefined) editor.putPlugin({ ...plugin, enabled: false });
    else editor.add(source === 'bundled' ? 'disabledBundled' : 'disabled', name);
  };
}

function findPlugin(id: string, plugins: SkillsSection['plugins'] = []): PluginDefinition | undefined {
  return plugins.find((plugin) => pluginName(plugin) === id);
}
