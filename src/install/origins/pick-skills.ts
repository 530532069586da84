import { listSome } from '../../model/list-some.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { foldName } from '../../parse/name-rules.ts';
import type { FoundSkill } from './find-skills.ts';

export interface PickOptions {
  /** These, by name or folder. */
  readonly wanted?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  /** Asks which of several; undefined where nobody answered. */
  readonly ask?: ((skills: readonly FoundSkill[]) => Promise<readonly FoundSkill[] | undefined>) | undefined;
}

/** Which of the skills of a repository are meant; there is at least one. */
export async function pickSkills(
  skills: readonly FoundSkill[],
  { wanted = [], all = false, ask }: PickOptions,
): Promise<Outcome<{ readonly picked: readonly FoundSkill[] }>> {
  if (wanted.length > 0) return pickWanted(skills, wanted);
  if (all || skills.length === 1) return { ok: true, picked: skills };
  if (ask === undefined)
    return fail('INSTALL_FAILED', `there are ${skills.length} skills; pick with --skill, or --all: ${list(skills)}`);
  const picked = await ask(skills);
  if (picked === undefined || picked.length === 0) return fail('INSTALL_FAILED', 'no skill was picked');
  return { ok: true, picked };
}

/** Those that are named, by name or by folder; a failure says what there is. */
export function pickWanted(
  skills: readonly FoundSkill[],
  wanted: readonly string[],
): Outcome<{ readonly picked: readonly FoundSkill[] }> {
  const picked = new Set<FoundSkill>();
  for (const text of wanted) {
    const found = findWanted(skills, text);
    if (found === undefined)
      return fail('SKILL_NOT_FOUND', `there is no skill "${text}" in it; there are ${list(skills) || 'none'}`);
    picked.add(found);
  }
  return { ok: true, picked: [...picked] };
}

function findWanted(skills: readonly FoundSkill[], text: string): FoundSkill | undefined {
  const folder = text.replace(/\/+$/, '');
  return (
    skills.find(({ name }) => name === text) ??
    skills.find(({ path }) => path === folder) ??
    skills.find(({ path }) => path.split('/').at(-1) === folder) ??
    skills.find(({ name }) => foldName(name) === foldName(text))
  );
}

const MAX_NAMED = 40;

function list(skills: readonly FoundSkill[]): string {
  return listSome(
    skills.map(({ name }) => name),
    { most: MAX_NAMED },
  );
}
