import { openStore, type SkillStore } from '../catalog/store.ts';
import { findConfigFile } from '../config/change-setting.ts';
import { editConfig, type ConfigEdit } from '../config/edit-config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { editToForget, editToPrefer, findPreferable, listNamesakes } from './copies.ts';
import type { SwitchedSkill, SwitchOptions } from './switch.ts';

/**
 * Lets the copy of this source have the name, whatever the precedence of sources. The user's preference counts over every
 * other copy. A project's counts only over other copies of the project, so `skill` may still be one of the user's.
 */
export async function prefer(
  name: string,
  source: string,
  { project = false, ...options }: SwitchOptions = {},
): Promise<Outcome<SwitchedSkill>> {
  await using store = await openStore(options);
  const found = findPreferable(store, name, { from: source, project });
  if (!found.ok) return found;
  const { skill } = found;
  const done = await editPreference(store, skill.name, { project, edit: editToPrefer(skill) });
  if (!done.ok || project || done.skill.file === skill.file) return done;
  return fail(
    'CONFIG_INVALID',
    `Skillplane still uses the copy of "${skill.name}" in ${done.skill.dir}; changed ${done.file}`,
  );
}

/** Takes `prefer` back in the user's or the project's configuration: precedence decides again. */
export async function resetPreference(
  name: string,
  { project = false, ...options }: SwitchOptions = {},
): Promise<Outcome<SwitchedSkill>> {
  await using store = await openStore(options);
  const found = store.find(name);
  const exact = found.ok ? found.skill.name : name;
  return await editPreference(store, exact, { project, edit: editToForget(exact) });
}

async function editPreference(
  store: SkillStore,
  name: string,
  { project, edit }: { readonly project: boolean; readonly edit: ConfigEdit },
): Promise<Outcome<SwitchedSkill>> {
  const file = findConfigFile(store.environment, project);
  const edited = file.ok ? await editConfig(file, edit) : file;
  if (!edited.ok) return edited;
  await store.refresh();
  const after = listNamesakes(store, name);
  if (!after.ok) return after;
  const [skill, ...others] = after.copies;
  return { ok: true, skill, others, file: edited.path, changed: edited.changed };
}
