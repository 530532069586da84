import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import type { InstallScope } from './install-place.ts';
import { SkillInstaller } from './installer.ts';

export interface InstallerSettings extends EnvironmentOptions {
  /** For the user, unless told. */
  readonly scope?: InstallScope;
}

/** Installs skills for this user, or for this project, and manages what is installed. */
export function openInstaller({ scope, ...options }: InstallerSettings = {}): SkillInstaller {
  return new SkillInstaller({ environment: readEnvironment(options), scope });
}
