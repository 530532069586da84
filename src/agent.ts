/** What an agent is given: tools, slash commands, pinned skills, a ledger of its conversation, reflection. */

/** The tools for an agent: search, load and read; list, run and write on request. */
export { agentTools, type AgentToolOptions } from './agent/agent-tools.ts';
export { type AgentTool } from './agent/agent-tool.ts';
/** Tools in the forms that model providers and protocols expect. */
export { toAnthropicTool, toMcpTool, toOpenAiChatTool, toOpenAiResponsesTool } from './activate/tool-formats.ts';
/** `/skill:<name>` for users. */
export {
  expandSlashCommand,
  slashCommands,
  type SlashCommand,
  type SlashMessage,
  type SlashOptions,
} from './agent/slash-commands.ts';
/** Skills that a sub-task is given from the start. */
export { resolvePinned, type PinnedSkill, type PinOptions } from './agent/pinned.ts';
/** Which skills are in a conversation, and what to restore after it was compacted. */
export { ActivationLedger, type Activation, type Restoration, type SavedLedger } from './agent/activation-ledger.ts';
/** Lets a model look back at a turn and keep what it learned as a skill. */
export { SkillReflector, type Reflection, type ReflectorOptions } from './agent/skill-reflector.ts';
export type {
  ReflectionAnswer,
  ReflectionMessage,
  ReflectionModel,
  ReflectionToolCall,
} from './agent/reflection-model.ts';
export type { Turn, TurnToolCall } from './agent/turn-record.ts';
/** The result of a script in the form that models and protocols are given. */
export { hasRun, toScriptResult, type ScriptResult } from './agent/script-result.ts';
