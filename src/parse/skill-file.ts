/** Which of a folder's names is the skill's file: `SKILL.md`, else the same in another case. */
export function findSkillFile(names: readonly string[]): string | undefined {
  if (names.includes('SKILL.md')) return 'SKILL.md';
  return names.find((name) => name.toLowerCase() === 'skill.md');
}
