/**
 * Skillplane: find, choose, show and load the skills of this machine and project. Expected failures are values
 * (`Outcome`); flaws of skills are diagnostics. More lives behind the other entry points: `skillplane/agent`,
 * `skillplane/ai-sdk`, `skillplane/install`, `skillplane/audit`, `skillplane/ctx`, `skillplane/mcp`, `skillplane/toolset` and
 * `skillplane/testing`.
 */

/** Opens every skill of this machine and project, and all that can be done with them. */
export {
  openSkills,
  type AgentIdentity,
  type OpenOptions,
  type ReportedUsage,
  type Skills,
} from './engine/open-skills.ts';
export type { SkillQuery, SkillSearchResults } from './engine/skill-search.ts';
export type { RerankCandidate, Reranker, RerankOptions } from './engine/searching/second-opinions.ts';
export type { SkillMatch, SkillMatches, SkillMatchOptions } from './engine/skill-match.ts';
export type {
  DisclosedMessage,
  DiscloseOptions,
  PromptOptions,
  PromptSection,
  SkillDisclosure,
} from './engine/skill-disclosure.ts';
export type { RunOptions, SkillScripts } from './engine/skill-scripts.ts';
export type { SkillToolsets, ToolCall, ToolFailure, ToolListing } from './engine/skill-toolsets.ts';
export type { SkillServing } from './engine/skill-loading.ts';
export type { SkillTrust, TrustInspection } from './engine/skill-trust.ts';
export type { HistoryOutcome, HistoryRequest } from './engine/host-history.ts';
export type { UsageQuery } from './engine/skill-usage.ts';
export type { HintRequest, SkillHint } from './engine/skill-hint.ts';
export type { CreateOptions, RemoveOptions, SkillWriting } from './author/skill-writing.ts';
export type { SkillChanges, SkillDraft } from './author/skill-draft.ts';

/** Skills from elsewhere than directories, for `openSkills({ sources })`. */
export {
  defineSkill,
  memorySource,
  type DefinedSkill,
  type MemorySource,
  type SkillInMemory,
  type SourceOptions,
} from './sources/memory-source.ts';
export { webSource, type WebSourceOptions } from './sources/web-source.ts';
export { mcpSource, type McpSkillsClient } from './sources/mcp-source.ts';
export type {
  GivenSource,
  ListedFile,
  SourceSkill,
  SkillSource,
  SourceContent,
  UnavailableSkill,
} from './model/skill-source.ts';

/** Finds skills as a plain list: the usable ones, those of one directory, those of several. */
export {
  discoverSkills,
  discoverSkillsFromDir,
  loadAll,
  type DiscoverDirOptions,
  type DiscoveredSkill,
  type DiscoverOptions,
  type Discovery,
  type SkillLoaderOptions,
} from './catalog/discover.ts';
/** Scans directories, reads skills and caches them: `SkillStore.over(dirs)`. */
export { SkillStore, type StoreOptions, type StoreWatch, type WatchOptions } from './catalog/store.ts';
export type { Catalog } from './catalog/catalog.ts';
export type { CatalogChange } from './catalog/difference.ts';
export type { SkillNames, SkillSelection, SkillView } from './catalog/view.ts';
/** Searches a list of skills, with reasons: `SkillRegistry.over(skills)`. */
export {
  SkillRegistry,
  type RegistryOptions,
  type SearchFilters,
  type SearchOptions,
  type SkillRelevance,
  type SkillSearchResult,
} from './select/registry.ts';
/** Finds the skills that a message activates by their triggers. */
export { matchTriggers, type MatchOptions } from './select/triggers.ts';
export type { MatchReason, TriggerMatch } from './select/trigger-match.ts';
/** Reads instructions, files and `skill://` URLs: `SkillLoader.over(store)`. */
export { SkillLoader, type LoadedSkill, type SkillAccess, type SkillLoadOutcome } from './activate/loader.ts';
export type { Resource, ResourceContent, ResourceList } from './activate/resources.ts';
export type { ScriptOptions } from './activate/run-script.ts';
export type { ScriptOutcome, ScriptRun } from './platform/sandbox/run-sandboxed.ts';
/** Makes tools, holds them, checks their arguments and calls them. */
export { Tool } from './activate/toolsets/tool.ts';
export { ToolRegistry, type CallOptions, type RegisteredTool } from './activate/toolsets/tool-registry.ts';

/** Shows skills to a model in three tiers, for agents that ask for them one by one. */
export { SkillContextProvider, type ResourceType } from './agent/context-provider.ts';
/** Lists skills for a system prompt: within a token budget, or pinned ones and those used last. */
export { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './disclose/catalog-prompt.ts';
export { systemPromptSection, type SectionOptions } from './disclose/system-prompt-section.ts';
export type { CatalogDelta, CatalogSnapshot } from './disclose/snapshot.ts';
export type { Tier } from './disclose/tiers.ts';
export type { TokenCounter } from './disclose/tokens.ts';
/** The AGENTS.md files that apply to a directory, and the command files of agents. */
export { contextSection, type ContextSection, type ContextSectionOptions } from './engine/context-section.ts';
export type { ContextFile } from './model/context-file.ts';
export { discoverCommandFiles, type CommandFile, type CommandFiles } from './sources/command-files.ts';

/** The history of use: which skill, when, by whom. */
export type { SkillEvent, Usage } from './usage/usage.ts';
export type { SkillReport, UsageReport } from './usage/usage-report.ts';
/** Lets a model look back at a turn and keep what it learned as a skill. */
export { SkillReflector } from './agent/skill-reflector.ts';
export type { Reflection, ReflectorOptions } from './agent/reflection.ts';
export type {
  ReflectionAnswer,
  ReflectionMessage,
  ReflectionModel,
  ReflectionToolCall,
} from './agent/reflection-model.ts';
export type { Turn, TurnToolCall } from './agent/turn-record.ts';

/** Reads one SKILL.md, from text or bytes, or from disk. */
export { parseSkill, type ParseOptions, type ParseOutcome } from './parse/parse-skill.ts';
export { fromFile, type FileOutcome } from './sources/from-file.ts';
/** Checks skills and their frontmatter against the specification. */
export { SkillManifestSchema } from './parse/strict/manifest-schema.ts';
export { validate } from './author/validate.ts';
export type { ValidateOptions } from './parse/strict/validate.ts';
export type { Finding, Validation } from './parse/strict/validation.ts';
/** Measures how well requests find their skills, without a model. */
export { evaluateSkills, type EvaluateSkillsOptions, type SkillEvaluation } from './evals/evaluate-skills.ts';
export type { EvalReport } from './evals/evaluation.ts';
/** Checks what Skillplane rests on, and says how to repair what is missing. */
export { doctor } from './engine/doctor/doctor.ts';
export type { Check } from './engine/doctor/check-scan.ts';

export type { Environment, EnvironmentOptions } from './platform/environment.ts';
export type { SkillsSection } from './model/config.ts';
export type { Diagnostic, DiagnosticCode } from './model/diagnostic.ts';
export type { Failure as SkillError, Outcome, OutcomeCode } from './model/outcome.ts';
export type { NextStep, OperationName, OperationStep } from './model/next-step.ts';
export type { Skill, SkillDefinition } from './model/skill.ts';
export { VERSION } from './model/version.ts';
