import type { FoundAnswer, SkillAnswer } from '../../../../hub/src/http/wire.ts';
import { labelOf } from './labels.ts';

/** A skill in the list, with the hub's words about it if it was found. */
export interface RankedSkill {
  readonly skill: SkillAnswer;
  readonly found: FoundAnswer | undefined;
}

/**
 * Orders skills for a search: those that the hub found as it ranks them, then those that only hold the words. Before the hub has
 * answered, those that hold the words are all there is.
 */
export function rankSkills(
  skills: readonly SkillAnswer[],
  query: string,
  results: readonly FoundAnswer[] | undefined,
): readonly RankedSkill[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return skills.map((skill) => ({ skill, found: undefined }));
  const found = (results ?? []).map((result) => ({ skill: toSkill(result), found: result }));
  const ranked = new Set(found.map(({ skill }) => labelOf(skill)));
  const holding = skills
    .filter((skill) => !ranked.has(labelOf(skill)) && words.every((word) => textOf(skill).includes(word)))
    .map((skill) => ({ skill, found: undefined }));
  return [
    ...found.filter(({ found: { weak } }) => weak !== true),
    ...holding,
    ...found.filter(({ found: { weak } }) => weak === true),
  ];
}

/** A hub may have more skills than the page has read; the search covers all of them. */
function toSkill({ scope, name, version, description, tags }: FoundAnswer): SkillAnswer {
  return { scope, name, version, description, tags, publishedAt: null };
}

function textOf({ scope, name, description, tags }: SkillAnswer): string {
  return `${labelOf({ scope, name })} ${description ?? ''} ${tags.join(' ')}`.toLowerCase();
}
