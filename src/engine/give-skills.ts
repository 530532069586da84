import { join } from 'node:path';

import { listCopies, type Catalog } from '../catalog/catalog.ts';
import { openStore } from '../catalog/store.ts';
import { findConfigFile } from '../config/change-setting.ts';
import { editConfig, planConfigEdit, type EditedConfig } from '../config/edit-config.ts';
import {
  editExceptions,
  findException,
  withExceptions,
  type ExceptionKind,
  type HostException,
} from '../config/host-globs.ts';
import { readConfig } from '../config/read-config.ts';
import { hostOf } from '../hosts/all-hosts.ts';
import type { ChangedFile, SyncChange, SyncProblem } from '../hosts/sync/sync-plan.ts';
import { listProjectHosts, type SyncOptions } from '../hosts/sync/sync-request.ts';
import { listGiven, listSynced, prepareSync, type SyncReport } from '../hosts/sync/sync.ts';
import { AGENT_IDS, type AgentId } from '../model/agents.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { readOwnText } from '../platform/files/files.ts';
import { openWishes, readAgentDefault, readAgentIds, type AgentDefault } from './agent-wishes.ts';
import { forecastLists, type ListChange } from './list-changes.ts';
import { readSkillAgents, type AgentFact, type SkillAgents } from './skill-agents.ts';
import { throughGate } from './sync-agents.ts';

