import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import type { InstallScope } from '../plugins/install-place.ts';
import { SkillInstaller } from '../plugins/installer.ts';

export { AUDIT_ADVICE } from '../plugins/audit-summary.ts';
export type { SkillUpdate, UpdateCheck } from '../plugins/check-updates.ts';
export type { FileChange } from '../plugins/compare-files.ts';
export type { FoundSkill } from '../plugins/find-skills.ts';
export type { InstallDecisions, InstallPreview, InstallReport } from '../plugins/install.ts';
export type { SkillInstaller } from '../plugins/installer.ts';

export interface InstallerSettings extends EnvironmentOptions {
  /** For the user, unless told. */
  readonly scope?: InstallScope;
}

/** Installs skills for this user, or for this project, and manages what is installed. */
export function openInstaller({ scope, ...options }: InstallerSettings = {}): SkillInstaller {
  return new SkillInstaller({ environment: readEnvironment(options), scope });
}
