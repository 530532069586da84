import type { NextStep } from '../../model/next-step.ts';
import type { HostSkill } from './host-skill.ts';

/** Keeps the first of each real file: a host that resolves links sees one skill. */
export function dropSameFiles(skills: readonly HostSkill[]): readonly HostSkill[] {
  const seen = new Set<string>();
  return skills.filter(({ realFile, loss }) => {
    if (loss !== undefined) return true;
    if (realFile !== '' && seen.has(realFile)) return false;
    seen.add(realFile);
    return true;
  });
}

/** The first of each name is loaded; the others say which one hides them. */
export function loadFirst(
  skills: readonly HostSkill[],
  keyOf: (skill: HostSkill) => string = ({ name }) => name,
): readonly HostSkill[] {
  const winners = new Map<string, HostSkill>();
  return skills.map((skill) => {
    if (skill.loss !== undefined) return skill;
    const key = keyOf(skill);
    const winner = winners.get(key);
    if (winner !== undefined) return { ...skill, loss: hiddenBy(winner) };
    winners.set(key, skill);
    return skill;
  });
}

/** The reason of a skill that another one of its name hides. */
export function hiddenBy({ file, name }: HostSkill): { readonly because: string; readonly next: NextStep } {
  const where = file === '' ? 'a skill of the program itself' : file;
  return {
    because: `${where} has the same name and comes first`,
    next: { advice: `Rename one of the two, or remove the other ${name}.` },
  };
}
