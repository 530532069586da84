import type { HostId } from '../model/host-id.ts';
import type { Environment } from '../platform/environment.ts';
import type { HostHistory } from './history/host-history.ts';
import type { HostHook } from './hooks/host-hook.ts';
import type {
  CatalogRequest,
  HostCatalog,
  HostRoot,
  HostSkill,
  ListedSkill,
  ShownDescription,
  Switches,
} from './seeing/host-skill.ts';
import type { ReadingRules } from './seeing/read-walked.ts';
import type { HostSync } from './sync/host-sync.ts';

/** Where a host runs: whose home, which directory, which variables. */
export type HostPlace = Pick<Environment, 'cwd' | 'home' | 'variables'>;

/**
 * An agent program that reads skills from folders of its own. Hosts change often, so every fact about one is in that
 * host's folder alone.
 */
export interface Host {
  readonly id: HostId;
  /** Its name for people. */
  readonly title: string;
  /** The version in which the facts were seen. */
  readonly seenIn: string;
  /** The command that starts it. */
  readonly program: string;
  /** The folder with its configuration, its state and mostly its history. */
  folder(place: HostPlace): string;
  /** Where a skill gets its name: from its folder, or from the field `name` (from its folder if there is none). */
  readonly naming: 'directory' | 'frontmatter';
  /** Skills of the program itself, which lie in none of its folders. */
  readonly builtIn: readonly string[];
  /** The folders that it reads skills from, existing or not, in its order. */
  roots(place: HostPlace): readonly HostRoot[];
  /** Every skill that it comes across, in the order of its list; those that it does not load say why. */
  discover(place: HostPlace): readonly HostSkill[];
  /** Reads its switches. */
  readSwitches(place: HostPlace): Switches;
  /** Lays out its catalog. `skills` are loaded, and none is hidden. */
  layOut(skills: readonly ListedSkill[], place: HostPlace, request: CatalogRequest): HostCatalog;
  /** How it finds and reads a SKILL.md. */
  readonly reading: ReadingRules;
  /** Fields with an effect there, beside `name` and `description`. Those that only inform people are not listed. */
  readonly fields: readonly string[];
  /** A file of the skill that says there what a field says elsewhere. */
  readonly ownFile?: OwnFile | undefined;
  /** The part of a description that its list shows at most, however much room there is. */
  describe(skill: Pick<HostSkill, 'description' | 'fields'>): ShownDescription;
  /** How to read what it remembers of its conversations. */
  readonly history: HostHistory;
  /** Where skills are put for it, and how they are kept from it. */
  readonly sync: HostSync;
  /** How it tells us of messages, and takes hints for its model. */
  readonly hook: HostHook;
}

/** A file of a skill that stands in for a field of its frontmatter. */
export interface OwnFile {
  readonly path: string;
  readonly field: string;
  /** Does this text of the file say what the field says if it is true? */
  says(text: string): boolean;
}

/** As much of a host as seeing takes. Of some, only the folders are known. */
export interface SeeingHost extends Pick<
  Host,
  'title' | 'naming' | 'builtIn' | 'roots' | 'discover' | 'readSwitches' | 'layOut'
> {
  readonly id: string;
  /** Undefined if only its folders are known. */
  readonly seenIn: string | undefined;
}
