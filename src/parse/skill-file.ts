/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** Picks a skill's file from the names in its folder: `SKILL.md` first, then any other spelling of it. */
export function findSkillFile(names: readonly string[]): string | undefined {
  return names.includes(SKILL_FILE) ? SKILL_FILE : names.find((name) => name.toLowerCase() === 'skill.md');
}
