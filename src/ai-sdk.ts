/** Skillplane for the AI SDK (the package `ai`). */

import type { Tool } from './activate/toolsets/tool.ts';
import type { AgentToolOutputs } from './agent/agent-tool-outputs.ts';
import { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
import { toAiSdkTool, type AiSdkOptions, type AiSdkTool, type ToolOutput } from './agent/tool-formats.ts';
import type { Skills } from './engine/open-skills.ts';

export { toAiSdkTool, type AgentToolOutputs, type AiSdkOptions, type AiSdkTool, type ToolOutput };

/** Our tools by name, each with its answer, as the options ask for them. */
export type SkillToolSet<Options extends AgentToolOptions> = {
  readonly [Name in ToolName<Options>]: AiSdkTool<AgentToolOutputs[Name]>;
};

type ToolName<Options extends AgentToolOptions> =
  | 'load_skill'
  | 'search_skills'
  | 'read_skill_resource'
  | (Options extends { readonly list: true } ? 'list_skills' : never)
  | (Options extends { readonly run: true } ? 'run_skill_script' : never)
  | (Options extends { readonly write: true } ? 'write_skill' : never);

/** Tools that you have already, such as those of `forAgent`, for `tools` of `generateText` and `streamText`. */
export function toolSet(tools: readonly Tool[], options?: AiSdkOptions): Record<string, AiSdkTool>;
/** The tools for an agent, for `tools` of `generateText` and `streamText`. Those that need a skill are missing while there is none. */
export function toolSet<const Options extends AgentToolOptions & AiSdkOptions>(
  skills: Skills,
  options?: Options,
): SkillToolSet<Options>;
export function toolSet(
  given: Skills | readonly Tool[],
  { needsApproval, ...options }: AgentToolOptions & AiSdkOptions = {},
): Record<string, AiSdkTool> {
  const tools = 'catalog' in given ? agentTools(given, options) : given;
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, { needsApproval })]));
}
