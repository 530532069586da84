/** Agent programs, and what each makes of every skill. */

export type HostStanding = 'described' | 'named' | 'hidden' | 'lost' | 'unseen';

export interface HostSummary {
  readonly id: string;
  readonly title: string;
  readonly isPresent: boolean;
  readonly version: string | null;
  /** The version in which its rules were seen. */
  readonly seenIn: string;
  readonly counts: Readonly<Record<Exclude<HostStanding, 'unseen'>, number>>;
  readonly folders: readonly { readonly path: string; readonly skills: number }[];
  /** Settings of the program that cannot be read, and other trouble. */
  readonly faults: readonly string[];
}

/** How a host treats a skill, and the place of the reason in the list of reasons; -1 if there is none. */
export type SeenCell = readonly [standing: HostStanding, reason: number];

export interface SeenRow {
  /** The path of the SKILL.md. */
  readonly file: string;
  /** One for each host that is present, in their order. */
  readonly cells: readonly SeenCell[];
}

export interface HostsView {
  readonly hosts: readonly HostSummary[];
  readonly reasons: readonly string[];
  readonly rows: readonly SeenRow[];
}

/** The changes that a sync would make, or made. */
export interface SyncView {
  readonly hosts: readonly string[];
  readonly changes: readonly SyncChangeView[];
  readonly problems: readonly { readonly skill: string; readonly hosts: readonly string[]; readonly because: string }[];
  /** Settings files that change, each as a diff. */
  readonly files: readonly { readonly path: string; readonly diff: string }[];
  /** Was something synced before, so that it can be undone? */
  readonly canUndo: boolean;
}

export interface SyncChangeView {
  readonly kind: 'link' | 'copy' | 'remove' | 'switch-off' | 'switch-on';
  readonly path: string;
  readonly skill: string;
  readonly hosts: readonly string[];
  readonly because: string;
}
