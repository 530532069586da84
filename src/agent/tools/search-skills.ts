import { toCatalogEntry } from '../../disclose/catalog-entry.ts';
import { markdownFormat } from '../../disclose/formats/markdown.ts';
import { harmlessLine } from '../../disclose/harmless.ts';
import { shortenAtClause } from '../../disclose/shorten.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { Skill } from '../../model/skill.ts';
import type { SkillSearchResult } from '../../select/registry.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { countField, optional, textField, textsField } from '../tool-fields.ts';
import { visibleSkills } from '../visible-skills.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** Of a description, in characters. */
const MAX_DESCRIPTION = 300;

const FIELDS = {
  query: textField('What the skill is needed for, in plain words, or a name or tag.'),
  limit: optional(countField(`How many to give at most; ${DEFAULT_LIMIT}.`, { minimum: 1, maximum: MAX_LIMIT })),
  tags: optional(textsField('Only skills that have all of these tags.')),
};

export function searchSkillsTool(skills: Skills): AgentTool {
  return defineAgentTool('search_skills', {
    description: 'Finds skills for a task, best first. Use it when no skill that you know of fits the task.',
    fields: FIELDS,
    async execute({ query, limit = DEFAULT_LIMIT, tags }) {
      const results = await skills.search({ query, limit, tags, view: 'model' });
      const known = new Map(visibleSkills(skills).map((skill) => [skill.name, skill]));
      const lines = results.flatMap((result) => renderResult(result, known.get(result.name)));
      const output = lines.length === 0 ? 'No skill fits. Try other words, or do without.' : lines.join('').trim();
      const found = results.map(({ name, description, score, reasons }) => ({
        name,
        description: harmlessLine(description),
        score,
        reasons,
      }));
      return { ok: true, title: `${results.length} skills found`, metadata: { results: found }, output };
    },
  });
}

function renderResult({ score, reasons }: SkillSearchResult, skill: Skill | undefined): readonly string[] {
  if (skill === undefined) return [];
  const { name, text, location } = toCatalogEntry(skill);
  const entry = markdownFormat.entry({ name, text: shortenAtClause(text, MAX_DESCRIPTION), location });
  return [`${entry}\n  score ${score.toFixed(2)}: ${reasons.join('; ')}`];
}
