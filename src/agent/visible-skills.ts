import { findSkill } from '../catalog/find.ts';
import { listVisible } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { failUnknown } from './unknown-skill.ts';

export type CatalogHolder = Pick<Skills, 'catalog'>;

/** The skills that a model may know of now. */
export function visibleSkills(skills: CatalogHolder): readonly Skill[] {
  return listVisible(skills.catalog().skills);
}

/**
 * Finds a skill that a model asked for, among those it may know of. Continue with the name of the skill returned here,
 * never with the model's spelling: that could reach a hidden skill.
 */
export function findVisible(skills: CatalogHolder, name: string): Outcome<{ readonly skill: Skill }> {
  const visible = visibleSkills(skills);
  const found = findSkill(visible, name);
  return found.ok ? found : failUnknown(visible, name);
}
