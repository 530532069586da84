import type { AuditLimit } from '../../model/config.ts';
import type { LockedSkill } from '../../model/lock.ts';
import type { Environment } from '../../platform/environment.ts';
import type { StateFolder } from '../../platform/files/state-folder.ts';
import type { SyncQueue } from '../../platform/files/sync-queue.ts';
import type { InstallPlace } from '../install-place.ts';

/** The change of one skill: to another version, or its removal if `after` is undefined. */
export interface SkillChange {
  readonly name: string;
  /** The lock's entry when the change was planned. If it is different now, the change fails. */
  readonly before: LockedSkill | undefined;
  /** The lock has no entry yet: `before` is what is on disk. */
  readonly isAdopted?: boolean | undefined;
  readonly after: { readonly entry: LockedSkill; readonly dir: string } | undefined;
}

/** Shared by all steps of a change. */
export interface ChangeContext {
  readonly environment: Environment;
  readonly place: InstallPlace;
  readonly state: StateFolder;
  /** Flushes staged files to disk. */
  readonly sync: SyncQueue;
  /** The setting `auditFailOn`. */
  readonly failOn: AuditLimit;
  /** Called with a sentence if another process holds what is needed. */
  readonly onWait?: ((message: string) => void) | undefined;
}
