import type { Outcome } from './outcome.ts';

export type FolderState = 'directory' | 'missing' | 'not-directory';

/** One regular file of a skill's folder; its path is relative, with `/` between segments. */
export interface FolderEntry {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/** What is there but no part of a skill: a link, a device, something beyond the limits. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

/** What the code that judges a skill needs of its folder; `platform/` opens real ones. */
export interface SkillFolder {
  /** Absolute path; its last segment is the skill's id. */
  readonly dir: string;
  state(): FolderState;
  /** The names directly inside, sorted. */
  names(): readonly string[];
  /** Every regular file below, and what was refused. */
  files(): { readonly files: readonly FolderEntry[]; readonly refused: readonly RefusedEntry[] };
  read(path: string, maxBytes: number): Outcome<{ readonly bytes: Uint8Array }>;
}
