/**
 * Skillplane: find, choose, show and load the skills of this machine and project. Expected failures are values
 * (`Outcome`); flaws of skills are diagnostics. More lives behind the other entry points: `skillplane/agent`,
 * `skillplane/ai-sdk`, `skillplane/install`, `skillplane/hosts`, `skillplane/audit`, `skillplane/author`, `skillplane/publish`,
 * `skillplane/ctx`, `skillplane/mcp`, `skillplane/console`, `skillplane/toolset` and `skillplane/testing`.
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
export type { RerankCandidate, Reranker, RerankOptions, SearchGap } from './engine/searching/second-opinions.ts';
export type { SkillMatch, SkillMatches, SkillMatchOptions, SkillSuggestion } from './engine/skill-match.ts';
export type {
  DisclosedMessage,
  DiscloseOptions,
  PromptOptions,
  PromptSection,
  SkillDisclosure,
} from './engine/skill-disclosure.ts';
export type { RunOptions, SkillScripts } from './engine/skill-scripts.ts';
export type { SkillToolsets, ToolCall, ToolFailure, ToolListing } from './engine/skill-toolsets.ts';
export type { ServingGate } from './engine/serving-gate.ts';
export type { SkillServing } from './engine/skill-loading.ts';
export type { SkillTrust, TrustInspection } from './engine/skill-trust.ts';
export type { HistoryOutcome, HistoryRequest } from './engine/host-history.ts';
export type { UsageQuery } from './engine/skill-usage.ts';
/** Answers the hooks by which other agents tell us of messages, and of skills that were used. */
export { mayGetHint, type HintRequest, type SkillHint } from './engine/skill-hint.ts';
export { answerPrompt, noteAsked, readAsked, readHookEvent, recordUse } from './engine/prompt-hook.ts';
export type { HookLog } from './hosts/hooks/hook-log.ts';
export type { HookEvent, PromptEvent, UseEvent } from './hosts/hooks/host-hook.ts';
/** Checks what Skillplane rests on, and says how to repair what is missing. */
export { doctor } from './engine/doctor/doctor.ts';
export type { Check, CheckAction, CheckStatus } from './engine/doctor/check.ts';
/** Measures how well requests find their skills, without a model. */
export { compareEvals, type SkillEvalComparison } from './evals/compare-evals.ts';
export type { ComparedFigure, EvalComparison } from './evals/eval-comparison.ts';
export {
  suggestDescriptions,
  type DescriptionSuggestion,
  type SkillSuggestions,
} from './evals/suggest-descriptions.ts';
export type { MissingSuggestion } from './evals/suggest-words.ts';
export {
  evaluateSkills,
  openSkillEvals,
  type EvaluateSkillsOptions,
  type SkillEvals,
  type SkillEvaluation,
} from './evals/evaluate-skills.ts';
export type { EvalReport } from './evals/evaluation.ts';
/** Keeps a request as an eval case of a skill. */
export {
  ownEvalFile,
  planEvalCase,
  removeEvalCase,
  saveEvalCase,
  type EvalCaseChange,
  type SkillEvalCase,
} from './evals/save-eval-case.ts';

/** Finds skills as a plain list: the usable ones, those of one directory, those of several. */
export {
  discoverSkills,
  discoverSkillsFromDir,
  loadAll,
  type DiscoverDirOptions,
  type DiscoverOptions,
  type Discovery,
} from './catalog/discover.ts';
/** Scans directories, reads skills and caches them: `SkillStore.over(dirs)`. */
export { SkillStore, type StoreOptions, type StoreWatch, type WatchOptions } from './catalog/store.ts';
export { listWarnings, type Catalog } from './catalog/catalog.ts';
export type { CatalogChange } from './catalog/difference.ts';
/** Which skills there are for a caller: what `skills.only` takes. */
export type { SkillNames, SkillSelection, SkillView } from './catalog/view.ts';
/** Searches a list of skills, with reasons: `SkillRegistry.over(skills)`. */
export {
  SkillRegistry,
  splitResults,
  type RegistryOptions,
  type SearchFilters,
  type SearchOptions,
  type SkillRelevance,
  type SkillSearchResult,
} from './select/registry.ts';
/** Searches skills that live anywhere, with an index that can be kept anywhere. */
export { openPortableIndex, type PortableIndex } from './select/index/portable-index.ts';
export { placeSkill, type Placement } from './sources/place-skill.ts';
export type { Glossary } from './select/index/glossary.ts';
export type { ScorePart } from './select/ranking/relevance.ts';
/** Finds the skills that a message activates by their triggers. */
export { matchTriggers, openTriggers, type MatchOptions, type TriggerMatcher } from './select/triggers.ts';
export type { MatchKind, MatchReason, TriggerMatch } from './select/trigger-match.ts';
/** Reads instructions, files and `skill://` URLs: `SkillLoader.over(store)`. */
export {
  SkillLoader,
  type LoadedSkill,
  type LoaderOptions,
  type LoadOptions,
  type SkillLoadOutcome,
} from './activate/loader.ts';
export type { Resource, ResourceContent, ResourceKind, ResourceList } from './activate/resources.ts';
export type { ScriptOptions } from './activate/run-script.ts';
export type { ScriptOutcome, ScriptRun } from './platform/sandbox/run-sandboxed.ts';
/** Holds tools, checks their arguments and calls them. */
export { ToolRegistry, type CallOptions, type RegisteredTool } from './activate/toolsets/tool-registry.ts';

