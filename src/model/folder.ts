import type { Outcome } from './outcome.ts';

export type FolderState = 'directory' | 'missing' | 'not-directory';

/** One regular file of a skill's folder; the path is relative, with `/`. */
export interface FolderEntry {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/** An entry that is not part of a skill: a link, a device, or something beyond the limits. */
export interface RefusedEntry {
  readonly path: string;
  readonly kind: RefusalKind;
  /** The kind in words that follow the path; only for people. */
  readonly reason: string;
}

/**
 * Why an entry is no part of a skill. `special`: it is neither a file nor a folder. `outside`: its real path is. `name`: no system
 * could hold it, or not every one. `left-out`: the caller wants none of these. `git`: it is left to git, which never runs it.
 */
export type RefusalKind =
  | 'link'
  | 'submodule'
  | 'special'
  | 'outside'
  | 'name'
  | 'unreadable'
  | 'unlisted'
  | 'too-many'
  | 'too-deep'
  | 'left-out'
  | 'git';

/** The view of a skill's folder for code that checks it; `platform/` opens real folders. */
export interface SkillFolder {
  /** Absolute path; its last segment is the skill's id. */
  readonly dir: string;
  state(): FolderState;
  /** The names directly inside, sorted. */
  names(): readonly string[];
  /** Every regular file below, and the refused entries. */
  files(): { readonly files: readonly FolderEntry[]; readonly refused: readonly RefusedEntry[] };
  read(path: string, maxBytes: number): Outcome<{ readonly bytes: Uint8Array }>;
}
