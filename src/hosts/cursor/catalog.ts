import type { HostCatalog, HostSkill, ListedSkill, ShownDescription } from '../seeing/host-skill.ts';

/** Read in the source of SDK 1.0.32. */
const MAX_DESCRIPTION_LENGTH = 1_536;

/** The program sends every description, cut; a server makes the list of them, by rules that are not known. */
export function layOutCursor(skills: readonly ListedSkill[]): HostCatalog {
  return { entries: skills.map(({ skill }) => ({ skill, isListed: true, ...describeForCursor(skill) })) };
}

/** The description, up to a limit. */
export function describeForCursor({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  if (description.length <= MAX_DESCRIPTION_LENGTH) return { text: description };
  const because = `its description has ${description.length} characters, and only ${MAX_DESCRIPTION_LENGTH} are sent`;
  const cut = { because, remedy: 'Say what it is for in the first sentences.' };
  return { text: description.slice(0, MAX_DESCRIPTION_LENGTH), cut };
}
