import { fix } from '../../author.ts';
import { doctor } from '../../index.ts';
import { changeSetting, findBundledCopies, readSetting, upgradeBundledSkill } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ChangeAnswer, ConsoleContext, ReadAnswer } from '../console-context.ts';
import { openInstaller } from '../installed/list-installed.ts';
import type { Repair, Repaired } from '../wire/health.ts';

/** Everything that `doctor` looks at, with an action where the remedy is a single one. */
export const checkHealth: ReadAnswer<'health'> = async ({ place }) => {
  const checks = await doctor(place);
  return {
    ok: true,
    checks: checks.map(({ area, status, detail, remedy = null, action = null }) => {
      return { area, status, detail, remedy, action };
    }),
  };
};

export const repair: ChangeAnswer<'health/repair'> = async (context, wanted) => {
  const done = await carryOut(context, wanted);
  if (done.ok) await context.announce();
  return done;
};

function carryOut(context: ConsoleContext, wanted: Repair): Promise<Outcome<Repaired>> {
  switch (wanted.kind) {
    case 'setting':
      return changeOneSetting(context, wanted);
    case 'fix':
      return fixOne(context, wanted.dir);
    case 'copy':
      return updateCopy(context, wanted.skill);
    case 'restore':
    default:
      return restore(context, wanted.skill);
  }
}

type SettingRepair = Extract<Repair, { readonly kind: 'setting' }>;

async function changeOneSetting({ place }: ConsoleContext, wanted: SettingRepair): Promise<Outcome<Repaired>> {
  const { setting, change, value } = wanted;
  const before = await readSetting(setting, place);
  const changed = await changeSetting({ kind: change, setting, text: value }, place);
  if (!changed.ok) return changed;
  const said = `Changed \`${setting}\` in ${changed.path}.`;
  if (change !== 'set') return { ok: true, said, undo: { ...wanted, change: change === 'add' ? 'remove' : 'add' } };
  const old = before.ok && typeof before.setting.value === 'string' ? before.setting.value : undefined;
  return { ok: true, said, undo: old === undefined ? null : { ...wanted, change, value: old } };
}

async function updateCopy({ place }: ConsoleContext, skill: string): Promise<Outcome<Repaired>> {
  const copies = await findBundledCopies(place);
  const copy = copies.find(({ name }) => name === skill);
  if (copy === undefined) return fail('SKILL_NOT_FOUND', `"${skill}" is no copy of a bundled skill`);
  const upgraded = upgradeBundledSkill(copy);
  return upgraded.ok ? { ok: true, said: `Updated ${copy.name} to ${copy.after}.`, undo: null } : upgraded;
}

/** Only folders of the catalog are fixed, whatever a page asks for. */
async function fixOne({ skills }: ConsoleContext, dir: string): Promise<Outcome<Repaired>> {
  const copy = skills.copies().find((one) => one.dir === dir);
  if (copy === undefined) return fail('SKILL_NOT_FOUND', `there is no skill in ${dir}`);
  const [fixed] = await fix(dir, { write: true });
  if (fixed?.ok === false) return fixed;
  const [done, left] = [fixed?.fixes ?? [], fixed?.left ?? []].map((list) =>
    list.map(({ message }) => message).join('; '),
  );
  return {
    ok: true,
    said: [done || 'Nothing could be fixed.', left && `Left to you: ${left}`].filter(Boolean).join(' '),
    undo: null,
  };
}

async function restore(context: ConsoleContext, skill: string): Promise<Outcome<Repaired>> {
  const restored = await openInstaller(context, 'user').restore([skill]);
  return restored.ok ? { ok: true, said: `Installed ${skill} again, as the lock has it.`, undo: null } : restored;
}
