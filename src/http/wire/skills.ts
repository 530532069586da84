/** The list of skills, as the page gets it. */

export type RowState = 'enabled' | 'disabled' | 'unavailable' | 'broken' | 'shadowed';

/** One copy of a skill, in a line. There are thousands, so a line leaves out whatever there is nothing to say about. */
export interface SkillRow {
  /** The path of its SKILL.md, which is unique. */
  readonly file: string;
  readonly name: string;
  readonly brief: string;
  readonly source: string;
  readonly state: RowState;
  /** Why it is not enabled. */
  readonly reasons?: readonly string[];
  readonly tags?: readonly string[];
  readonly isPinned?: true;
  readonly isHidden?: true;
  readonly isTrusted: boolean;
  /** Does its audit keep its text from models? Null if it was not audited yet. */
  readonly isWithheld: boolean | null;
  /** The SKILL.md that has its name instead. */
  readonly shadowedBy?: string;
  /** How many other copies have its name. */
  readonly shadows?: number;
  /** The first flaw of its SKILL.md. */
  readonly flaw?: string;
}

/** Skills in a folder of a source that is off. */
export interface OffFolder {
  readonly source: string;
  readonly path: string;
  readonly skills: number;
}

/** How many copies there are in each state; a copy whose name another has counts as shadowed alone. */
export type StateCounts = Readonly<Record<RowState, number>>;

export interface SkillList {
  /** Copies sorted by name, then source. */
  readonly skills: readonly SkillRow[];
  /** Of all copies, however many are listed. */
  readonly counts: StateCounts;
  readonly off: readonly OffFolder[];
}

/** Something that did not count for the order of results, and why. */
export interface RankingGap {
  readonly missing: 'embeddings' | 'rerank';
  readonly reason: string;
}

export interface FoundRow {
  readonly name: string;
  readonly score: number;
  readonly isWeak: boolean;
  readonly reasons: readonly string[];
}

/** The uses of a skill in the last twelve weeks. */
export interface RecentUse {
  readonly name: string;
  readonly uses: number;
  /** Twelve numbers, the last week at the end. */
  readonly weeks: readonly number[];
  /** ISO 8601; null if it was never used. */
  readonly lastUsed: string | null;
}

/** A change that was made, for one skill. */
export interface SwitchedName {
  readonly name: string;
  /** The file that was changed, and the settings in it; none if the skill was in this state already. */
  readonly file: string;
  readonly settings: readonly string[];
}

/** Why something could not be done. */
export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface FailedName extends WireFailure {
  readonly name: string;
}

export interface Switched {
  readonly done: readonly SwitchedName[];
  readonly failed: readonly FailedName[];
}
