import type { Skills } from '../engine/open-skills.ts';
import { ActivationLedger } from './activation-ledger.ts';
import type { AgentTool } from './agent-tool.ts';
import { listSkillsTool } from './tools/list-skills.ts';
import { loadSkillTool } from './tools/load-skill.ts';
import { readResourceTool } from './tools/read-resource.ts';
import { runScriptTool } from './tools/run-script.ts';
import { searchSkillsTool } from './tools/search-skills.ts';
import { writeSkillTool } from './tools/write-skill.ts';
import { visibleSkills } from './visible-skills.ts';

export interface AgentToolOptions {
  /** Adds `list_skills`, for an agent that must discover skills without a list in its prompt; false. */
  readonly list?: boolean | undefined;
  /** Adds `run_skill_script`. A skill that is not trusted runs nothing all the same; false. */
  readonly run?: boolean | undefined;
  /** Adds `write_skill`: the agent may create skills, and change those that agents wrote; false. */
  readonly write?: boolean | undefined;
  /** The skills of the conversation that the tools are for; without it these tools begin one of their own. */
  readonly ledger?: ActivationLedger | undefined;
  /** For a caller that cannot tell conversations apart: instructions are given whole each time; false. */
  readonly isShared?: boolean | undefined;
}

/**
 * The tools by which the model of one conversation finds and uses skills; without any skill that it may use there are
 * none but `list_skills` and `write_skill`. The model learns of no skill that is disabled, unavailable or hidden.
 */
export function agentTools(skills: Skills, options: AgentToolOptions = {}): readonly AgentTool[] {
  const { list = false, run = false, write = false, isShared = false } = options;
  const ledger = isShared ? undefined : (options.ledger ?? new ActivationLedger());
  const listing = list ? [listSkillsTool(skills, { isWriter: write })] : [];
  const writing = write ? [writeSkillTool(skills)] : [];
  if (visibleSkills(skills).length === 0) return [...listing, ...writing];
  return [
    ...listing,
    loadSkillTool(skills, ledger),
    searchSkillsTool(skills),
    readResourceTool(skills),
    ...(run ? [runScriptTool(skills)] : []),
    ...writing,
  ];
}
