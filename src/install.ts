/** Installs skills from repositories, sites, archives, packages and directories, and manages what is installed. */

export { SkillInstaller, type InstalledPlugin, type InstallerOptions } from './install/installer.ts';
export type { VerifiedPlugin } from './install/install-record.ts';
export type { InstallScope } from './install/install-place.ts';
export type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallProgress,
  InstallReport,
  InstallRequest,
  NameConflict,
} from './install/install-request.ts';
export type { TakeOverRequest } from './install/take-over.ts';
export type { ForeignOrigin, ForeignSkill, ForeignTool } from './model/foreign-skill.ts';
export type { ChosenUpdate } from './install/update-skills.ts';
export type { SkillUpdate, UpdateCheck } from './install/check-updates.ts';
export type { HeldSkill } from './install/changes/change-skills.ts';
export type { FileChange } from './install/changes/compare-files.ts';
export type { PreviousSkill } from './install/changes/previous-version.ts';
export type { RepositorySkill } from './install/origins/find-skills.ts';
export type { LockedFile, LockedSkill } from './model/lock.ts';
export type { Origin } from './model/origin.ts';
/** Looks into an index, a package, an archive or a repository without installing anything. */
export { searchRemote, type RemoteResults, type RemoteSearch } from './engine/search-remote.ts';
/** Switch a skill from any source on or off in the user's or the project's configuration. */
export {
  disable,
  enable,
  switchForHosts,
  type EnableOptions,
  type HostSwitchOptions,
  type SwitchedSkill,
  type SwitchOptions,
} from './install/switch.ts';
/** Choose which copy of a skill has its name, or let precedence decide again. */
export { prefer, resetPreference } from './install/prefer.ts';
/** Edits `config.yaml` and keeps its comments. */
export type { ConfigEditor } from './config/config-editor.ts';
export { editConfig } from './config/edit-config.ts';
/** Reads and changes single settings. */
export {
  changeSetting,
  prepareConfig,
  readSetting,
  readSettings,
  type ChangeSettingOptions,
  type SettingChange,
  type SettingsReading,
  type SettingState,
} from './config/change-setting.ts';
export { settingNames } from './config/settings.ts';
/** The JSON Schema of `config.yaml`, for editors. */
export { findConfigSchema } from './config/schema-file.ts';
/** Copies a bundled skill to a user's directory, or updates the copy. */
export {
  findBundledCopies,
  upgradeBundledSkill,
  type BundledCopy,
  type Upgrade,
  type UpgradeAction,
  type UpgradeOptions,
} from './catalog/upgrade.ts';
