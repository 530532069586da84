import { openStore } from '../catalog/store.ts';
import { editConfig } from '../config/edit-config.ts';
import { userConfigFile } from '../config/read-config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import { findOwn, type WriteOptions } from './own-skills.ts';
import { openSkillWriting } from './skill-writing.ts';

export interface PinSkillOptions extends EnvironmentOptions, WriteOptions {}

export interface PinChange {
  readonly skill: Skill;
  /** The file that says so: the skill's SKILL.md, or the user's `config.yaml`. */
  readonly file: string;
  /** False if the skill already was in this state. */
  readonly changed: boolean;
}

/**
 * Makes a skill always listed for models. A skill of one's own gets `always_present: true`; one from another source stays as
 * it is and goes into the `pinned` list of the user's configuration.
 */
export function pin(name: string, options: PinSkillOptions = {}): Promise<Outcome<PinChange>> {
  return change(name, true, options);
}

/** Takes `pin` back. Fails for a skill from another source that pins itself. */
export function unpin(name: string, options: PinSkillOptions = {}): Promise<Outcome<PinChange>> {
  return change(name, false, options);
}

async function change(name: string, isPinned: boolean, options: PinSkillOptions): Promise<Outcome<PinChange>> {
  await using opened = await openStore(options);
  const own = findOwn(opened.catalog(), name, options);
  const found = own.ok ? own : opened.find(name);
  if (!found.ok) return found;
  const { id, file } = found.skill;
  const read = (): Skill => opened.copies().find((copy) => copy.file === file) ?? found.skill;
  if (found.skill.pinned === isPinned) return { ok: true, skill: found.skill, file, changed: false };
  if (own.ok) {
    const written = await openSkillWriting({
      environment: opened.environment,
      catalog: () => opened.catalog(),
      refresh: () => opened.refresh(),
    }).update(id, { alwaysPresent: isPinned }, options);
    if (!written.ok) return written;
    if (read().pinned === isPinned) return { ok: true, skill: read(), file, changed: true };
  }
  const { config } = opened.catalog().reading;
  if (!isPinned && !config.pinned.includes(found.skill.name)) return explainStillPinned(found.skill);
  const edited = await editConfig({ file: userConfigFile(opened.environment), isUsers: true }, (editor) => {
    if (isPinned) editor.add('pinned', found.skill.name);
    else editor.remove('pinned', found.skill.name);
  });
  if (!edited.ok) return edited;
  await opened.refresh();
  const skill = read();
  return skill.pinned === isPinned ? { ok: true, skill, file: edited.path, changed: true } : explainStillPinned(skill);
}

function explainStillPinned({ name, file, source }: Skill): Outcome<never> {
  return fail(
    'PATH_REFUSED',
    `"${name}" is still pinned by its own file ${file} (source ${source}) or by the project's settings`,
    { either: [{ edit: file }, { do: 'disable', skill: name }] },
  );
}
