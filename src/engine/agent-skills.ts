import type { ParsedSkill } from '../model/skill.ts';
import type { Skills } from './open-skills.ts';

/** What `creator` says of a skill that an agent wrote. */
export const AGENT = 'agent';

export function isByAgent({ creator }: Pick<ParsedSkill, 'creator'>): boolean {
  return creator === AGENT;
}

/** The same skills, as if there were only those that agents wrote. */
export function onlyByAgents<T extends Pick<Skills, 'catalog'>>(skills: T): T {
  return {
    ...skills,
    catalog() {
      const catalog = skills.catalog();
      return { ...catalog, skills: catalog.skills.filter(isByAgent) };
    },
  };
}
