/** Skillplane for the AI SDK (the package `ai`). */

import type { Tool } from './activate/toolsets/tool.ts';
import { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
import { toAiSdkTool, type AiSdkTool } from './agent/tool-formats.ts';
import type { Skills } from './engine/open-skills.ts';

export { toAiSdkTool, type AiSdkTool };

/** Tools that you have already, such as those of `forAgent`, for `tools` of `generateText` and `streamText`. */
export function toolSet(tools: readonly Tool[]): Record<string, AiSdkTool>;
/** The tools for an agent, for `tools` of `generateText` and `streamText`. */
export function toolSet(skills: Skills, options?: AgentToolOptions): Record<string, AiSdkTool>;
export function toolSet(given: Skills | readonly Tool[], options: AgentToolOptions = {}): Record<string, AiSdkTool> {
  const tools = 'catalog' in given ? agentTools(given, options) : given;
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool)]));
}
