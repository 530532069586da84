import type { Environment } from '../../platform/environment.ts';
import type { JsonEntry } from '../editing/foreign-entry.ts';
import type { HostSkill } from '../seeing/host-skill.ts';

/** The user's own folders of the hosts, or those in a project. */
export type SyncScope = 'user' | 'project';

/** Where a host runs. */
type Place = Pick<Environment, 'cwd' | 'home' | 'variables'>;

/** The facts about a host that sync needs. For a project, the place's `cwd` is its root. */
export interface HostSync {
  /** The folder that shows it skills; other hosts may read it, too. */
  folder(place: Place, scope: SyncScope): string;
  /** The file that keeps single skills from it, or why it has none. */
  switchFile(place: Place, scope: SyncScope): SwitchFile | NoSwitchFile;
  /** Entries of its folders that it writes itself. */
  readonly reserved: readonly string[];
  /** Sources whose skills it loads by itself, outside its folders. */
  readonly ownSources: readonly string[];
}

/** A settings file in which a host can be told to leave a skill out. */
export interface SwitchFile {
  readonly path: string;
  /** The entry that switches a skill off. Lines are appended to a TOML file. */
  entryFor(skill: Pick<HostSkill, 'name' | 'realFile'>): JsonEntry | TomlLines;
}

export interface TomlLines {
  readonly kind: 'lines';
  readonly lines: readonly string[];
}

export interface NoSwitchFile {
  readonly because: string;
}
