import type { Skill } from '../../model/skill.ts';

/** Is the skill of one of these sources? `claude` means `claude-user`, `claude-project` and all others of that agent. */
export function isOfSource({ source }: Pick<Skill, 'source'>, sources: readonly string[]): boolean {
  return sources.some((wanted) => source === wanted || source.startsWith(`${wanted}-`));
}
