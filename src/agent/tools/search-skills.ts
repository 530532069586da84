import { toCatalogEntry } from '../../disclose/catalog-entry.ts';
import { markdownFormat } from '../../disclose/formats/markdown.ts';
import { harmlessLine } from '../../disclose/harmless.ts';
import { shortenAtClause } from '../../disclose/shorten.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { Skill } from '../../model/skill.ts';
import { splitResults, type SkillSearchResult } from '../../select/registry.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { failForModel, failureText } from '../model-text.ts';
import { countField, optional, textField, textsField } from '../tool-fields.ts';
import { FLAG, outputSchema, TEXT } from '../tool-output.ts';
import { explainBroken, lookForAny } from '../visible-skills.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
const MAX_DESCRIPTION_CHARACTERS = 300;

export function searchSkillsTool(skills: Skills): AgentTool {
  return defineAgentTool({
    name: 'search_skills',
    title: 'Search skills',
    description:
      'Use this when no skill that you already know of fits the task. ' +
      'Returns matching skills, best match first, each with its description, score and the reasons for the match. ' +
      'Weak matches come apart: ignore them unless one clearly fits.',
    annotations: READ_ONLY,
    input: {
      query: textField('What you need a skill for, in plain words. A skill name or a tag also works.'),
      limit: optional(
        countField(`Maximum number of results. Default: ${DEFAULT_LIMIT}.`, { minimum: 1, maximum: MAX_LIMIT }),
      ),
      tags: optional(textsField('Return only skills that have all of these tags.')),
    },
    output: outputSchema(
      {
        results: {
          type: 'array',
          items: outputSchema(
            {
              name: TEXT,
              description: TEXT,
              score: { type: 'number', minimum: 0, maximum: 1 },
              confidence: { type: 'number', minimum: 0, maximum: 1 },
              weak: FLAG,
              reasons: { type: 'array', items: TEXT },
            },
            ['weak'],
          ),
        },
        partial: { type: 'array', items: TEXT },
      },
      ['partial'],
    ),
    async execute({ query, limit = DEFAULT_LIMIT, tags }) {
      const results = await lookForAny(skills, () => skills.search({ query, limit, tags, view: 'model' }));
      const gaps = (results.partial ?? []).map(({ reason }) => reason);
      return {
        ok: true,
        title: `${splitResults(results).strong.length} skills found`,
        metadata: { results: results.map(toStructured), ...(gaps.length === 0 ? {} : { partial: gaps }) },
        output: [
          ...renderResults(results, skills),
          ...gaps.map((reason) => `This list is not complete: ${reason}.`),
          ...noteBroken(skills, query),
        ].join('\n\n'),
      };
    },
  });
}

function toStructured({ name, description, score, confidence, weak, reasons }: SkillSearchResult): object {
  return {
    name,
    description: harmlessLine(description),
    score,
    confidence,
    ...(weak === true ? { weak } : {}),
    reasons,
  };
}

/** The answers, or that there are none; then the weak results, if any. */
function renderResults(results: readonly SkillSearchResult[], skills: Skills): readonly string[] {
  const names = new Set(results.map(({ name }) => name));
  const shown = skills.catalog().skills.filter(({ name }) => names.has(name));
  const known = new Map(shown.map((skill) => [skill.name, skill]));
  const render = (group: readonly SkillSearchResult[]): string =>
    group
      .flatMap((result) => renderResult(result, known.get(result.name)))
      .join('')
      .trim();
  const { strong, weak } = splitResults(results);
  return [
    strong.length === 0 ? 'No skill matches. Try other words, or continue without a skill.' : render(strong),
    ...(weak.length === 0 ? [] : [`Weak matches, which probably do not serve this request:\n${render(weak)}`]),
  ];
}

/** Explains why a skill that was searched for by its name is not among the results. */
function noteBroken(skills: Skills, query: string): readonly string[] {
  const failure = explainBroken(skills, query.trim());
  return failure === undefined ? [] : [failureText(failForModel(failure))];
}

function renderResult({ score, reasons }: SkillSearchResult, skill: Skill | undefined): readonly string[] {
  if (skill === undefined) return [];
  const { name, text, location } = toCatalogEntry(skill);
  const entry = markdownFormat.entry({ name, text: shortenAtClause(text, MAX_DESCRIPTION_CHARACTERS), location });
  return [`${entry}\n  score ${score.toFixed(2)}: ${reasons.join('; ')}`];
}
