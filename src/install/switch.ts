import { failBroken, isBroken } from '../catalog/broken.ts';
import { openStore, type SkillStore } from '../catalog/store.ts';
import { findConfigFile } from '../config/change-setting.ts';
import type { ConfigEditor } from '../config/config-editor.ts';
import { editConfig } from '../config/edit-config.ts';
import { pluginName } from '../config/plugin-name.ts';
import { ENVIRONMENT_KINDS } from '../config/settings.ts';
import { aBoolean, aString, checkCall, optionsOf } from '../model/check-arguments.ts';
import type { SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { findMatch } from '../parse/globs.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import { editToPrefer, findPreferable, isPreferred, listNamesakes } from './copies.ts';

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

const SWITCH_KINDS = { ...ENVIRONMENT_KINDS, project: aBoolean };
const SWITCH_OPTIONS = optionsOf<SwitchOptions>(SWITCH_KINDS);
const ENABLE_OPTIONS = optionsOf<EnableOptions>({ ...SWITCH_KINDS, from: aString });

/** Switches a skill from any source on: lifts every rule in the configuration that keeps it off. */
export async function enable(name: string, options: EnableOptions = {}): Promise<Outcome<SwitchedSkill>> {
  checkCall('enable(name, options?)', { name: [name, aString], options: [options, ENABLE_OPTIONS] });
  return only(await switchSkills([name], true, options));
}

/** Switches a skill from any source off in the user's or the project's configuration. */
export async function disable(name: string, options: SwitchOptions = {}): Promise<Outcome<SwitchedSkill>> {
  checkCall('disable(name, options?)', { name: [name, aString], options: [options, SWITCH_OPTIONS] });
  return only(await switchSkills([name], false, options));
}

/** The outcome for a skill, under the name that was given. */
export interface SwitchedName {
  readonly name: string;
  readonly outcome: Outcome<SwitchedSkill>;
}

/** `enable` or `disable` for several skills, with one scan and one edit of the configuration. */
export async function switchSkills(
  names: readonly string[],
  isOn: boolean,
  { project = false, from, ...options }: EnableOptions = {},
): Promise<readonly SwitchedName[]> {
  await using store = await openStore(options);
  const named = names.map((name) => ({
    name,
    found: from === undefined ? store.find(name) : findPreferable(store, name, { from, project }),
  }));
  const changed = new Map<Skill, readonly string[]>();
  const edited = await editFor(store, named, project, (skills, editor, now) => {
    for (const skill of skills) {
      const steps = [
        ...(from === undefined ? [] : [stepToPrefer(skill, now)]),
        ...(isOn ? stepsToEnable : stepsToDisable)(skill, now, project),
      ].filter(({ isDone }) => !isDone);
      for (const { run } of steps) run(editor);
      changed.set(
        skill,
        steps.map(({ setting }) => setting),
      );
    }
  });
  if (edited.ok) await store.refresh();
  return judgeEach(named, ({ skill: before }) => {
    if (!edited.ok) return edited;
    const after = listNamesakes(store, before.name);
    if (!after.ok) return after;
    const [skill, ...others] = after.copies;
    const settings = changed.get(before) ?? [];
    if (isOn && settings.length === 0 && isBroken(skill)) return failBroken(skill);
    const isChosen = from === undefined || skill.file === before.file;
    if (skill.enabled === isOn && isChosen) return { ok: true, skill, others, file: edited.path, changed: settings };
    const done = settings.length === 0 ? '' : `; changed in ${edited.path}: ${settings.join(', ')}`;
    const state = isChosen ? `${isOn ? 'off' : 'on'}: ${skill.reasons.join('; ')}` : `the copy in ${skill.file}`;
    return fail('CONFIG_INVALID', `"${skill.name}" is still ${state}${done}`);
  });
}

/** A name that was given, and the skill that it means. */
interface Named<T> {
  readonly name: string;
  readonly found: Outcome<T>;
}

function judgeEach<T>(
  named: readonly Named<T>[],
  judge: (found: T) => Outcome<SwitchedSkill>,
): readonly SwitchedName[] {
  return named.map(({ name, found }) => ({ name, outcome: found.ok ? judge(found) : found }));
}

/** Edits the configuration for the skills that were found; changes nothing if there are none. */
async function editFor(
  store: SkillStore,
  named: readonly Named<{ readonly skill: Skill }>[],
  project: boolean,
  edit: (skills: readonly Skill[], editor: ConfigEditor, now: SkillsSection) => void,
): Promise<Outcome<{ readonly path: string }>> {
  const file = findConfigFile(store.environment, project);
  if (!file.ok) return file;
  const skills = named.flatMap(({ found }) => (found.ok ? [found.skill] : []));
  if (skills.length === 0) return { ok: true, path: file.file };
  return editConfig(file, (editor, now) => edit(skills, editor, now));
}

/** A change of one setting. */
interface Step {
  readonly setting: keyof SkillsSection;
  /** Does the setting say so already? */
  readonly isDone: boolean;
  readonly run: (editor: ConfigEditor) => void;
}

type NameList = 'disabled' | 'ignoredSkills' | 'includeSkills' | 'enabledSkills' | 'disabledBundled' | 'enabledBundled';

function stepsToEnable(skill: Skill, now: SkillsSection, project: boolean): readonly Step[] {
  const { name, source } = skill;
  const { includeSkills = [], enabledBundled = [] } = now;
  const isBundled = source === 'bundled';
  return [
    stepOut(now, 'disabled', name),
    stepOut(now, 'ignoredSkills', name),
    // Adding it to an empty list would switch every other skill off.
    ...(includeSkills.length > 0 && findMatch(name, includeSkills) === undefined
      ? [stepIn(now, 'includeSkills', name)]
      : []),
    ...(needsName(skill) && !project ? [stepIn(now, 'enabledSkills', name)] : []),
    ...(isBundled ? [stepOut(now, 'disabledBundled', name)] : []),
    ...(isBundled && enabledBundled.length > 0 ? [stepIn(now, 'enabledBundled', name)] : []),
    ...stepsOfPlugin(skill, now, project, true),
  ];
}

/** Bundled skills have their own list, plugins their own entry in the user's file; `disabled` holds all others. */
function stepsToDisable(skill: Skill, now: SkillsSection, project: boolean): readonly Step[] {
  const { name, source } = skill;
  const plugin = stepsOfPlugin(skill, now, project, false);
  return [
    ...(needsName(skill) && !project ? [stepOut(now, 'enabledSkills', name)] : []),
    ...(plugin.length > 0 ? plugin : [stepIn(now, source === 'bundled' ? 'disabledBundled' : 'disabled', name)]),
  ];
}

/** Is it off, or kept from other agents because an agent wrote it, unless `enabledSkills` names it? */
function needsName({ defaultEnabled, creator }: Skill): boolean {
  return !defaultEnabled || creator === 'agent';
}

function stepIn(now: SkillsSection, setting: NameList, name: string): Step {
  return { setting, isDone: now[setting]?.includes(name) ?? false, run: (editor) => editor.add(setting, name) };
}

function stepOut(now: SkillsSection, setting: NameList, name: string): Step {
  return { setting, isDone: !(now[setting]?.includes(name) ?? false), run: (editor) => editor.remove(setting, name) };
}

function stepToPrefer(skill: Skill, now: SkillsSection): Step {
  const isDone = isPreferred(skill, now);
  return { setting: 'preferred', isDone, run: (editor) => editToPrefer(skill)(editor, now) };
}

/** Empty if the skill has no entry among the user's plugins. */
function stepsOfPlugin({ id, source }: Skill, now: SkillsSection, project: boolean, enabled: boolean): readonly Step[] {
  const plugin = source === 'plugin' && !project ? now.plugins?.find((one) => pluginName(one) === id) : undefined;
  if (plugin === undefined) return [];
  const isDone = (plugin.enabled ?? true) === enabled;
  return [{ setting: 'plugins', isDone, run: (editor) => editor.putPlugins([{ ...plugin, enabled }]) }];
}

function only([one]: readonly SwitchedName[]): Outcome<SwitchedSkill> {
  if (one === undefined) throw new Error('an outcome is missing');
  return one.outcome;
}