/** How to give skills to agents. */
export interface GiveOptions extends EnvironmentOptions {
  /** Only in the folders and settings of this project. Default: skills of the project there, all others in the user's own folders. */
  readonly project?: boolean | undefined;
  /** Touch only the folders and settings of these agents. */
  readonly hosts?: readonly AgentId[] | undefined;
  /** Make copies, not links. */
  readonly copy?: boolean | undefined;
  /** Also give skills in other agents' folders. */
  readonly everything?: boolean | undefined;
  /** Change the wish first, in the setting `hosts`. */
  readonly choose?: AgentChoice | undefined;
  /** Asked before anything is changed, with the changes and what would no longer fit into the lists of agents. False: nothing is done. */
  readonly confirm?: ((plan: GivingPlan) => Promise<boolean>) | undefined;
  /** Called with a sentence while another process holds the lock. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/**
 * Changes which agents should have the skills: also these (`also`), not these (`not`), only these (`only`), or the
 * default without exceptions (`default`). With `project`, the change is made in the project's configuration.
 */
export type AgentChoice =
  | { readonly how: 'also' | 'not'; readonly agents: readonly string[]; readonly project?: boolean }
  | {
      readonly how: 'only';
      readonly agents: readonly string[];
      /** Agents that find the skills by themselves: disabled for them. */
      readonly keepFrom?: readonly AgentId[];
      readonly project?: false;
    }
  | { readonly how: 'default'; readonly project?: false }
  | { readonly how: 'each'; readonly changes: readonly AgentChange[]; readonly project?: false };

/** A skill, and whether an agent shall have it: `give`, or the exception from the default that is to hold. */
export interface AgentChange {
  readonly name: string;
  readonly agent: string;
  readonly to: 'give' | ExceptionKind | 'default';
}

/** The changes that giving skills makes. */
export interface GivingPlan {
  /** The agents whose folders and settings were looked at. */
  readonly hosts: readonly AgentId[];
  readonly changes: readonly SyncChange[];
  /** Settings files of agents that change. */
  readonly files: readonly ChangedFile[];
  readonly problems: readonly SyncProblem[];
  /** The lists of agents that change. */
  readonly lists: readonly ListChange[];
  /** How the configuration changes, if `choose` changes it. */
  readonly settings?: ChangedFile | undefined;
}

/** The skills, and the agents that have them now. */
export interface GivenSkills extends GivingPlan {
  /** False if `confirm` said no. */
  readonly isDone: boolean;
  /** The skills in the order of their names; without those that there are not any more. */
  readonly skills: readonly SkillAgents[];
  /** The configuration with the wish, if `choose` was given. */
  readonly config?: EditedConfig | undefined;
  /** The exceptions that held before; choosing them takes the choice back. */
  readonly replaced: readonly AgentChange[];
}

/**
 * Carries out, for these skills and no others, which agents shall have them, and says which have them then. It is for every
 * surface, after any change of a skill: installed, written, updated, switched or removed. A name without a skill is not an error:
 * whatever we gave of it is taken back. `all` repairs every skill.
 *
 * `openWishes` has the rules. Broken skills and those that the audit withholds are never given. A disabled skill is taken back, and the
 * switches of agents that find it by themselves are used. Giving a skill to one agent changes no setting of another: one that reads the same folder has it, too, and its fact says so.
 */
export async function giveSkills(
  names: readonly string[] | 'all',
  { choose, confirm, everything, ...given }: GiveOptions = {},
): Promise<Outcome<{ readonly given: GivenSkills }>> {
  const environment = readEnvironment(given);
  if (names.length === 0) return { ok: true, given: NOTHING };
  await using store = await openStore({ ...given });
  const listed = names === 'all' ? undefined : names;
  const chosen = readChoice(listed ?? [], choose, { catalog: store.catalog(), environment });
  if (!chosen.ok) return chosen;
  const { exceptions } = chosen;
  const { agents, found } = readAgentDefault(environment);
  const isExcepted = (id: AgentId): boolean => listGlobs(exceptions, id).some((glob) => !/^[!-]/.test(glob));
  const runs = scopesOf(listed, given, store.catalog()).map(({ project, skills }): SyncOptions => {
    // An agent with a folder in the project gets the project's skills, whoever works there.
    const wishing = [...agents, ...(project ? listProjectHosts(environment) : [])];
    const known = new Set<AgentId>([...wishing, ...found, ...listSynced({ ...given, project })]);
    const hosts = given.hosts ?? AGENT_IDS.filter((id) => known.has(id) || isExcepted(id));
    const wishFor = openWishes(wishing, { everything, exceptions });
    return throughGate({ ...given, project, hosts, skills, wishFor });
  });
  const prepared = await collect(runs.map((run) => () => prepareSync(run)));
  if (!prepared.ok) return prepared;
  const planned = total(prepared.all.map(({ plan }) => plan));
  const known = listKnown({ agents, found });
  const lists = confirm === undefined ? [] : forecastLists(known, planned.changes, environment);
  if (confirm !== undefined) {
    const settings = await chosen.plan();
    if (!settings.ok) return settings;
    const plan = { ...planned, lists, settings: settings.file };
    if (!(await confirm(plan))) return { ok: true, given: { ...plan, isDone: false, skills: [], replaced: [] } };
  }
  const written = await chosen.write();
  if (!written.ok) return written;
  const synced = await collect(prepared.all.map(({ apply }) => apply));
  if (!synced.ok) return synced;
  const done = total(synced.all.map(({ report }) => report));
  await store.refresh();
  const facts = await readSkillAgents(store.catalog(), environment, { names: listed });
  const skills = facts.map((row) => withProblems(row, done.problems));
  const { replaced } = chosen;
  return { ok: true, given: { ...done, lists, isDone: true, skills, config: written.config, replaced } };
}

const NOTHING: GivenSkills = {
  hosts: [],
  changes: [],
  files: [],
  lists: [],
  isDone: true,
  skills: [],
  problems: [],
  replaced: [],
};

/** A skill that is about to be installed. */
export interface ComingSkill {
  readonly name: string;
  /** Where it lies now. */
  readonly dir: string;
}

/** Says who will get skills that are about to be installed, and what would no longer fit into the lists of agents. Changes nothing. */
export function forecastGiving(
  skills: readonly ComingSkill[],
  { choose, project = false, ...options }: Pick<GiveOptions, 'choose' | 'project' | keyof EnvironmentOptions> = {},
): Outcome<{ readonly agents: readonly AgentId[]; readonly lists: readonly ListChange[] }> {
  const environment = readEnvironment(options);
  const chosen = readChoice(
    skills.map(({ name }) => name),
    choose,
    { environment },
  );
  if (!chosen.ok) return chosen;
  const defaults = readAgentDefault(environment).agents;
  const gets = ({ name }: ComingSkill, id: AgentId): boolean => {
    const exception = findException(name, id, chosen.exceptions);
    return exception === 'given' || (exception === undefined && defaults.includes(id));
  };
  const scope = project ? 'project' : 'user';
  const agents = AGENT_IDS.filter((id) => skills.some((skill) => gets(skill, id)));
  const coming = agents.flatMap((id) => {
    const folder = hostOf(id).shownIn(environment, scope);
    return skills
      .filter((skill) => gets(skill, id))
      .map(({ name, dir }) => ({
        kind: 'link' as const,
        path: join(folder, name),
        target: dir,
        skill: name,
        hosts: [id],
      }));
  });
  return { ok: true, agents, lists: forecastLists(listKnown(readAgentDefault(environment)), coming, environment) };
}

/** The agents that are on this machine or get skills by default. */
function listKnown({ agents, found }: Pick<AgentDefault, 'agents' | 'found'>): readonly AgentId[] {
  return AGENT_IDS.filter((id) => agents.includes(id) || found.includes(id));
}

function listGlobs({ hosts }: Pick<SkillsConfig, 'hosts'>, id: AgentId): readonly string[] {
  return hosts[id] ?? [];
}

interface Run {
  readonly project: boolean;
  readonly skills: readonly string[] | undefined;
}

/** The user's own folders for all names; the project's for the skills that it has, or that we gave there. */
function scopesOf(
  names: readonly string[] | undefined,
  { project, ...given }: Pick<GiveOptions, 'project' | keyof EnvironmentOptions>,
  catalog: Catalog,
): readonly Run[] {
  if (names === undefined || project === true) return [{ project: project === true, skills: names }];
  const ofProject = new Set([
    ...listCopies(catalog)
      .filter(({ level }) => level === 'project')
      .map(({ name }) => name),
    ...listGiven({ ...given, project: true }),
  ]);
  const there = names.filter((name) => ofProject.has(name));
  return [{ project: false, skills: names }, ...(there.length === 0 ? [] : [{ project: true, skills: there }])];
}

/** Does one after the other, as long as all goes well. */
async function collect<T>(
  work: readonly (() => Promise<Outcome<T>>)[],
): Promise<Outcome<{ readonly all: readonly T[] }>> {
  const all: T[] = [];
  for (const each of work) {
    const done = await each();
    if (!done.ok) return done;
    all.push(done);
  }
  return { ok: true, all };
}

function total(reports: readonly SyncReport[]): Pick<SyncReport, 'hosts' | 'changes' | 'files' | 'problems'> {
  return {
    hosts: AGENT_IDS.filter((id) => reports.some(({ hosts }) => hosts.includes(id))),
    changes: reports.flatMap(({ changes }) => changes),
    files: reports.flatMap(({ files }) => files),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

/** The exceptions of the setting `hosts` after a choice, and how to write it. */
interface ReadChoice {
  readonly exceptions: Pick<SkillsConfig, 'hosts' | 'project'>;
  readonly replaced: readonly AgentChange[];
  readonly plan: () => Promise<Outcome<{ readonly file?: ChangedFile }>>;
  readonly write: () => Promise<Outcome<{ readonly config?: EditedConfig }>>;
}

function readChoice(
  names: readonly string[],
  choice: AgentChoice | undefined,
  { environment, catalog }: { readonly environment: Environment; readonly catalog?: Catalog },
): Outcome<ReadChoice> {
  const { config } = readConfig(environment);
  const { hosts, project } = config;
  if (choice === undefined) {
    const nothing = async (): Promise<{ readonly ok: true }> => ({ ok: true });
    return { ok: true, exceptions: { hosts, project }, replaced: [], plan: nothing, write: nothing };
  }
  const read = readAgentIds(agentsIn(choice));
  if (!read.ok) return read;
  const { agents } = readAgentDefault(environment);
  /** The kind of exception that makes an agent get the skill, or not get it; none where the default says so already. */
  const toGet = (name: string, host: AgentId, isWanted: boolean): HostException => {
    // Disabled for an agent, it stays so when others are chosen.
    if (!isWanted && findException(name, host, { hosts, project: {} }) === 'kept') return { name, host, kind: 'kept' };
    const plain = withExceptions(hosts, [{ name, host, kind: 'default' }]);
    const skill = catalog?.skills.find((each) => each.name === name);
    const exceptions = { hosts: plain, project };
    const isGiven =
      skill === undefined
        ? agents.includes(host) && findException(name, host, exceptions) === undefined
        : openWishes(agents, { exceptions })(skill, host, config).kind === 'given';
    return { name, host, kind: isGiven === isWanted ? 'default' : isWanted ? 'given' : 'not given' };
  };
  const isProjects = choice.project === true;
  const list = names.flatMap((name) =>
    isProjects && choice.how === 'also'
      ? read.ids.map((host): HostException => ({ name, host, kind: 'default' }))
      : exceptionsFor(name, choice, { ids: read.ids, toGet }),
  );
  const file = findConfigFile(environment, isProjects);
  return {
    ok: true,
    exceptions: isProjects
      ? { hosts, project: { ...project, hosts: withExceptions(project.hosts ?? {}, list) } }
      : { hosts: withExceptions(hosts, list), project },
    replaced: list.flatMap(({ name, host, kind }): AgentChange[] => {
      const before = findException(name, host, { hosts, project: {} }) ?? 'default';
      if (before !== kind) return [{ name, agent: host, to: before }];
      const isGift = choice.how === 'each' && findChange(choice.changes, name, host)?.to === 'give';
      // An agent that was to have it anyway, and did not, loses it again only by an exception.
      return isGift ? [{ name, agent: host, to: 'not given' }] : [];
    }),
    plan: () => (file.ok ? planSettings(file.file, list) : Promise.resolve(file)),
    async write() {
      const edited = file.ok ? await editConfig(file, editExceptions(list)) : file;
      return edited.ok ? { ok: true, config: edited } : edited;
    },
  };
}

/** The configuration with these exceptions; without a file if it says so already. */
async function planSettings(
  path: string,
  list: readonly HostException[],
): Promise<Outcome<{ readonly file?: ChangedFile }>> {
  const read = readOwnText(path);
  const planned = read.ok ? await planConfigEdit(path, editExceptions(list)) : read;
  if (!read.ok) return read;
  if (!planned.ok) return planned;
  if (planned.changed.length === 0) return { ok: true };
  return { ok: true, file: { path, diff: renderDiff(read.text ?? '', planned.text, path.replace(/^\//, '')) } };
}

function findChange(changes: readonly AgentChange[], name: string, host: AgentId): AgentChange | undefined {
  return changes.findLast((change) => change.name === name && change.agent === host);
}

function agentsIn(choice: AgentChoice): readonly string[] {
  if (choice.how === 'default') return [];
  return choice.how === 'each' ? choice.changes.map(({ agent }) => agent) : choice.agents;
}

function exceptionsFor(
  name: string,
  choice: AgentChoice,
  {
    ids,
    toGet,
  }: {
    readonly ids: readonly AgentId[];
    readonly toGet: (name: string, host: AgentId, isWanted: boolean) => HostException;
  },
): readonly HostException[] {
  if (choice.how === 'each')
    return ids.flatMap((host) => {
      const to = findChange(choice.changes, name, host)?.to;
      if (to === undefined) return [];
      return [to === 'give' ? toGet(name, host, true) : { name, host, kind: to }];
    });
  if (choice.how === 'default') return AGENT_IDS.map((host) => ({ name, host, kind: 'default' }));
  if (choice.how === 'not') return ids.map((host) => ({ name, host, kind: 'kept' }));
  if (choice.how !== 'only') return ids.map((host) => toGet(name, host, true));
  const { keepFrom = [] } = choice;
  return AGENT_IDS.map((host) => {
    const isWanted = ids.includes(host);
    return !isWanted && keepFrom.includes(host) ? { name, host, kind: 'kept' } : toGet(name, host, isWanted);
  });
}

/** A place that is taken explains why an agent does not have a skill. */
function withProblems({ name, file, agents }: SkillAgents, problems: readonly SyncProblem[]): SkillAgents {
  const taken = problems.filter(({ kind, skill }) => (kind === 'taken' || kind === 'broken') && skill === name);
  return {
    name,
    file,
    agents: agents.map((fact): AgentFact => {
      const problem = taken.find(({ hosts }) => hosts.includes(fact.agent));
      if (problem === undefined || fact.has) return fact;
      const { path = '' } = problem;
      return { ...fact, because: `it has another ${name} (${path})`, next: { moveAway: path } };
    }),
  };
}
