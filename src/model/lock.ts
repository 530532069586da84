import type { Origin } from './origin.ts';

/** One file of an installed skill, as it was installed. */
export interface LockedFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly executable: boolean;
}

/** The folder of a project that new skills are installed into. */
export const PROJECT_SKILLS = '.agents/skills';

/** One entry of `skills-lock.yaml`: where an installed skill came from, and its exact content. */
export interface LockedSkill {
  /** Its folder, and its name in the catalog. */
  readonly name: string;
  readonly origin: Origin;
  /** The skill's folder in the repository, archive or package, or its name in the index; empty for the root. */
  readonly path: string;
  /** The folder of the project that it is in; absent for one in `.agent/skills`, and for the user's. */
  readonly folder?: typeof PROJECT_SKILLS | undefined;
  /** Updates leave it alone. */
  readonly held?: boolean | undefined;
  /** The digest of all files together. */
  readonly digest: string;
  readonly files: readonly LockedFile[];
}
