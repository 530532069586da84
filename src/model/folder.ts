import type { Outcome } from './outcome.ts';

/** One regular file of a skill's folder. */
export interface FolderEntry {
  /** Relative, with `/` between segments. */
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/** What the code that judges a skill needs of its folder; `platform/` opens real ones. */
export interface SkillFolder {
  /** Absolute path; its last segment is the skill's id. */
  readonly dir: string;
  /** Every regular file below, sorted by path; links, devices and whatever is beyond the limits come as `refused`. */
  list(): Outcome<{ readonly files: readonly FolderEntry[]; readonly refused: readonly RefusedEntry[] }>;
  read(path: string, maxBytes: number): Outcome<{ readonly bytes: Uint8Array }>;
}

export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}
