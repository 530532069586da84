/** Everything an agent needs: tools, slash commands, pinned skills, a ledger of its conversation. */

/** The system prompt, the tools and the commands of one agent. */
export { forAgent, type AgentStart, type ForAgentOptions } from './agent/for-agent.ts';
/** The tools for an agent: search, load and read; list, run and write as options. */
export { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
/** Two of these tools by themselves, over an engine or a plain list of skills. */
export { listSkillsTool, type ListSkillsOptions } from './agent/tools/list-skills.ts';
export { loadSkillTool, type LoadSkillOptions } from './agent/tools/load-skill.ts';
export type { SkillPool } from './agent/skill-pool.ts';
export type { AgentTool } from './agent/agent-tool.ts';
export type { OfferedTool, SkillTool } from './agent/toolset-tools.ts';
/** Runs the tool that a model called, for a loop that you write yourself. */
export { callTool, type AgentToolAnswer, type AgentToolCall } from './agent/call-tool.ts';
/** Converts tools for model APIs and protocols. */
export {
  toAnthropicTool,
  toLangChainTool,
  toMastraTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from './agent/tool-formats.ts';
/** `/skill:<name>` for users. */
export {
  expandSlashCommand,
  slashCommands,
  type FileCommand,
  type SkillCommand,
  type SlashCommand,
  type SlashMessage,
  type SlashOptions,
} from './agent/slash-commands.ts';
/** Skills that a sub-task has from the start. */
export { resolvePinned, type PinnedSkill, type PinOptions } from './agent/pinned.ts';
/** Which skills are in a conversation, and which to restore after it was compacted. */
export { ActivationLedger, type Activation, type Restoration, type SavedLedger } from './agent/activation-ledger.ts';
