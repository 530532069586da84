import type { SourceFolders } from './skill-source.ts';

/** Who owns a place: its user, a project, or this package. */
export type SourceLevel = 'user' | 'project' | 'bundled';

/** How a source's skills are laid out. A `tree` contains folders named `skills` somewhere below it. */
export type SourceLayout = 'skills' | 'tree';

/** A kind of place with skills: one row of the table in sources/table.ts. */
export interface Source {
  readonly id: string;
  /** The heading for its skills in lists: "Claude" gives "[Claude Skills]". */
  readonly group: string;
  readonly level: SourceLevel;
  /** The skill from the source with the higher priority wins a name. */
  readonly priority: number;
  readonly requireDescription: boolean;
  readonly layout: SourceLayout;
}

/** A source at a directory of this machine. */
export interface SourceRoot extends Source {
  readonly path: string;
  /** The lower of two directories of one source wins: the closest project directory is 0. */
  readonly ordinal: number;
  /** A project's root: its folders must not link out of it. */
  readonly boundary: string | undefined;
  /** The real path that it must still have when its skills are read; undefined if it may move. */
  readonly fixedAt?: string | undefined;
  /** A caller named it, so it is reported if it is missing. */
  readonly isNamed?: boolean;
  /** Of the folders in it, only this one counts. */
  readonly only?: string;
  /** Set on a source that is no directory: `path` then names no place on disk. */
  readonly folders?: () => SourceFolders;
}

/** Others write the files of projects and of installed skills, so a hard link there may lead to any file of this machine. */
export function refusesHardLinks({ level, source }: { readonly level: SourceLevel; readonly source: string }): boolean {
  return level === 'project' || source === 'plugin';
}
