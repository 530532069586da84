import { findSkill } from '../catalog/find.ts';
import { readBody } from '../catalog/read-body.ts';
import type { Skills } from '../engine/open-skills.ts';
import { openPackageGlossary } from '../engine/searching/package-glossary.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { Glossary } from '../select/index/glossary.ts';
import { buildIndex, EMPTY_INDEX, type SearchIndex } from '../select/index/search-index.ts';
import { SkillRegistry } from '../select/registry.ts';
import { NO_STAMP } from '../sources/place-skill.ts';
import { listSearched, openEvaluated, readEval, type EvaluateSkillsOptions } from './evaluate-skills.ts';
import { evaluate, type RankingFigures } from './evaluation.ts';
import type { renderDescription } from './render-description.ts';
import { suggestWords, type DescribableSkills, type MissingSuggestion } from './suggest-words.ts';

/** Words for the description of one skill. */
export interface DescriptionSuggestion {
  readonly skill: string;
  /** The path of its SKILL.md, which is not changed. */
  readonly path: string;
  readonly words: readonly string[];
  /** A unified diff for `patch -p1` in the folder above the skill's. */
  readonly diff: string;
  /** Requests that are served better with these words. */
  readonly better: readonly string[];
}

export interface SkillSuggestions {
  readonly file: string;
  readonly requests: number;
  /** The figures without and with all suggestions. */
  readonly before: RankingFigures;
  readonly after: RankingFigures;
  readonly suggestions: readonly DescriptionSuggestion[];
  readonly without: readonly MissingSuggestion[];
}

/**
 * Suggests words for the descriptions of skills that requests missed, and changes nothing. Each suggestion is checked by
 * running the requests again: they are served better with it, and none of them worse. No request is copied: a word occurs
 * in several missed requests of the skill, or in one and in its instructions, and never three neighbouring words of a
 * request are taken. `path` is as for `evaluateSkills`.
 */
export async function suggestDescriptions(
  skills: Skills,
  path: string,
  { skill: name, threshold }: EvaluateSkillsOptions = {},
): Promise<Outcome<SkillSuggestions>> {
  await using engine = openEvaluated(skills);
  const read = await readEval(engine, path, name);
  if (!read.ok) return read;
  const { cases, tested } = read;
  const all = listSearched(skills, tested);
  // Lazy: readers should not pay for the writer.
  const { renderDescription: render } = await import('./render-description.ts');
  const searched = openDescribable(all, EMPTY_INDEX, { glossary: openPackageGlossary(), render });
  const before = evaluate(cases, searched, { threshold });
  if (before.ranking === undefined)
    return fail('RESOURCE_NOT_FOUND', `${path}: no request names a skill to find, so there is nothing to suggest`);
  const { suggestions, without, described } = suggestWords(cases, searched, { threshold });
  return {
    ok: true,
    file: path,
    requests: before.requests,
    before: before.ranking,
    after: evaluate(cases, described, { threshold }).ranking ?? before.ranking,
    suggestions: suggestions.map(({ skill, words, description, better }) => {
      const rendered = render(skill, description);
      return { skill: skill.name, path: skill.file, words, diff: rendered.ok ? rendered.diff : '', better };
    }),
    without,
  };
}

interface Tools {
  readonly glossary: Glossary;
  readonly render: typeof renderDescription;
}

/** Only the skill that is described anew is indexed again. */
function openDescribable(skills: readonly Skill[], earlier: SearchIndex, tools: Tools): DescribableSkills {
  const index = buildIndex(earlier, skills, { readBody, glossary: tools.glossary });
  const registry = SkillRegistry.withIndex(skills, index);
  return {
    rank: (query) => registry.search(query),
    find: (name) => findSkill(skills, name),
    readBody,
    refuse(skill, description) {
      const rendered = tools.render(skill, description);
      return rendered.ok ? undefined : rendered.message;
    },
    describe: (described, description) =>
      openDescribable(
        skills.map((skill) => (skill.file === described.file ? { ...skill, description, stamp: NO_STAMP } : skill)),
        index,
        tools,
      ),
  };
}
