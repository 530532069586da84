import { z } from 'zod';

import { fix } from '../../author/fix.ts';
import { findBundledCopies, upgradeBundledSkill } from '../../catalog/upgrade.ts';
import { changeSetting, readSetting } from '../../config/change-setting.ts';
import { doctor } from '../../engine/doctor/doctor.ts';
import { SkillInstaller } from '../../install/installer.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { exists } from '../../platform/files/files.ts';
import { change, read, type ConsoleContext } from '../endpoint.ts';
import { name, nothing } from '../input-fields.ts';

/** Everything that `doctor` looks at, and the folders that it would read if they existed. */
export const checkHealth = read(nothing, async ({ place, skills }) => {
  const missing = skills.catalog().roots.filter(({ path }) => !exists(path));
  return { ok: true, checks: await doctor(place), missing: missing.map(({ id, path }) => ({ id, path })) };
});

const setting = z.string().max(64);
const value = z.string().max(256);

/** A step that the console carries out at once, and its undoing. */
const wanted = z.union([
  z.strictObject({ do: z.literal('fix'), path: z.string().max(4_096) }),
  z.strictObject({ do: z.enum(['update', 'restore']), skill: name }),
  z.strictObject({ set: setting, to: value }),
  z.strictObject({ set: setting, add: value }),
  z.strictObject({ set: setting, remove: value }),
]);
type Repair = z.infer<typeof wanted>;

/** A repair that was made, and the one that takes it back. */
export interface Repaired {
  readonly said: string;
  readonly undo?: Repair;
}

export const repair = change(wanted, (context, given): Promise<Outcome<Repaired>> => {
  if ('set' in given) return changeOneSetting(context, given);
  if (given.do === 'fix') return fixOne(context, given.path);
  return given.do === 'update' ? updateCopy(context, given.skill) : restore(context, given.skill);
});

type SettingRepair = Extract<Repair, { readonly set: string }>;

async function changeOneSetting({ place }: ConsoleContext, given: SettingRepair): Promise<Outcome<Repaired>> {
  const { set } = given;
  const before = await readSetting(set, place);
  const changed = await changeSetting({ setting: set, ...toChange(given) }, place);
  if (!changed.ok) return changed;
  const said = `Changed \`${set}\` in ${changed.path}.`;
  if ('add' in given) return { ok: true, said, undo: { set, remove: given.add } };
  if ('remove' in given) return { ok: true, said, undo: { set, add: given.remove } };
  const old = before.ok ? before.setting.value : undefined;
  return { ok: true, said, ...(typeof old === 'string' && { undo: { set, to: old } }) };
}

function toChange(given: SettingRepair): { readonly kind: 'set' | 'add' | 'remove'; readonly text: string } {
  if ('to' in given) return { kind: 'set', text: given.to };
  return 'add' in given ? { kind: 'add', text: given.add } : { kind: 'remove', text: given.remove };
}

async function updateCopy({ place }: ConsoleContext, skill: string): Promise<Outcome<Repaired>> {
  const copies = await findBundledCopies(place);
  const copy = copies.find((one) => one.name === skill);
  if (copy === undefined) return fail('SKILL_NOT_FOUND', `"${skill}" is not a copy of a bundled skill`);
  const upgraded = upgradeBundledSkill(copy);
  return upgraded.ok ? { ok: true, said: `Updated ${copy.name} to ${copy.after}.` } : upgraded;
}

/** Only folders of the catalog are fixed, whatever a page asks for. */
async function fixOne({ skills }: ConsoleContext, dir: string): Promise<Outcome<Repaired>> {
  const copy = skills.copies().find((one) => one.dir === dir);
  if (copy === undefined) return fail('SKILL_NOT_FOUND', `no skill in ${dir}`);
  const [fixed] = await fix(dir, { write: true });
  if (fixed?.ok === false) return fixed;
  const [done, left] = [fixed?.fixes ?? [], fixed?.left ?? []].map((list) =>
    list.map(({ message }) => message).join('; '),
  );
  return {
    ok: true,
    said: [done || 'Nothing could be fixed.', left && `Fix by hand: ${left}`].filter(Boolean).join(' '),
  };
}

async function restore({ place }: ConsoleContext, skill: string): Promise<Outcome<Repaired>> {
  const restored = await new SkillInstaller({ ...place, scope: 'user' }).restore([skill]);
  return restored.ok ? { ok: true, said: `Reinstalled ${skill} from the lock file.` } : restored;
}
