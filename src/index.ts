/**
 * Skillplane as a library. Everything here is public; nothing else is. Expected failures come back as values
 * (`Outcome`), flaws of skills as diagnostics.
 */

/** Opens all of Skillplane over the skills of this machine and project. */
export { openSkills, type Skills } from './engine/open-skills.ts';
/** Opens the catalog alone: what there is, and nothing done with it. */
export { openCatalog, type SkillCatalog } from './engine/open-catalog.ts';
/** Finds the skills that can be used now, as a list. */
export {
  discoverSkills,
  discoverSkillsFromDir,
  loadAll,
  type DiscoverDirOptions,
  type DiscoverOptions,
  type Discovery,
} from './catalog/discover.ts';
/** Scans, reads and caches; the building block under `openSkills`. */
export { SkillStore, type StoreOptions, type StoreWatch, type WatchOptions } from './catalog/store.ts';
/** Finds skills by name, tag or a request in plain words, with reasons; the building block under `Skills.search`. */
export { SkillRegistry, type RegistryOptions, type SearchFilters, type SearchResult } from './select/registry.ts';
/** Finds the skills that a message activates; the building block under `Skills.match`. */
export { matchTriggers, openTriggers, type MatchOptions, type TriggerMatcher } from './select/triggers.ts';
export type { MatchKind, MatchReason, TriggerMatch } from './select/trigger-match.ts';
export type { SkillMatch, SkillMatches, SkillMatchOptions, SkillSuggestion } from './engine/skill-match.ts';
/** Gives out instructions, files and `skill://` URLs; the building block under `Skills.loader`. */
export {
  SkillLoader,
  type LoadedSkill,
  type LoaderOptions,
  type LoadOptions,
  type LoadOutcome,
} from './activate/loader.ts';
export type { Resource, ResourceContent, ResourceKind, ResourceList } from './activate/resources.ts';
/** Runs scripts and tools of trusted skills. */
export type { RunOptions, ScriptOptions, ScriptOutcome, ScriptRun, SkillScripts } from './engine/skill-scripts.ts';
export type { SkillTools, ToolCall, ToolFailure, ToolListing } from './engine/skill-tools.ts';
export type { Remark, SkillContents, SkillTrust, TrustInspection } from './engine/skill-trust.ts';
/** Installs skills out of repositories, and manages what is installed. */
export {
  SkillInstaller,
  type InstalledPlugin,
  type InstallerOptions,
  type VerifiedPlugin,
} from './plugins/installer.ts';
export type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallProgress,
  InstallReport,
  InstallRequest,
} from './plugins/install.ts';
export type { SkillUpdate, UpdateCheck } from './plugins/check-updates.ts';
export type { FileChange } from './plugins/compare-files.ts';
export type { LockedFile, LockedSkill } from './model/lock.ts';
/** Looks at what skills would bring, before anything of them is trusted. */
export {
  auditSkills,
  type AuditedSkills,
  type AuditFinding,
  type AuditSettings,
  type AuditSeverity,
  type SkillAudit,
} from './engine/audit-skills.ts';
/** Switches skills of any source on and off in the user's configuration. */
export { switchSkill, type SwitchedSkill } from './engine/switch-skill.ts';
/** Makes tools; what a toolset imports, here and as `@agent/tools`. */
export { Tool, type ToolAnswer, type ToolContext, type ToolDefinition, type ToolResult } from './activate/tool.ts';
export { ToolRegistry, type CallOptions, type RegisteredTool } from './activate/tool-registry.ts';
/** Tools in the forms that model providers and protocols want. */
export {
  toAiSdkTool,
  toAnthropicTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from './activate/tool-formats.ts';
/** The tools that an agent is given: search, load, read, and on request list, run and write. */
export { skillTools, type AgentTool, type AgentToolOptions } from './engine/agent-tools.ts';
/** Writes skills; the building block under `Skills.writing`. */
export { writeSkill, type Writing, type WriteSkillOptions } from './author/write-skill.ts';
export type {
  CreateOptions,
  RemoveOptions,
  SkillChanges,
  SkillDraft,
  SkillWriting,
  WriteOptions,
  WrittenSkill,
} from './engine/skill-writing.ts';
/** Mends what `validatePath` finds, where nobody has to guess. */
export { mendPath, type MendedSkill, type MendSkillOptions } from './engine/mend-skills.ts';
/** Lets a model look back at a turn and keep what it learned as a skill. */
export { SkillReflector, type Reflection, type ReflectorOptions } from './engine/skill-reflector.ts';
export type {
  ReflectionAnswer,
  ReflectionMessage,
  ReflectionModel,
  ReflectionToolCall,
} from './engine/reflection-model.ts';
export type { Turn, TurnToolCall } from './engine/turn-record.ts';
/** The CTX language, in which an agent asks for skills in one line. */
export { createGateway, type Gateway } from './ctx/gateway.ts';
export type {
  CtxAnswer,
  CtxFailure,
  FoundSkill as CtxFoundSkill,
  LoadAnswer as CtxLoadAnswer,
  SearchAnswer as CtxSearchAnswer,
  WriteAnswer as CtxWriteAnswer,
} from './ctx/answer.ts';
export type { HandleOptions } from './ctx/run-operation.ts';
export { parseStatement, type ParsedStatement } from './ctx/parse-statement.ts';
export { printStatement } from './ctx/print-statement.ts';
export { extractStatements, type ExtractedStatement, type Extraction } from './ctx/extract-statements.ts';
export type { Operator, Plane, Statement } from './ctx/statement.ts';
export type { StatementError } from './ctx/statement-error.ts';
export type { ScriptResult } from './engine/script-result.ts';
/** `/skill:<name>` for users, and skills that a sub-task is given from the start. */
export {
  expandSlashCommand,
  slashCommands,
  type SlashCommand,
  type SlashMessage,
  type SlashOptions,
} from './engine/slash-commands.ts';
export { resolvePinned, type PinnedSkill, type PinOptions } from './engine/pinned.ts';
/** Which skills are in a conversation, and what to restore after it was compacted. */
export { ActivationLedger, type Activation, type Restoration, type SavedLedger } from './disclose/activation-ledger.ts';
/** What a model is shown; the building blocks under `Skills.disclosure`. */
export type {
  DisclosedMessage,
  DiscloseOptions,
  PromptOptions,
  PromptSection,
  SkillDisclosure,
} from './engine/skill-disclosure.ts';
export { SkillContextProvider, type ProviderOptions, type ResourceType } from './disclose/context-provider.ts';
export { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './disclose/catalog-prompt.ts';
export { systemPromptSection } from './disclose/system-prompt-section.ts';
export type { CatalogFormatName } from './disclose/formats.ts';
export type { MessageDisclosure } from './disclose/message-disclosure.ts';
export type { PromptExposure } from './disclose/prompt-exposure.ts';
export type { CatalogDelta, CatalogSnapshot } from './disclose/snapshot.ts';
export type { Tier } from './disclose/tiers.ts';
export type { TokenCounter } from './disclose/tokens.ts';
/** Measures how well requests find their skills, without a model. */
export {
  evaluateSkills,
  type EvalReport,
  type EvaluateSkillsOptions,
  type SkillEvaluation,
} from './engine/evaluate-skills.ts';
/** What was used, when and by whom. */
export type { SkillEvent, Usage } from './usage/usage.ts';
export type { SkillReport, Trend, UsageQuery, UsageReport } from './engine/skill-usage.ts';
export type { Catalog } from './catalog/catalog.ts';
export type { CatalogChange } from './catalog/difference.ts';
/** Reads one SKILL.md, from text or bytes, or from disk. */
export { parseSkill, type ParseOptions, type ParseOutcome } from './parse/parse-skill.ts';
export { fromFile } from './sources/from-file.ts';
/** Judges, fingerprints and shows skills in directories. */
export { readProperties, renderPrompt, skillDigest, validatePath, validateSkill } from './engine/inspect.ts';
export type { FileDigest, SkillDigest } from './parse/digest.ts';
export type { SkillProperties } from './parse/properties.ts';
export type { Finding, ValidateOptions, Validation } from './parse/validate.ts';
/** What Skillplane rests on, and what is missing. */
export { examine, type Check, type CheckStatus } from './engine/doctor.ts';
/** The AGENTS.md files that hold for a directory. */
export { discoverContextFiles, type ContextFile } from './sources/context-files.ts';
/** Copies a bundled skill to a user's directory, or brings the copy up to date. */
export { upgradeBundledSkill, type UpgradeAction, type UpgradeOptions } from './catalog/upgrade.ts';
/** Changes `config.yaml` and keeps its comments. */
export { editConfig, type ConfigEditor } from './config/edit-config.ts';
/** Where the engine runs. */
export { readEnvironment, type Environment, type EnvironmentOptions } from './platform/environment.ts';
export type { PluginDefinition, SkillsSection } from './model/config.ts';
export type { Diagnostic, DiagnosticCode, Severity } from './model/diagnostic.ts';
export type { Failure, Outcome, OutcomeCode } from './model/outcome.ts';
export type { ParsedSkill, PlainValue, Shadow, Skill, SkillOrigin, SkillStatus, Triggers } from './model/skill.ts';
export type { Source, SourceLevel, SourceRoot } from './model/source.ts';
export { VERSION } from './model/version.ts';
