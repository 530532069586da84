import type { Outcome } from './outcome.ts';

export type FolderState = 'directory' | 'missing' | 'not-directory';

/** Identifies a version of a file for a cache. */
export interface FileStamp {
  readonly mtimeMs: number;
  /** NaN for a file that was written a moment ago: such a stamp equals no other. */
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

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
 * Why an entry is not part of a skill. `special`: neither a file nor a folder. `outside`: its real path is. `name`: not
 * portable. `left-out`: the caller excludes it. `git`: belongs to git, which never runs it.
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
  /** Every regular file below, and the refused entries. Entries with the names to leave out are skipped at every depth. */
  files(options?: { readonly leaveOut?: ReadonlySet<string> }): {
    readonly files: readonly FolderEntry[];
    readonly refused: readonly RefusedEntry[];
  };
  /** The stamp is that of the file on disk. */
  read(path: string, maxBytes: number): Outcome<{ readonly bytes: Uint8Array; readonly stamp?: FileStamp }>;
}
