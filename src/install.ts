/** Changes the skills of this machine: installs, switches, writes, fixes and gives them, and keeps other agents in step. */

export { SkillInstaller, type InstalledPlugin, type InstallerOptions } from './install/installer.ts';
export type { VerifiedPlugin } from './install/install-record.ts';
export type { InstallScope } from './install/install-place.ts';
export type {
  InstallDecisions,
  InstalledSkill,
  InstallOptions,
  InstallPreview,
  InstallProgress,
  InstallReport,
  InstallResult,
  NameConflict,
} from './install/install-request.ts';
export type { ChosenUpdate } from './install/update-skills.ts';
export type { SkillUpdate, UpdateCheck } from './install/check-updates.ts';
export type { HeldSkill } from './install/changes/change-skills.ts';
export type { PreviousSkill } from './install/changes/previous-version.ts';
export type { RepositorySkill } from './install/origins/find-skills.ts';
export type { PluginDefinition } from './model/config.ts';
export type { LockedSkill } from './model/lock.ts';
export type { Origin } from './model/origin.ts';
/** Looks into an index, a package, an archive or a repository without installing anything. */
export { searchRemote, type RemoteResults, type RemoteSearch } from './engine/search-remote.ts';
/** Finds what other tools have installed, by their own records, for `SkillInstaller.takeOver`. */
export { findForeignSkills, type ForeignSkillOptions } from './hosts/importing/find-foreign-skills.ts';
export type { TakeOverRequest } from './install/take-over.ts';
export type { ForeignSkill } from './model/foreign-skill.ts';
/** Switch a skill from any source on or off in the user's or the project's configuration. */
export { disable, enable, type EnableOptions, type SwitchedSkill, type SwitchOptions } from './install/switch.ts';
/** Brings the folders and switches of other agent programs in step with the catalog: plan, apply, undo. */
export { planAgents as planSync, syncAgents as sync } from './engine/sync-agents.ts';
export { undoSync, type SyncReport } from './hosts/sync/sync.ts';
export type { SyncOptions } from './hosts/sync/sync-request.ts';
export type { SyncChange, SyncPlan, SyncProblem } from './hosts/sync/sync-plan.ts';

/** Creates a skill from a template. */
export { newSkill, type NewSkill, type NewSkillOptions } from './author/new-skill.ts';
/** Fixes what has exactly one right form. */
export { fix, type FixedSkill, type FixOptions } from './author/fix.ts';
/** Packs a skill into an archive whose bytes depend on its files alone. */
export { pack, type PackedArchive, type PackOptions } from './publish/pack.ts';
/** Says for each program and specification whether it takes a skill, and what it cuts and ignores. */
export { judgeForTargets, type JudgeOptions, type TargetVerdict } from './publish/targets/judge-for-targets.ts';
export type { TargetId } from './model/target-id.ts';
/** Publishes skills as a site of plain files. */
export {
  publishSkills,
  type PublishedSite,
  type PublishOptions,
  type SitedSkill,
} from './publish/site/publish-site.ts';
