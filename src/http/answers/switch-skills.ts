import { disable, enable } from '../../install.ts';
import type { ChangeAnswer } from '../console-context.ts';
import type { FailedName, SwitchedName } from '../wire/skills.ts';

/** Switches skills on or off in the user's configuration, one by one; a failure does not stop the others. */
export const switchSkills: ChangeAnswer<'skills/switch'> = async ({ place, announce }, { names, to }) => {
  const done: SwitchedName[] = [];
  const failed: FailedName[] = [];
  for (const name of names) {
    const switched = await (to === 'enabled' ? enable : disable)(name, place);
    if (switched.ok) done.push({ name, file: switched.file, settings: switched.changed });
    else failed.push({ name, code: switched.code, message: switched.message, hint: switched.hint ?? null });
  }
  await announce();
  return { ok: true, done, failed };
};
