/** One file of an installed skill, as it was installed. */
export interface LockedFile {
  /** From the skill's folder, with `/`. */
  readonly path: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly executable: boolean;
}

/** Where an installed skill came from, and what exactly it was: one entry of `skills-lock.yaml`. */
export interface LockedSkill {
  /** Its folder, and its name in the catalog. */
  readonly name: string;
  /** Without credentials; a directory's path where it came from one. */
  readonly url: string;
  /** The branch, tag or commit that was asked for. */
  readonly ref?: string | undefined;
  /** What that was then; absent for a directory that is no repository. */
  readonly commit?: string | undefined;
  /** The skill's folder in the repository; empty for its root. */
  readonly path: string;
  /** Of all files together. */
  readonly digest: string;
  readonly files: readonly LockedFile[];
}
