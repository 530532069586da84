import { findSkill } from '../catalog/find.ts';
import { listVisible } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { listNearest, quoteName } from './nearest-names.ts';

/** What of all the skills is looked at here. */
export type CatalogHolder = Pick<Skills, 'catalog'>;

/** The skills that a model may know of now. */
export function visibleSkills(skills: CatalogHolder): readonly Skill[] {
  return listVisible(skills.catalog().skills);
}

/**
 * A skill that a model asks for. To the model there are no others than those it may know of: what it asks for must go
 * on under the name of the skill that is found here, never as the model spelled it.
 */
export function findVisible(skills: CatalogHolder, name: string): Outcome<{ readonly skill: Skill }> {
  const visible = visibleSkills(skills);
  const found = findSkill(visible, name);
  return found.ok ? found : failUnknown(visible, name);
}

/** What a model is told that asks for a skill which is not there for it. */
export function failUnknown(visible: readonly Skill[], name: string): Failure {
  const available = listNearest(
    visible.map((skill) => skill.name),
    [name],
  );
  return fail('SKILL_NOT_FOUND', `Unknown skill: ${quoteName(name)}. Available: ${available}`);
}
