import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { isChangeableByAgent, type SkillView } from '../../catalog/view.ts';
import { toCatalogEntry } from '../../disclose/catalog-entry.ts';
import { fitCatalog } from '../../disclose/fit-catalog.ts';
import type { CatalogFormat } from '../../disclose/formats/catalog-format.ts';
import { markdownFormat } from '../../disclose/formats/markdown.ts';
import type { Outcome } from '../../model/outcome.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { openPool, type SkillPool } from '../skill-pool.ts';
import { flagField, optional } from '../tool-fields.ts';
import { COUNT, OUTPUT, outputSchema } from '../tool-output.ts';
import { lookForAny, visibleSkills, type LiveCatalog } from '../visible-skills.ts';

/** In characters. A longer list is reduced to names, and then cut with a count of the rest. */
const MAX_LENGTH = 40_000;

const LIST: CatalogFormat = { ...markdownFormat, isBrief: false, entries: { open: '', between: '', close: '' } };

export interface ListSkillsOptions {
  /** The agent also has `write_skill`: lets it list only the skills that it may change; false. */
  readonly write?: boolean | undefined;
}

const DEFINITION = {
  name: 'list_skills',
  title: 'List skills',
  description:
    'Use this to see every skill that you can load. Returns the name and description of each skill, one per line.',
  annotations: READ_ONLY,
  output: outputSchema({ count: COUNT, output: OUTPUT }),
};

/** Lists the skills of an engine or a view, or of a plain list. */
export function listSkillsTool(pool: SkillPool, { write: isWriter = false }: ListSkillsOptions = {}): AgentTool {
  const skills = openPool(pool);
  if (!isWriter) return defineAgentTool({ ...DEFINITION, input: {}, execute: () => list(skills) });
  const ownField = flagField('List only skills that agents wrote. You can change these with write_skill.');
  return defineAgentTool({
    ...DEFINITION,
    input: { by_agents: optional(ownField) },
    execute: ({ by_agents: isOwn }) => list(skills, isOwn === true ? isChangeableByAgent : undefined),
  });
}

async function list(skills: LiveCatalog, view: SkillView = () => true): Promise<Outcome<ToolResult>> {
  const found = await lookForAny(skills, () => visibleSkills(skills).filter(view));
  const entries = found.map((skill) => toCatalogEntry(skill));
  const text = fitCatalog({ entries, order: [...entries.keys()], front: 0 }, LIST, MAX_LENGTH)
    .render()
    .trim();
  const output = entries.length === 0 ? 'No skills available.' : text;
  return { ok: true, title: 'Skills', metadata: { count: entries.length }, output };
}
