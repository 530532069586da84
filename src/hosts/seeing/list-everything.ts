import type { HostCatalog, HostSkill, ListedSkill, ShownDescription } from './host-skill.ts';

/** For hosts that cut no description. */
export function describeWhole({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  return { text: description };
}

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
