import { explainTaken, findNamesakes } from '../author/own-skills.ts';
import type { SkillWriting } from '../author/skill-writing.ts';
import { findSkill } from '../catalog/find.ts';
import { isByAgent } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';

/** The writing rights of an agent: its skills are marked as written by an agent, and it changes or removes only such skills. */
export function agentWriting({ catalog, writing }: Pick<Skills, 'catalog' | 'writing'>): SkillWriting {
  const judge = (name: string): Outcome => {
    const found = findSkill(catalog().skills, name);
    if (!found.ok || isByAgent(found.skill)) return found;
    return fail(
      'PATH_REFUSED',
      `the skill "${found.skill.name}" was not written by an agent, so only the user may change it`,
    );
  };
  return {
    ...writing,
    async create(draft) {
      const [other] = findNamesakes(catalog(), draft.name);
      return other === undefined ? writing.putByAgent(draft) : explainTaken(other);
    },
    async update(name, changes, options) {
      const judged = judge(name);
      return judged.ok ? writing.update(name, changes, options) : judged;
    },
    async remove(name, options) {
      const judged = judge(name);
      return judged.ok ? writing.remove(name, options) : judged;
    },
  };
}
