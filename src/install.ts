/** Installs skills from repositories and directories, and manages what is installed. */

export {
  SkillInstaller,
  type InstalledPlugin,
  type InstallerOptions,
  type VerifiedPlugin,
} from './install/installer.ts';
export { openInstaller, type InstallerSettings } from './install/open-installer.ts';
export type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallProgress,
  InstallReport,
  InstallRequest,
} from './install/install-request.ts';
export type { SkillUpdate, UpdateCheck } from './install/changes/check-updates.ts';
export type { FileChange } from './install/changes/compare-files.ts';
export type { FoundSkill } from './install/origins/find-skills.ts';
export { listPlugins, type PluginListing } from './install/list-plugins.ts';
export type { LockedFile, LockedSkill } from './model/lock.ts';
/** Switches skills of any source on and off in the user's configuration. */
export { switchSkill, type SwitchedSkill } from './install/switch-skill.ts';
/** Changes `config.yaml` and keeps its comments. */
export { editConfig, type ConfigEditor } from './config/edit-config.ts';
/** Copies a bundled skill to a user's directory, or brings the copy up to date. */
export { upgradeBundledSkill, type UpgradeAction, type UpgradeOptions } from './catalog/upgrade.ts';
