import type { HostCatalog, ListedSkill, Switches } from './host-skill.ts';

/** For hosts without switches in files. */
export const NO_SWITCHES: Switches = { files: [], faults: [], stateOf: () => undefined };

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
