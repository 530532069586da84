import { fix } from '../../author.ts';
import { doctor, type Check, type Skills } from '../../index.ts';
import { changeSetting, findBundledCopies, upgradeBundledSkill } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ChangeAnswer, ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { Said } from '../wire/contract.ts';
import type { HealthCheck, Repair } from '../wire/health.ts';

/** Everything that `doctor` looks at, with a repair where the remedy is one action. */
export const checkHealth: ReadAnswer<'health'> = async ({ skills, place }) => {
  const checks = await doctor(place);
  return { ok: true, checks: checks.map((check) => toWire(check, skills)) };
};

function toWire(check: Check, skills: Skills): HealthCheck {
  const { area, status, detail, remedy = null } = check;
  return { area, status, detail, remedy, repair: findRepair(check, skills) ?? null };
}

/** The remedy as an operation, if it is a single one that this page can do. */
function findRepair({ area, detail, remedy = '' }: Check, skills: Skills): Repair | undefined {
  const source = /^Add (\S+) to `enabledSources`/.exec(remedy)?.[1];
  if (source !== undefined) return { kind: 'setting', setting: 'enabledSources', change: 'add', value: source };
  const [, setting, value] = /^Set `(\w+)` to (\w+) in your config\.yaml/.exec(remedy) ?? [];
  if (setting !== undefined && value !== undefined) return { kind: 'setting', setting, change: 'set', value };
  if (area === 'bundled') {
    const skill = /^([^:]+):/.exec(detail)?.[1];
    return skill === undefined ? undefined : { kind: 'copy', skill };
  }
  const broken = skills.copies().find(({ dir, status }) => status === 'broken' && remedy.includes(`fix ${dir}`));
  return broken === undefined ? undefined : { kind: 'fix', skill: broken.name };
}

export const repair: ChangeAnswer<'health/repair'> = async (context, wanted) => {
  const done = await (wanted.kind === 'setting'
    ? changeOneSetting(context, wanted)
    : wanted.kind === 'copy'
      ? updateCopy(context, wanted.skill)
      : fixOne(context, wanted.skill));
  if (done.ok) await context.announce();
  return done;
};

type SettingRepair = Extract<Repair, { readonly kind: 'setting' }>;

async function changeOneSetting({ place }: ConsoleContext, wanted: SettingRepair): Promise<Outcome<Said>> {
  const { setting, change, value } = wanted;
  const changed = await changeSetting({ kind: change, setting, text: value }, place);
  return changed.ok ? { ok: true, said: `Changed ${setting}.` } : changed;
}

async function updateCopy({ place }: ConsoleContext, skill: string): Promise<Outcome<Said>> {
  const copies = await findBundledCopies(place);
  const copy = copies.find(({ name }) => name === skill);
  if (copy === undefined) return fail('SKILL_NOT_FOUND', `"${skill}" is no copy of a bundled skill`);
  const upgraded = upgradeBundledSkill(copy);
  return upgraded.ok ? { ok: true, said: `Updated ${copy.name} to ${copy.after}.` } : upgraded;
}

async function fixOne({ skills }: ConsoleContext, skill: string): Promise<Outcome<Said>> {
  const found = skills.find(skill);
  if (!found.ok) return found;
  const [fixed] = await fix(found.skill.dir, { write: true });
  if (fixed?.ok === false) return fixed;
  const [done, left] = [fixed?.fixes ?? [], fixed?.left ?? []].map((list) =>
    list.map(({ message }) => message).join('; '),
  );
  return {
    ok: true,
    said: [done || 'Nothing could be fixed.', left && `Left to you: ${left}`].filter(Boolean).join(' '),
  };
}
