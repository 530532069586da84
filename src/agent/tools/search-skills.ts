import { shortenEntry, toCatalogEntry } from '../../disclose/catalog-entry.ts';
import type { CatalogEntry } from '../../disclose/formats/catalog-format.ts';
import { plainIndexFormat } from '../../disclose/formats/markdown.ts';
import { harmlessLine } from '../../disclose/harmless.ts';
import { shortenAtClause } from '../../disclose/shorten.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { fail } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { splitResults, type SkillSearchResult } from '../../select/registry.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { failForModel } from '../model-text.ts';
import { countField, hidden, textField, textsField } from '../tool-fields.ts';
import { FLAG, outputSchema, TEXT } from '../tool-output.ts';
import { explainBroken, lookForAny } from '../visible-skills.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;
/** Number of weak results described if there is no better one. */
const MOST_WEAK = 3;
/** In characters. */
const DESCRIPTION_LENGTH = 300;
const WEAK_DESCRIPTION_LENGTH = 160;
const MAX_QUERY_SHOWN = 80;
/** The last line of every list of skills that a model asked for. */
export const LOAD_ONE =
  'Load the one whose description covers the task with load_skill; if none does, go on without a skill.';

export function searchSkillsTool(skills: Skills): AgentTool {
  return defineAgentTool({
    name: 'search_skills',
    title: 'Search skills',
    description:
      'Finds skills that cover a task. Call it when the skills that you know of do not fit, before you go on without ' +
      'one. Returns up to five, best first, each with its description.',
    annotations: READ_ONLY,
    input: {
      query: textField('The task in your own words, in a sentence: what is to be done, with what.'),
      limit: hidden(countField('Maximum number of results.', { minimum: 1, maximum: MAX_LIMIT })),
      tags: hidden(textsField('Return only skills that have all of these tags.')),
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
      if (query.trim() === '' && tags === undefined)
        return fail('TOOLSET_FAILED', 'search_skills takes {"query": "<the task in a sentence>"}; the query is empty');
      const results = await lookForAny(skills, () => skills.search({ query, limit, tags, view: 'model' }));
      const gaps = (results.partial ?? []).map(({ reason }) => reason);
      return {
        ok: true,
        title: `${splitResults(results).strong.length} skills found`,
        metadata: { results: results.map(toStructured), ...(gaps.length === 0 ? {} : { partial: gaps }) },
        output: [
          ...(await renderResults(query, results, skills)),
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

/** The results, best first, and what to do with them. Scores and reasons are for programs: `metadata` has them. */
async function renderResults(
  query: string,
  results: readonly SkillSearchResult[],
  skills: Skills,
): Promise<readonly string[]> {
  const names = new Set(results.map(({ name }) => name));
  const shown = skills.catalog().skills.filter(({ name }) => names.has(name));
  const known = new Map(shown.map((skill) => [skill.name, skill]));
  const verdicts = await skills.trust.survey(shown);
  const render = (group: readonly SkillSearchResult[], length: number): string =>
    group
      .flatMap(({ name }) => known.get(name) ?? [])
      .map((skill) => renderEntry(skill, { length, isWithheld: verdicts.get(skill)?.ok === false }))
      .join('');
  const { strong, weak } = splitResults(results);
  if (strong.length > 0) {
    const near = weak.map(({ name }) => plainIndexFormat.name(name)).join(', ');
    const also = near === '' ? '' : `\nAlso near: ${near}.`;
    return [`Best first:${render(strong, DESCRIPTION_LENGTH)}${also}\n${LOAD_ONE}`];
  }
  if (weak.length > 0)
    return [
      `No sure match. Nearest, best first:${render(weak.slice(0, MOST_WEAK), WEAK_DESCRIPTION_LENGTH)}\n` +
        'Load one with load_skill only if its description covers the task. ' +
        'If none does, search once more in other words, or go on without a skill.',
    ];
  const asked = shortenAtClause(harmlessLine(query), MAX_QUERY_SHOWN);
  return [`No skill has to do with "${asked}". Go on without a skill.`];
}

/** Explains why a skill that was searched for by its name is not among the results. */
function noteBroken(skills: Skills, query: string): readonly string[] {
  const failure = explainBroken(skills, query.trim());
  return failure === undefined ? [] : [failForModel(failure).message];
}

function renderEntry(
  skill: Skill,
  { length, isWithheld }: { readonly length: number; readonly isWithheld: boolean },
): string {
  return plainIndexFormat.entry(markWithheld(shortenEntry(toCatalogEntry(skill), length), isWithheld));
}

/** A withheld skill is marked in lists, so that no call is lost on loading it. */
export function markWithheld(entry: CatalogEntry, isWithheld: boolean): CatalogEntry {
  if (!isWithheld) return entry;
  const { name, text, location } = entry;
  return { name: `${name} (withheld)`, text, location };
}
