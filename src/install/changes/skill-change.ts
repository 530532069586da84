import type { LockedSkill } from '../../model/lock.ts';
import type { Environment } from '../../platform/environment.ts';
import type { StateFolder } from '../../platform/files/state-folder.ts';
import type { InstallPlace } from '../install-place.ts';

/** What becomes of one skill: another version, or, without `after`, nothing. */
export interface SkillChange {
  readonly name: string;
  /** What the lock said when the change was planned; where it says something else by now, nothing is done. */
  readonly before: LockedSkill | undefined;
  readonly after: { readonly entry: LockedSkill; readonly dir: string } | undefined;
}

export interface ChangeContext {
  readonly environment: Environment;
  readonly place: InstallPlace;
  readonly state: StateFolder;
}
