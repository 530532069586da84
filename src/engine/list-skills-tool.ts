import { fitCatalog } from '../disclose/budget.ts';
import { toCatalogEntry } from '../disclose/catalog-entry.ts';
import type { CatalogFormat } from '../disclose/catalog-format.ts';
import { markdownFormat } from '../disclose/format-markdown.ts';
import { defineAgentTool, type AgentTool } from './agent-tool.ts';
import { visibleSkills, type CatalogHolder } from './visible-skills.ts';

/** In characters; of thousands of skills the names alone are listed, and those that have no room are counted. */
const MAX_LENGTH = 40_000;

const LIST: CatalogFormat = { ...markdownFormat, isBrief: false, entries: { open: '', between: '', close: '' } };

export function listSkillsTool(skills: CatalogHolder): AgentTool {
  return defineAgentTool('list_skills', {
    description: 'Lists the skills there are, by name and description. Use it to see what you could load.',
    fields: {},
    execute() {
      const entries = visibleSkills(skills).map((skill) => toCatalogEntry(skill));
      const list = fitCatalog({ entries, order: [...entries.keys()], front: 0 }, LIST, MAX_LENGTH)
        .render()
        .trim();
      const output = entries.length === 0 ? 'No skills available.' : list;
      return { ok: true, title: 'Skills', metadata: { count: entries.length }, output };
    },
  });
}
