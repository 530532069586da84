import type { FindingView } from './skill.ts';
import type { FailedName, RowState } from './skills.ts';

/** Installed skills, their updates, and what would be installed. */

export type Scope = 'user' | 'project';

export interface InstalledRow {
  readonly name: string;
  readonly scope: Scope;
  readonly dir: string;
  readonly address: string | null;
  readonly choice: string | null;
  readonly isHeld: boolean;
  readonly isTrusted: boolean;
  readonly state: RowState | null;
  /** How its files compare with the lock. */
  readonly files: 'unchanged' | 'changed' | 'missing' | 'unlocked';
  readonly changes: readonly string[];
}

/** The versions of an installed skill that are on this machine. */
export interface VersionsView {
  /** Null if the skill was not installed from anywhere. */
  readonly installed: InstalledRow | null;
  /** The version that a rollback returns to; null if none is kept. */
  readonly previous: {
    readonly choice: string | null;
    readonly changes: readonly string[];
    readonly diff: string;
  } | null;
}

export interface InstalledList {
  readonly skills: readonly InstalledRow[];
  readonly failures: readonly string[];
}

export interface UpdateRow {
  readonly name: string;
  readonly scope: Scope;
  readonly from: string | null;
  readonly to: string | null;
  /** The state that the update brings; accepting it is bound to it. */
  readonly digest: string;
  readonly changes: readonly string[];
  /** Files that were changed here and would be replaced. */
  readonly localChanges: readonly string[];
  readonly addedFindings: readonly FindingView[];
  readonly isRefused: boolean;
  readonly diff: string;
}

export interface UpdateList {
  readonly updates: readonly UpdateRow[];
  readonly current: readonly string[];
  readonly held: readonly string[];
  readonly pinned: readonly string[];
  readonly failed: readonly FailedName[];
}

/** A skill at an address. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

export interface PreviewRow {
  readonly name: string;
  readonly description: string;
  readonly digest: string;
  readonly files: number;
  readonly verdict: string;
  readonly findings: readonly string[];
  readonly isRefused: boolean;
  /** The skill elsewhere that it hides, or that hides it. */
  readonly conflict: string | null;
}

/** The skills at an address to pick from, or those that would be installed. */
export interface InstallLook {
  readonly offered: readonly OfferedSkill[];
  readonly from: string | null;
  readonly choice: string | null;
  readonly skills: readonly PreviewRow[];
  readonly skipped: readonly string[];
  readonly notices: readonly string[];
}
