import { fix, pin, unpin } from '../../author.ts';
import { prefer, resetPreference } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ChangeAnswer, ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { FixPreview } from '../wire/skill.ts';

/** The changes that `fix` would make in the SKILL.md. */
export const previewFix: ReadAnswer<'skill/fix'> = (context, { name }) => runFix(context, name, false);

export const applyFix: ChangeAnswer<'skill/fix'> = async (context, { name }) => {
  const fixed = await runFix(context, name, true);
  if (fixed.ok) await context.announce();
  return fixed;
};

async function runFix({ skills }: ConsoleContext, name: string, write: boolean): Promise<Outcome<FixPreview>> {
  const found = skills.find(name);
  if (!found.ok) return found;
  const [fixed] = await fix(found.skill.dir, { write });
  if (fixed === undefined) return fail('SKILL_NOT_FOUND', `there is no SKILL.md in ${found.skill.dir}`);
  if (!fixed.ok) return fixed;
  const { fixes, diff, left } = fixed;
  return {
    ok: true,
    fixes: fixes.map(({ message }) => message),
    diff,
    left: left.map(({ message }) => message),
  };
}

/** Makes a skill always listed, or takes that back. */
export const changePin: ChangeAnswer<'skill/pin'> = async ({ place, announce }, { name, isPinned }) => {
  const changed = await (isPinned ? pin : unpin)(name, place);
  if (!changed.ok) return changed;
  await announce();
  return { ok: true, file: changed.file };
};

/** Gives the name to another copy; without a source, precedence decides again. */
export const changePreference: ChangeAnswer<'skill/prefer'> = async ({ place, announce }, { name, source }) => {
  const changed = await (source === undefined ? resetPreference(name, place) : prefer(name, source, place));
  if (!changed.ok) return changed;
  await announce();
  return { ok: true, file: changed.file };
};
