import { explainTaken, findNamesakes, findOwn, type WriteOptions } from '../author/own-skills.ts';
import type { SkillWriting } from '../author/skill-writing.ts';
import { isByAgent } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';

/** The writing rights of an agent: its skills are marked as written by an agent, and it changes or removes only such skills. */
export function agentWriting({ catalog, writing }: Pick<Skills, 'catalog' | 'writing'>): SkillWriting {
  // Judges the copy that would be written: one of another source may shadow it and claim to be an agent's.
  const judge = (name: string, options: WriteOptions = {}): Outcome => {
    const own = findOwn(catalog(), name, options);
    if (!own.ok || isByAgent(own.skill)) return own;
    return fail(
      'PATH_REFUSED',
      `the skill "${own.skill.name}" was not written by an agent, so only the user may change it`,
      'Store a skill of another name, or ask the user to change this one.',
    );
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...writing,
    /** One after the other: `putByAgent` would replace the skill that an earlier call is about to store. */
    create(draft) {
      const creating = last.then(async () => {
        const [other] = findNamesakes(catalog(), draft.name);
        return other === undefined ? writing.putByAgent(draft) : explainTaken(other);
      });
      last = Promise.allSettled([creating]);
      return creating;
    },
    async update(name, changes, options) {
      const judged = judge(name, options);
      return judged.ok ? writing.update(name, changes, options) : judged;
    },
    async remove(name, options) {
      const judged = judge(name, options);
      return judged.ok ? writing.remove(name, options) : judged;
    },
  };
}
