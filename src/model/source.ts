/** Whose a place is: what a user put there is trusted, what a project or an installer put there is not yet. */
export type SourceLevel = 'user' | 'project' | 'bundled';

/** Where a source's skills lie. A `tree` holds folders named `skills` somewhere below it. */
export type SourceLayout = 'skills' | 'tree';

/** A kind of place where skills live: one row of the table in sources/table.ts. */
export interface Source {
  readonly id: string;
  /** The heading under which people see its skills: "Claude" gives "[Claude Skills]". */
  readonly group: string;
  readonly level: SourceLevel;
  /** Of two skills with one name, the one from the higher priority wins. */
  readonly priority: number;
  readonly requireDescription: boolean;
  readonly layout: SourceLayout;
}

/** A source at an actual directory of this machine. */
export interface SourceRoot extends Source {
  readonly path: string;
  /** Among directories of one source the lower wins: the closest project directory is 0. */
  readonly ordinal: number;
  /** A project's root: its folders may not be links that lead out of it. */
  readonly boundary: string | undefined;
}
