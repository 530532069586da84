import type { HostCatalog, ListedSkill } from '../seeing/host-skill.ts';

/** Read in the source of SDK 1.0.32. */
const MAX_DESCRIPTION_LENGTH = 1_536;

/** The program sends every description, cut; a server makes the list of them, by rules that are not known. */
export function layOutCursor(skills: readonly ListedSkill[]): HostCatalog {
  return {
    entries: skills.map(({ skill }) => {
      const { length } = skill.description;
      if (length <= MAX_DESCRIPTION_LENGTH) return { skill, text: skill.description, isListed: true };
      const because = `its description has ${length} characters, and only ${MAX_DESCRIPTION_LENGTH} are sent`;
      const cut = { because, remedy: 'Say what it is for in the first sentences.' };
      return { skill, text: skill.description.slice(0, MAX_DESCRIPTION_LENGTH), isListed: true, cut };
    }),
  };
}
