import { once } from '../model/once.ts';
import type { Skill } from '../model/skill.ts';

/** Finds the skills that a text calls by `/skill:name` or `$name`: the exact name, in any case. */
export interface SkillCommands {
  findIn(text: string): readonly Skill[];
}

export function openSkillCommands(skills: readonly Skill[]): SkillCommands {
  const byName = Map.groupBy(skills, ({ name }) => toKey(name));
  return {
    findIn: (text) =>
      // Most messages call none, and the pattern takes milliseconds to make.
      (/\$|\/skill:/i.test(text) ? [...text.matchAll(command())] : []).flatMap(([, name = '']) => {
        const key = toKey(name);
        // The full stop of a sentence is no part of the name, unless a name ends so.
        return byName.get(key) ?? byName.get(key.replace(/[.:_-]+$/, '')) ?? [];
      }),
  };
}

const command = once(() => /(?<![\p{L}\p{N}_$/])(?:\/skill:|\$)([\p{L}\p{N}\p{M}._:-]+)/giu);

function toKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
