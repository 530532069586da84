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
  readonly connection: ConnectionView;
}

/** How a host is connected to us. */
export interface ConnectionView {
  readonly hasServer: boolean;
  /** Does its hook ask our server, or start a process for each message? Null if it has none. */
  readonly hook: 'server' | 'process' | null;
  /** Does it tell us of every skill that is used? */
  readonly recordsUse: boolean;
  /** ISO 8601; null if never. */
  readonly lastAsked: string | null;
  readonly lastSpoke: string | null;
}

export interface FileDiff {
  readonly path: string;
  /** A unified diff. */
  readonly diff: string;
}

/** The files that connecting changes, or changed, and the steps that are left to the person. */
export interface ConnectView {
  readonly files: readonly FileDiff[];
  readonly next: string | null;
}

/** Lets a host see a skill, or keeps it from it. */
export interface HostCell {
  readonly host: string;
  readonly name: string;
  readonly isOn: boolean;
}

/**
 * How a host treats a skill, the place of the reason in the list of reasons (-1 if there is none), and whether the host shall
 * see it by the setting `hosts`.
 */
export type SeenCell = readonly [standing: HostStanding, reason: number, isWanted: boolean];

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
  readonly files: readonly FileDiff[];
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

/** A plan after cells were switched, and the change of the configuration that does it. */
export interface SwitchedView extends SyncView {
  readonly config: FileDiff | null;
}
