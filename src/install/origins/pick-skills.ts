import { listSome } from '../../model/list-some.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { foldName } from '../../parse/name-rules.ts';
import type { RepositorySkill } from './find-skills.ts';

export interface PickOptions {
  /** Names or folders of the skills to pick. */
  readonly wanted?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  /** Asks which skills to install; undefined without an answer. */
  readonly ask?: ((skills: readonly RepositorySkill[]) => Promise<readonly RepositorySkill[] | undefined>) | undefined;
}

/** Picks the skills to install from the skills of a repository: at least one, or it fails. */
export async function pickSkills(
  skills: readonly RepositorySkill[],
  { wanted = [], all = false, ask }: PickOptions,
): Promise<Outcome<{ readonly picked: readonly RepositorySkill[] }>> {
  if (wanted.length > 0) return pickWanted(skills, wanted);
  if (all || skills.length === 1) return { ok: true, picked: skills };
  if (ask === undefined)
    return fail('INSTALL_FAILED', `found ${skills.length} skills: ${list(skills)}`, {
      either: [
        { give: 'skills', aim: 'choose some' },
        { give: 'all', aim: 'install all of them' },
      ],
    });
  const picked = await ask(skills);
  if (picked === undefined || picked.length === 0) return fail('INSTALL_FAILED', 'no skill was chosen');
  return { ok: true, picked };
}

/** Picks skills by name or folder; a failure lists the skills there are. */
export function pickWanted(
  skills: readonly RepositorySkill[],
  wanted: readonly string[],
): Outcome<{ readonly picked: readonly RepositorySkill[] }> {
  const picked = new Set<RepositorySkill>();
  for (const text of wanted) {
    const found = findWanted(skills, text);
    const several = found === undefined ? withFolder(skills, text) : [];
    if (several.length > 1)
      return fail('SKILL_NOT_FOUND', `several skills are called "${text}" there`, {
        choose: several.map(({ name }) => name),
      });
    if (found === undefined)
      return fail('SKILL_NOT_FOUND', `no skill called "${text}" there; available: ${list(skills) || 'none'}`);
    picked.add(found);
  }
  return { ok: true, picked: [...picked] };
}

/** Finds a skill by its name or folder; of several folders with one name, none is meant. */
export function findWanted(skills: readonly RepositorySkill[], text: string): RepositorySkill | undefined {
  const folder = text.replace(/\/+$/, '');
  const named = withFolder(skills, folder);
  return (
    skills.find(({ name }) => name === text) ??
    skills.find(({ name, plugin }) => plugin !== undefined && `${plugin}:${name}` === text) ??
    skills.find(({ path }) => path === folder) ??
    (named.length === 1 ? named[0] : undefined) ??
    skills.find(({ name }) => foldName(name) === foldName(text))
  );
}

function withFolder(skills: readonly RepositorySkill[], folder: string): readonly RepositorySkill[] {
  return skills.filter(({ path }) => path.split('/').at(-1) === folder);
}

const MAX_NAMED = 40;

function list(skills: readonly RepositorySkill[]): string {
  return listSome(
    skills.map(({ name }) => name),
    { most: MAX_NAMED },
  );
}
