import { join } from 'node:path';

import { AGENTS, type AgentId, type HostId } from '../model/agents.ts';
import type { Environment } from '../platform/environment.ts';
import { projectDirectories } from '../platform/project.ts';
import { agentFolder } from '../sources/agent-folders.ts';
import type { ForeignEntry } from './editing/foreign-entry.ts';
import type { HostHistory } from './history/host-history.ts';
import type { HostHook } from './hooks/host-hook.ts';
import { quoteValues, splitAtFences } from './seeing/dialect.ts';
import { dropSameFiles, loadFirst } from './seeing/first-wins.ts';
import type {
  CatalogRequest,
  HostCatalog,
  HostRoot,
  HostSkill,
  ListedSkill,
  ShownDescription,
  Switches,
} from './seeing/host-skill.ts';
import { describeWhole, listEverything } from './seeing/list-everything.ts';
import { projectRoots } from './seeing/project-roots.ts';
import { readRoot, type ReadingRules } from './seeing/read-walked.ts';
import { fieldText } from './seeing/skill-text.ts';

/** Where a host runs: whose home, which directory, which variables. */
export type HostPlace = Pick<Environment, 'cwd' | 'home' | 'variables'>;

/** The user's own folders of the hosts, or those in a project. */
export type SyncScope = 'user' | 'project';

/** An agent with skill folders. For some agents only these folders are known. */
export interface Host {
  readonly id: AgentId;
  /** Its name for people. */
  readonly title: string;
  /** The version in which the facts were seen; undefined if only its folders are known. */
  readonly seenIn?: string | undefined;
  /** The folder with its configuration, its state and mostly its history. */
  folder(place: HostPlace): string;
  /** Where a skill gets its name: from its folder, or from the field `name` (from its folder if there is none). */
  readonly naming: 'directory' | 'frontmatter';
  /** Built-in skills, which are in none of its folders. */
  readonly builtIn: readonly string[];
  /** The folders that it reads skills from, existing or not, in its order. */
  roots(place: HostPlace): readonly HostRoot[];
  /** How it finds and reads a SKILL.md. */
  readonly reading: ReadingRules;
  /** Every skill that it comes across, in the order of its list; those that it does not load say why. */
  discover(place: HostPlace): readonly HostSkill[];
  readonly listing: HostListing;
  readonly switch: HostSwitches;
  /** Fields with an effect there, in addition to `name` and `description`; informational ones are not listed. */
  readonly fields: readonly string[];
  /** A file in the skill that replaces a frontmatter field there. */
  readonly ownFile?: OwnFile | undefined;
  /** The folder where we give it skills; other agents may read it as well. For a project, `cwd` is its root. */
  shownIn(place: HostPlace, scope: SyncScope): string;
  /** Entries of its folders that it writes itself. */
  readonly reserved: readonly string[];
  /** Does it take two links to one folder for two skills of one name? */
  readonly countsLinks?: true;
  /** Sources that it reads outside its own folders. */
  readonly ownSources: readonly string[];
  /** How to read its conversation history. */
  readonly history?: HostHistory | undefined;
  /** How it tells us of messages, and takes hints for its model. */
  readonly hook?: HostHook | undefined;
}

/** A host that we know well. */
export interface KnownHost extends Host {
  readonly id: HostId;
  readonly seenIn: string;
  /** The command that starts it. */
  readonly program: string;
  readonly history: HostHistory;
  readonly hook: HostHook;
}

/** How a host lists skills for its model. */
export interface HostListing {
  /** Lays out its catalog. `skills` are loaded, and none is hidden. */
  layOut(skills: readonly ListedSkill[], place: HostPlace, request: CatalogRequest): HostCatalog;
  /** The part of a description that its list shows at most, however much room there is. */
  describe(skill: Pick<HostSkill, 'description' | 'fields'>): ShownDescription;
}

/** How skills are kept from the model of a host. */
export interface HostSwitches {
  read(place: HostPlace): Switches;
  /** The file that keeps single skills from it, or why it has none. For a project, the place's `cwd` is its root. */
  file(place: HostPlace, scope: SyncScope): SwitchFile | NoSwitchFile;
}

/** A settings file in which a host can be told to leave a skill out. */
export interface SwitchFile {
  readonly path: string;
  /** The entry that switches a skill off. Lines are appended to a TOML file. */
  entryFor(skill: Pick<HostSkill, 'name' | 'realFile'>): ForeignEntry;
}

export interface NoSwitchFile {
  readonly because: string;
}

/** A file of a skill that stands in for a field of its frontmatter. */
export interface OwnFile {
  readonly path: string;
  readonly field: string;
  /** Does this file set the field to true? */
  says(text: string): boolean;
}

/** The facts about a host that its row in `model/agents.ts` does not have. All were seen in one version of it. */
export type HostFacts = Pick<KnownHost, 'seenIn' | 'roots' | 'reading' | 'shownIn' | 'history' | 'hook'> &
  Partial<Omit<Host, 'id' | 'title' | 'folder'>>;

/** A host by its facts. Unless they say otherwise, it loads the first skill of each name, lists all in full and has no switches. */
export function defineHost(id: HostId, facts: HostFacts): KnownHost {
  return { ...hostWith(id, facts), ...facts, id, program: AGENTS[id].program ?? '' };
}

/** A host of which only the folders are known. It is taken for one that reads any SKILL.md in them. */
export function folderHost(id: AgentId): Host {
  const { project = './.agents/skills', user = '' } = AGENTS[id];
  return hostWith(id, {
    reading: PLAIN_RULES,
    roots: ({ cwd, home }) => [
      ...(AGENTS[id].project === undefined ? [] : projectRoots(projectDirectories(cwd), project, 'private')),
      { path: join(home, user.slice(2)), level: 'user', use: 'private' },
    ],
    shownIn: ({ cwd, home }, scope) => (scope === 'user' ? join(home, user.slice(2)) : join(cwd, project)),
  });
}

function hostWith(id: AgentId, facts: Pick<HostFacts, 'roots' | 'reading' | 'shownIn'> & Partial<HostFacts>): Host {
  const { title } = AGENTS[id];
  const { roots, reading } = facts;
  return {
    id,
    title,
    folder: (place) => agentFolder(id, place),
    naming: 'frontmatter',
    builtIn: [],
    discover: (place) => loadFirst(dropSameFiles(roots(place).flatMap((root) => readRoot(root, reading)))),
    listing: { layOut: listEverything, describe: describeWhole },
    switch: {
      read: () => ({ files: [], faults: [], stateOf: () => undefined }),
      file: () => ({ because: `Skillplane cannot change ${title}'s settings; turn the skill off in ${title}` }),
    },
    fields: [],
    reserved: [],
    ownSources: [],
    ...facts,
  };
}

/** The folder that most agents read in addition to their own. */
export function sharedFolder({ home, cwd }: Pick<HostPlace, 'home' | 'cwd'>, scope: SyncScope): string {
  return join(scope === 'user' ? home : cwd, '.agents', 'skills');
}

const PLAIN_RULES: ReadingRules = {
  depth: 1,
  dialect: { split: splitAtFences, recover: (yaml) => quoteValues(yaml), duplicates: 'first' },
  judge: ({ fields }, id) => ({
    name: fieldText(fields, 'name') ?? id,
    description: fieldText(fields, 'description') ?? '',
  }),
};
