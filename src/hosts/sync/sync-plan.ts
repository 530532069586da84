import type { AgentId } from '../../model/agents.ts';
import type { NextStep } from '../../model/next-step.ts';
import type { ForeignEntry } from '../editing/foreign-entry.ts';
import type { SyncScope } from '../host.ts';
import type { OwnEntry, OwnSwitch, SyncManifest } from './manifest.ts';

/** One thing that a sync changes. */
export interface SyncChange {
  /** A link or a copy is made or removed, or a skill is switched off or on in a settings file. */
  readonly kind: 'link' | 'copy' | 'remove' | 'switch-off' | 'switch-on';
  /** The entry in a folder of hosts, or the settings file. */
  readonly path: string;
  readonly skill: string;
  /** The hosts that it is for. */
  readonly hosts: readonly AgentId[];
  readonly because: string;
  /** The folder of the skill that a link leads to. */
  readonly target?: string | undefined;
}

/** Something that cannot be as the catalog says. */
export interface SyncProblem {
  /**
   * `taken`: an entry of others has the place. `broken`: a broken link is there, or a file that should be one. `shown`: the host cannot be kept from showing it. `file`: a settings file
   * cannot be edited. `unseen`: the host does not show it, for a reason of its own. `withheld`: the audit refuses it.
   */
  readonly kind: 'taken' | 'broken' | 'shown' | 'file' | 'unseen' | 'withheld';
  readonly skill: string;
  readonly hosts: readonly AgentId[];
  readonly path?: string | undefined;
  readonly because: string;
  readonly next?: NextStep | undefined;
}

/** A settings file that changes. */
export interface ChangedFile {
  readonly path: string;
  /** A unified diff. */
  readonly diff: string;
}

/** A settings file before and after; undefined where there is none. */
export interface FileEdit {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The changes that a sync would make. Nothing was changed yet. */
export interface SyncPlan {
  readonly scope: SyncScope;
  readonly hosts: readonly AgentId[];
  /** Empty if everything is as it should be. */
  readonly changes: readonly SyncChange[];
  readonly problems: readonly SyncProblem[];
  readonly files: readonly ChangedFile[];
}

/** An entry to make in a folder of hosts. */
export interface PlannedEntry {
  readonly path: string;
  readonly skill: string;
  readonly hosts: readonly AgentId[];
  /** The folder of the skill. */
  readonly dir: string;
  /** The text of the link. */
  readonly target: string;
  /** The entry of ours that it replaces; undefined if there is none in its place. */
  readonly before?: OwnEntry | undefined;
}

/** A switch that a host should have. */
export interface PlannedSwitch {
  readonly host: AgentId;
  readonly skill: string;
  readonly file: string;
  readonly entry: ForeignEntry;
  readonly because: string;
}

/** The changes of entries or switches. */
export interface ChangeLists<Added, Own> {
  readonly added: readonly Added[];
  readonly removed: readonly Own[];
  /** Ours, and as they should be. */
  readonly kept: readonly Own[];
  readonly problems: readonly SyncProblem[];
}

export type EntryPlan = ChangeLists<PlannedEntry, OwnEntry>;
export type SwitchPlan = ChangeLists<PlannedSwitch, OwnSwitch>;

/** A plan with what it takes to carry it out. */
export interface WholePlan extends SyncPlan {
  readonly before: SyncManifest;
  readonly after: SyncManifest;
  readonly edits: readonly FileEdit[];
  readonly added: readonly PlannedEntry[];
  readonly removed: readonly OwnEntry[];
}
