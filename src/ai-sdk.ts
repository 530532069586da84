/** Skillplane for the AI SDK (the package `ai`). */

import { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
import { toAiSdkTool, type AiSdkTool } from './agent/tool-formats.ts';
import type { Skills } from './engine/open-skills.ts';

export { toAiSdkTool, type AiSdkTool };

/** The tools for an agent, for `tools` of `generateText` and `streamText`. */
export function toolSet(skills: Skills, options: AgentToolOptions = {}): Record<string, AiSdkTool> {
  return Object.fromEntries(agentTools(skills, options).map((tool) => [tool.name, toAiSdkTool(tool)]));
}
