import type { HostCatalog, ListedSkill } from './host-skill.ts';

/** For hosts that list everything in full. */
export function listEverything(skills: readonly ListedSkill[]): HostCatalog {
  return {
    entries: skills.map(({ skill, isNamed }) => ({
      skill,
      text: isNamed ? '' : skill.description,
      isListed: true,
    })),
  };
}
