import { compareText } from '../catalog/order.ts';
import type { Skill } from '../model/skill.ts';

/** May a model know of this skill? Nothing that is disabled, unavailable or hidden is ever shown to it. */
export function isModelVisible({ status, hidden }: Pick<Skill, 'status' | 'hidden'>): boolean {
  return status === 'enabled' && !hidden;
}

/** The skills that a model may know of, in the order in which it is shown them: pinned first, by name. */
export function listVisible(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(isModelVisible).sort(compareShown);
}

function compareShown(a: Skill, b: Skill): number {
  return Number(b.pinned) - Number(a.pinned) || compareText(a.name, b.name) || compareText(a.file, b.file);
}
