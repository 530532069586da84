import { compareText } from '../model/order.ts';
import type { SkillDefinition, Skill } from '../model/skill.ts';

/** May a model see this skill? Disabled, unavailable and hidden skills are never shown to it. */
export function isModelVisible({ status, hidden }: Pick<Skill, 'status' | 'hidden'>): boolean {
  return status === 'enabled' && !hidden;
}

/** The skills that a model may see, in display order: pinned first, then by name. */
export function listVisible(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(isModelVisible).sort(compareShown);
}

function compareShown(a: Skill, b: Skill): number {
  return Number(b.pinned) - Number(a.pinned) || compareText(a.name, b.name) || compareText(a.file, b.file);
}

/** The `creator` of a skill that an agent wrote. */
export const AGENT = 'agent';

export function isByAgent({ creator }: Pick<SkillDefinition, 'creator'>): boolean {
  return creator === AGENT;
}

/** The skills that a caller sees: every usable one, or only those that a model may see. */
export type SkillView = 'usable' | 'model';

const PASSES: Readonly<Record<SkillView, (skill: Skill) => boolean>> = {
  usable: ({ status }) => status === 'enabled',
  model: isModelVisible,
};

export function listView(skills: readonly Skill[], view: SkillView): readonly Skill[] {
  return skills.filter(PASSES[view]);
}
