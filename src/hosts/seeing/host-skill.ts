import type { NextStep } from '../../model/next-step.ts';
import type { FrontmatterMap } from '../../model/skill.ts';

/** A folder that a host reads skills from. */
export interface HostRoot {
  readonly path: string;
  readonly level: 'project' | 'user' | 'admin' | 'plugin' | 'bundled';
  /**
   * `shared`: other agents read it as well. `private`: only this agent reads it. `host`: written by the agent or its
   * plugins, never by other programs.
   */
  readonly use: 'shared' | 'private' | 'host';
}

/** The reason for a state, and the next step to change it. */
export interface Reason {
  readonly because: string;
  readonly next?: NextStep | undefined;
}

/** A skill that a host comes across in its own search. */
export interface HostSkill {
  /** As the host calls it: a user types it, a model answers with it. */
  readonly name: string;
  /** The name in the file, if the agent shows both. */
  readonly title?: string | undefined;
  /** As the host reads it, before it is cut for the catalog. */
  readonly description: string;
  /** The path by which the host reaches the file; empty for a skill that is built into the program. */
  readonly file: string;
  /** The same file without links. Two entries with the same one are one skill. */
  readonly realFile: string;
  readonly root: HostRoot;
  readonly fields: FrontmatterMap;
  /** Set if the host does not load it. */
  readonly loss?: Reason | undefined;
  /** Other files of this name, if the host takes one of them at random. */
  readonly rivals?: readonly string[] | undefined;
}

/** A switch that keeps a skill, or its description, from the model. */
export interface SwitchState extends Reason {
  readonly state: 'named' | 'hidden';
  /** The file with the switch; undefined if the skill's own frontmatter says so. */
  readonly file?: string | undefined;
}

/** The host's switches as its files have them now. */
export interface Switches {
  /** Every file that may hold switches, existing or not. */
  readonly files: readonly string[];
  /** Files that cannot be read, and why. */
  readonly faults: readonly Reason[];
  /** Undefined if nothing holds the skill back. */
  stateOf(skill: HostSkill): SwitchState | undefined;
}

/** Facts that decide the size of the catalog. */
export interface CatalogRequest {
  /** Tokens that the model takes. Default: the host's own assumption. */
  readonly window?: number | undefined;
  /** The model's id. */
  readonly model?: string | undefined;
  /** Milliseconds since 1970, for hosts that weigh recent use. */
  readonly now: number;
}

/** A skill for the catalog. `isNamed` if a switch keeps its description back. */
export interface ListedSkill {
  readonly skill: HostSkill;
  readonly isNamed: boolean;
}

/** A skill that a host lists for its model. */
export interface HostCatalogEntry {
  readonly skill: HostSkill;
  /** The name as the list has it, if that is not the skill's. */
  readonly label?: string | undefined;
  /** The text that the model is shown of the description; empty if only the name is. */
  readonly text: string;
  /** Set if the model is shown less than the host knows, or nothing. */
  readonly cut?: Reason | undefined;
  /** False if the list is too full even for the name. */
  readonly isListed: boolean;
}

/** A description as a host's list shows it. */
export interface ShownDescription {
  readonly text: string;
  /** Set if it is shorter than the host knows it. */
  readonly cut?: Reason | undefined;
}

/** The list of skills in a host's prompt. */
export interface HostCatalog {
  /** In the order of the list. */
  readonly entries: readonly HostCatalogEntry[];
  /** Undefined if the host has no limit. */
  readonly room?: CatalogRoom | undefined;
}

export interface CatalogRoom {
  readonly unit: 'characters' | 'tokens';
  readonly limit: number;
  /** The size of the whole list. */
  readonly needed: number;
  /** How the limit comes about, in words. */
  readonly because: string;
}
