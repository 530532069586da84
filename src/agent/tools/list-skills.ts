import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { changeableByAgent, type SkillView } from '../../catalog/view.ts';
import { toCatalogEntry } from '../../disclose/catalog-entry.ts';
import { fitCatalog } from '../../disclose/fit-catalog.ts';
import type { CatalogFormat } from '../../disclose/formats/catalog-format.ts';
import { markdownFormat, plainIndexFormat } from '../../disclose/formats/markdown.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { checkCall, aBoolean, optionsOf } from '../../model/check-arguments.ts';
import type { Outcome } from '../../model/outcome.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { openPool, type SkillPool } from '../skill-pool.ts';
import { flagField, optional } from '../tool-fields.ts';
import { COUNT, OUTPUT, outputSchema } from '../tool-output.ts';
import { lookForAny, visibleSkills } from '../visible-skills.ts';
import { LOAD_ONE, markWithheld } from './search-skills.ts';

/** In characters, the last line included. A longer list is reduced to names, and then cut with a count of the rest. */
const MAX_LENGTH = 16_000;

const LIST: CatalogFormat = {
  ...plainIndexFormat,
  entries: { open: '', between: '', close: '' },
  more: markdownFormat.more,
};

export interface ListSkillsOptions {
  /** The agent also has `write_skill`: lets it list only the skills that it may change; false. */
  readonly write?: boolean | undefined;
}

const OPTIONS = optionsOf<ListSkillsOptions>({ write: aBoolean });

const DEFINITION = {
  name: 'list_skills',
  title: 'List skills',
  description:
    'Lists the skills, with descriptions as long as there is room. Call it only if you are asked which skills there ' +
    'are; to find one for a task, call search_skills.',
  annotations: READ_ONLY,
  output: outputSchema({ count: COUNT, output: OUTPUT }),
};

/** Lists the skills of an engine or a view, or of a plain list. */
export function listSkillsTool(pool: SkillPool, options: ListSkillsOptions = {}): AgentTool {
  const skills = openPool('listSkillsTool(skills, options?)', pool);
  checkCall('listSkillsTool(skills, options?)', { options: [options, OPTIONS] });
  const { write: isWriter = false } = options;
  if (!isWriter) return defineAgentTool({ ...DEFINITION, input: {}, execute: () => list(skills) });
  const ownField = flagField('List only skills that agents wrote. You can change these with write_skill.');
  return defineAgentTool({
    ...DEFINITION,
    input: { by_agents: optional(ownField) },
    execute: ({ by_agents: isOwn }) => list(skills, isOwn === true ? changeableByAgent(skills.catalog()) : undefined),
  });
}

async function list(skills: Skills, view: SkillView = () => true): Promise<Outcome<ToolResult>> {
  const found = await lookForAny(skills, () => visibleSkills(skills).filter(view));
  const verdicts = await skills.trust.survey(found);
  const entries = found.map((skill) => markWithheld(toCatalogEntry(skill), verdicts.get(skill)?.ok === false));
  const text = fitCatalog({ entries, order: [...entries.keys()], front: 0 }, LIST, MAX_LENGTH - LOAD_ONE.length - 1)
    .render()
    .trim();
  const output = entries.length === 0 ? 'No skills available.' : `${text}\n${LOAD_ONE}`;
  return { ok: true, title: 'Skills', metadata: { count: entries.length }, output };
}
