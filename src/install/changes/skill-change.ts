import type { LockedSkill } from '../../model/lock.ts';
import type { Environment } from '../../platform/environment.ts';
import type { WorkFolder } from '../../platform/files/work-folder.ts';
import type { FetchOptions } from '../../platform/repository/git-address.ts';
import type { OpenedPlace } from '../install-place.ts';
import type { OriginOptions } from '../origins/origin-kind.ts';

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
export interface ChangeContext extends OpenedPlace {
  readonly environment: Environment;
  readonly work: WorkFolder;
  /** Called with a sentence while another process holds the lock. */
  readonly onWait?: ((message: string) => void) | undefined;
}

export interface CheckOptions extends Pick<FetchOptions, 'useGitCredentials' | 'signal' | 'timeoutMs'> {
  /** Ids or names of audit rules whose findings are accepted, although `auditFailOn` refuses them. */
  readonly allow?: readonly string[] | undefined;
}

/** For operations that fetch the origins of installed skills. */
export interface OriginContext extends ChangeContext {
  readonly options: CheckOptions;
}

/**
 * How to open the origins of installed skills. The user typed those in the user's lock file; those in a project's can
 * be from anyone.
 */
export function originOptions({ environment, place, work, isOwnAddress, options }: OriginContext): OriginOptions {
  return { ...options, environment, place, into: work.dir, ...(place.scope === 'project' && { isOwnAddress }) };
}