/** Shows skills to a model in three tiers, for agents that ask for them one by one. */
export {
  SkillContextProvider,
  type ProviderOptions,
  type ResourceType,
  type SkillReader,
} from './disclose/context-provider.ts';
/** Fits a list of skills into a token budget. */
export { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './disclose/catalog-prompt.ts';
export { systemPromptSection, type SectionOptions } from './disclose/system-prompt-section.ts';
export { CATALOG_FORMAT_NAMES, type CatalogFormatName } from './model/catalog-format.ts';
export type { MessageDisclosure } from './disclose/message-disclosure.ts';
export type { PromptExposure } from './disclose/prompt-exposure.ts';
export type { CatalogDelta, CatalogSnapshot } from './disclose/snapshot.ts';
export { tierNumber, type Tier } from './disclose/tiers.ts';
export type { TokenCounter } from './disclose/tokens.ts';

/** The history of use: which skill, when, by whom. */
export type { SkillEvent, Usage } from './usage/usage.ts';
export type { SkillReport, Trend, UsageReport } from './usage/usage-report.ts';
/** Says whether it is time to tell hubs of use, with `reportUse` of `skillplane/publish`. */
export { claimUseReport } from './engine/skill-usage.ts';
export type { LearnedCount, Memory } from './usage/usage-store.ts';
/** Says which skills to disable, to pin and to describe better, by a report on their use. */
export { adviseOnUsage, type Advice } from './usage/advice.ts';
export type { UseGroup } from './usage/use-groups.ts';
export type { HistoryImport, HostImport } from './hosts/history/import-history.ts';

/** Reads one SKILL.md, from text or bytes, or from disk. */
export { parseSkill, type ParseOptions, type ParseOutcome } from './parse/parse-skill.ts';
export { fromFile } from './sources/from-file.ts';
/** The AGENTS.md files that apply to a directory. */
export { contextSection, type ContextSection, type ContextSectionOptions } from './engine/context-section.ts';
export type { ContextFile } from './model/context-file.ts';
export { discoverContextFiles, type ContextFileOptions } from './sources/context-files.ts';
/** Skills with one name and different texts, and skills that are the same or nearly so. */
export { findDuplicates, type DuplicateSkill, type Duplicates } from './select/find-duplicates.ts';
/** Known folders whose skills are not used because their source is off by default. */
export { findOffSources, type OffSource } from './catalog/off-sources.ts';
/** The files in the `commands` folders of agents, and why some give no slash command. */
export { discoverCommandFiles, type CommandFile, type CommandFiles } from './sources/command-files.ts';
/** Where the engine runs. */
export { findCommand, readEnvironment, type Environment, type EnvironmentOptions } from './platform/environment.ts';
export type { PluginDefinition, SkillsSection } from './model/config.ts';
export type { Diagnostic, DiagnosticCode, Severity } from './model/diagnostic.ts';
export type { Failure, Failure as SkillError, Outcome, OutcomeCode } from './model/outcome.ts';
export type { PlainValue, Shadow, Skill, SkillDefinition, SkillOrigin, SkillStatus, Triggers } from './model/skill.ts';
export type { Source, SourceLevel, SourceRoot } from './model/source.ts';
export { VERSION } from './model/version.ts';
