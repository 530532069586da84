/** Skillplane for the AI SDK (`ai`). */

import { toAiSdkTool, type AiSdkTool } from './activate/tool-formats.ts';
import { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
import type { Skills } from './engine/open-skills.ts';

export { toAiSdkTool, type AiSdkTool };

/** The tools for an agent, by name, as `generateText` and `streamText` take them. */
export function toolSet(skills: Skills, options: AgentToolOptions = {}): Record<string, AiSdkTool> {
  return Object.fromEntries(agentTools(skills, options).map((tool) => [tool.name, toAiSdkTool(tool)]));
}
