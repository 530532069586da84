import type { Skills } from '../engine/open-skills.ts';
import {
  aBoolean,
  anObject,
  aString,
  checkCall,
  either,
  type OptionKinds,
  optionsOf,
  strings,
} from '../model/check-arguments.ts';
import type { ActivationLedger } from './activation-ledger.ts';
import type { AgentTool } from './agent-tool.ts';
import { openPool, type SkillPool } from './skill-pool.ts';
import { listSkillsTool } from './tools/list-skills.ts';
import { loadSkillTool, type LoadSkillOptions } from './tools/load-skill.ts';
import { readResourceTool } from './tools/read-resource.ts';
import { runScriptTool } from './tools/run-script.ts';
import { searchSkillsTool } from './tools/search-skills.ts';
import { writeSkillTool } from './tools/write-skill.ts';
import { visibleSkills } from './visible-skills.ts';

export interface AgentToolOptions {
  /** Adds `list_skills`, for agents whose prompt does not list the skills; false. */
  readonly list?: boolean | undefined;
  /** Adds `run_skill_script`. Only trusted skills run; false. */
  readonly run?: boolean | undefined;
  /**
   * With `run`: a folder in which scripts work, and which they may change. By default each works in a copy of its skill, and the
   * model may give it files from where the engine was opened.
   */
  readonly workspace?: string | undefined;
  /** With `run`: a folder to which the files that scripts write are copied. */
  readonly saveTo?: string | undefined;
  /** With `run`: the network, or these hosts of it, for scripts; see `ScriptOptions`. Closed by default. */
  readonly network?: boolean | readonly string[] | undefined;
  /** With `run`: names of variables that scripts get; see `ScriptOptions`. */
  readonly env?: readonly string[] | undefined;
  /** Adds `write_skill`: the agent may create skills, and change those that agents wrote; false. */
  readonly write?: boolean | undefined;
  /**
   * Remembers which skills a conversation holds, so that it gets no instructions twice. Pass it only to tools of one
   * conversation. Without it the tools serve any number of them, and return instructions in full every time.
   */
  readonly ledger?: ActivationLedger | undefined;
}

export const AGENT_TOOL_KINDS: OptionKinds<AgentToolOptions> = {
  list: aBoolean,
  run: aBoolean,
  workspace: aString,
  saveTo: aString,
  network: either('true or a list of hosts', aBoolean, strings),
  env: strings,
  write: aBoolean,
  ledger: anObject,
};
const AGENT_TOOL_OPTIONS = optionsOf<AgentToolOptions>(AGENT_TOOL_KINDS);

/** Every tool, in the order in which a model gets them. */
const TOOLS: readonly ToolRow[] = [
  { isWanted: ({ list }) => list === true, make: (skills, { write }) => listSkillsTool(skills, { write }) },
  {
    needsSkills: true,
    make: (skills, { ledger, run, tools }) => loadSkillTool(skills, { ledger, read: true, run, tools }),
  },
  { needsSkills: true, make: searchSkillsTool },
  { needsSkills: true, make: readResourceTool },
  { needsSkills: true, isWanted: ({ run }) => run === true, make: runScriptTool },
  { isWanted: ({ write }) => write === true, make: writeSkillTool },
];

interface ToolRow {
  /** It is of no use to a model that may use no skill. */
  readonly needsSkills?: boolean;
  /** By default, always. */
  readonly isWanted?: (options: AgentToolOptions) => boolean;
  readonly make: (skills: Skills, options: MakeOptions) => AgentTool;
}

/** `tools`: additional tools from skills. */
type MakeOptions = AgentToolOptions & Pick<LoadSkillOptions, 'tools'>;

/**
 * The tools with which a model finds and uses skills. They may live long: listing and searching see skills that are added
 * on disk, and a skill that is unknown is looked for once more. The model learns of no skill that is disabled,
 * unavailable or hidden. If it may use no skill at all, only `list_skills` and `write_skill` remain.
 */
export function agentTools(pool: SkillPool, options: AgentToolOptions = {}): readonly AgentTool[] {
  const skills = openPool('agentTools(skills, options?)', pool);
  checkCall('agentTools(skills, options?)', { options: [options, AGENT_TOOL_OPTIONS] });
  return makeTools(skills, options);
}

/** The same for options that may hold more. */
export function makeTools(skills: Skills, options: MakeOptions): readonly AgentTool[] {
  const hasSkills = visibleSkills(skills).length > 0;
  return TOOLS.filter(
    ({ needsSkills = false, isWanted = () => true }) => isWanted(options) && (hasSkills || !needsSkills),
  ).map(({ make }) => make(skills, options));
}

/** The names of all tools that `agentTools` may return, whatever the options. */
export function agentToolNames(skills: Skills): readonly string[] {
  return TOOLS.map(({ make }) => make(skills, {}).name);
}
