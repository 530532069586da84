import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { toCatalogEntry } from '../../disclose/catalog-entry.ts';
import { fitCatalog } from '../../disclose/fit-catalog.ts';
import type { CatalogFormat } from '../../disclose/formats/catalog-format.ts';
import { markdownFormat } from '../../disclose/formats/markdown.ts';
import type { Outcome } from '../../model/outcome.ts';
import { onlyByAgents } from '../agent-skills.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { flagField, optional } from '../tool-fields.ts';
import { visibleSkills, type CatalogHolder } from '../visible-skills.ts';

/** In characters; of thousands of skills the names alone are listed, and those that have no room are counted. */
const MAX_LENGTH = 40_000;

const LIST: CatalogFormat = { ...markdownFormat, isBrief: false, entries: { open: '', between: '', close: '' } };

export interface ListOptions {
  /** May the agent write skills? Then it can ask for those alone that it may change; false. */
  readonly isWriter?: boolean | undefined;
}

export function listSkillsTool(skills: CatalogHolder, { isWriter = false }: ListOptions = {}): AgentTool {
  const description = 'Lists the skills there are, by name and description. Use it to see what you could load.';
  if (!isWriter) return defineAgentTool('list_skills', { description, fields: {}, execute: () => list(skills) });
  const ownField = flagField('Only skills that agents wrote, which you may change with write_skill.');
  return defineAgentTool('list_skills', {
    description,
    fields: { by_agents: optional(ownField) },
    execute: ({ by_agents: isOwn }) => list(isOwn === true ? onlyByAgents(skills) : skills),
  });
}

function list(skills: CatalogHolder): Outcome<ToolResult> {
  const entries = visibleSkills(skills).map((skill) => toCatalogEntry(skill));
  const text = fitCatalog({ entries, order: [...entries.keys()], front: 0 }, LIST, MAX_LENGTH)
    .render()
    .trim();
  const output = entries.length === 0 ? 'No skills available.' : text;
  return { ok: true, title: 'Skills', metadata: { count: entries.length }, output };
}
