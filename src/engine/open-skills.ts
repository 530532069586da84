import type { SkillLoader, SkillLoadOutcome } from '../activate/loader.ts';
import type { RegisteredTool } from '../activate/toolsets/tool-registry.ts';
import { openSkillWriting, openTurns, type SkillWriting, type Turns } from '../author/skill-writing.ts';
import { listCopies } from '../catalog/catalog.ts';
import { compareSkills, isEmptyChange, type CatalogChange } from '../catalog/difference.ts';
import type { SkillLoaderOptions } from '../catalog/discover.ts';
import { openFolderOf } from '../catalog/locate.ts';
import { findInCatalog } from '../catalog/off-sources.ts';
import { openStore, SkillStore, type OpenStoreOptions, type SkillDirectory } from '../catalog/store.ts';
import { openTrust, type Trust } from '../catalog/trust.ts';
import { isUsable, listNames, SELECTION, toView, type SkillNames, type SkillSelection } from '../catalog/view.ts';
import type { ConfigReading } from '../config/read-config.ts';
import { ENVIRONMENT_KINDS } from '../config/settings.ts';
import type { HistoryImport } from '../hosts/history/import-history.ts';
import {
  aBoolean,
  aFunction,
  aListOf,
  aNumber,
  aString,
  checkCall,
  either,
  type OptionKinds,
  optionsOf,
  stringOrStrings,
} from '../model/check-arguments.ts';
import { isPlainObject } from '../model/foreign-values.ts';
import type { Outcome } from '../model/outcome.ts';
import { sourceName, toGivenSource, type GivenSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { agentFolderRoot } from '../sources/resolve.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import type { LearnedCount } from '../usage/usage-store.ts';
import type { Usage } from '../usage/usage.ts';
import { openAuditVerdicts, type AuditVerdicts } from './audit-verdicts.ts';
import {
  importHostHistory,
  importIfAllowed,
  INFO_LIMITS,
  REPORT_LIMITS,
  type HistoryOutcome,
  type HistoryRequest,
  type HostHistoryContext,
} from './host-history.ts';
import { openSecondOpinions, type RerankOptions } from './searching/second-opinions.ts';
import { openSkillDisclosure, type PromptOptions, type SkillDisclosure } from './skill-disclosure.ts';
import { openSkillHints, type SkillHints } from './skill-hint.ts';
import { openSkillLoader, openSkillServing, type SkillServing } from './skill-loading.ts';
import { openSkillMatch, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import { addFolderToScope, narrowScope, pinInScope, wholeScope, type SkillScope } from './skill-scope.ts';
import { openSandboxLater, openSkillScripts, type LazySandbox, type SkillScripts } from './skill-scripts.ts';
import { openSkillSearch, type SkillQuery, type SkillSearch, type SkillSearchResults } from './skill-search.ts';
import { openPoolLater, openSkillToolsets, type LazyPool, type SkillToolsets } from './skill-toolsets.ts';
import { openSkillTrust, type SkillTrust } from './skill-trust.ts';
import {
  changeCaller,
  openSkillUsage,
  reportSkillUsage,
  teamOf,
  type CallerOptions,
  type UsageQuery,
} from './skill-usage.ts';

/** The part of a store that engines and all their views share. */
type ListedSkills = Pick<
  SkillStore,
  'environment' | 'catalog' | 'copies' | 'find' | 'refresh' | 'refreshIfChanged' | 'watch'
>;

/** All of Skillplane over the skills of one person and project. */
export interface Skills extends ListedSkills, AsyncDisposable {
  /** The skills that can be used, by name. `catalog()` also has those that cannot, with the reason. */
  list(): readonly Skill[];
  /** The skill of this name, if there is one that can be used; `find` says why there is none. */
  get(name: string): Skill | undefined;
  /** The tools of trusted skills. `toolsets.list()` also says why some cannot be loaded. */
  tools(): Promise<readonly RegisteredTool[]>;
  /** The skills that serve a query best, best first, each with its reasons. A text alone is a query. */
  search(query: string | SkillQuery): Promise<SkillSearchResults>;
  /** The skills that a message activates by their triggers, or by the files it touches, each with its reasons. */
  match(message: string, options?: SkillMatchOptions): Promise<SkillMatches>;
  /** A sentence for a model of another program about the skill that fits a message; undefined in most cases. */
  readonly hint: SkillHints['hint'];
  /**
   * A note to append to a user's message, about skills that match it certainly or probably; undefined if none does. The
   * system prompt stays unchanged, and so does the provider's cache.
   */
  readonly note: SkillHints['note'];
  /** Skill text for a system prompt; empty without skills. `disclosure.prompt` also returns its size. */
  prompt(options?: PromptOptions): Promise<string>;
  /** A skill's instructions and the list of its files. */
  load(name: string, options?: SkillLoaderOptions): Promise<SkillLoadOutcome>;
  /** Shows a model no more of the skills than it needs. */
  readonly disclosure: SkillDisclosure;
  /** Reads instructions and files of skills, for people and programs. */
  readonly loader: SkillLoader;
  /** The same for models: whatever the audit refuses is withheld from them. */
  readonly serving: SkillServing;
  /** Decides which skills may run their scripts and tools. */
  readonly trust: SkillTrust;
  /** Runs scripts of trusted skills. */
  readonly scripts: SkillScripts;
  /** Tools of trusted skills. */
  readonly toolsets: SkillToolsets;
  /** Writes and removes skills in the user's own directory or the project's. */
  readonly writing: SkillWriting;
  /** The history of use: which skill, when, by whom. */
  readonly usage: Usage;
  /**
   * The same engine over fewer skills: those that names, ids or globs select, or a function. For everything that it
   * offers, and for whatever is built on it, the others do not exist. Views of views combine, and share one search index.
   */
  only(selection: SkillSelection): Skills;
  /**
   * The same engine for one of several agents: its own history counts, uses are recorded as its own, and the given
   * skills are pinned for it. Whatever is not given stays as it is.
   */
  as(agent: AgentIdentity): Skills;
  /**
   * The same engine for an agent that writes skills only to this folder, which need not exist yet. Its skills are added
   * to the engine's; other agents do not see them, unless the folder is one of the engine's own.
   */
  writingTo(dir: string): Promise<Skills>;
  /**
   * Usage over a period, unused skills included; undefined if no history is kept. First it reads what is new in the
   * transcripts of other agents, for a moment; `imported` says what was read, and what is left.
   */
  usageReport(query?: UsageQuery): Promise<Outcome<ReportedUsage>>;
  /** Reads the transcripts of other agents into the history of use: which skills were used, shown and hinted at. */
  importHistory(request?: HistoryRequest): Promise<HistoryOutcome>;
  /** Saves caches, ends everything that runs, and frees what is open; `await using` does the same. A view closes nothing. */
  close(): Promise<void>;
}

export interface ReportedUsage {
  readonly report: UsageReport | undefined;
  /** Undefined if transcripts are not read. */
  readonly imported: HistoryImport | undefined;
  /** How much was learned from requests; undefined if the setting `learn` is off. */
  readonly learned: LearnedCount | undefined;
}

/** One of several agents that share an engine. */
export interface AgentIdentity extends CallerOptions {
  /** Names or ids of skills that are always listed to this agent. */
  readonly pinned?: SkillNames | undefined;
  /** Whether the history records what this agent uses. Its order counts either way. Default: true. */
  readonly recordUse?: boolean | undefined;
}

/** Which skills to open, with which settings, and whose history counts. */
export type OpenOptions = OpenStoreOptions & CallerOptions & RerankOptions;

/** An object with an id, `list` and `read`. */
function aSource(value: unknown, subject: string): string | undefined {
  const isSource =
    isPlainObject(value) &&
    typeof value['id'] === 'string' &&
    SOURCE_ID.test(value['id']) &&
    typeof value['list'] === 'function' &&
    typeof value['read'] === 'function';
  return isSource
    ? undefined
    : `${subject} must be a source: { id, list, read }, with an id of letters, digits, ".", "_" and "-"`;
}

const SOURCE_ID = /^[a-z0-9][\w.-]{0,63}$/i;
const CALLER_KINDS: OptionKinds<CallerOptions> = { agent: aString, team: aString, session: aString };
export const IDENTITY_KINDS: OptionKinds<AgentIdentity> = {
  ...CALLER_KINDS,
  pinned: stringOrStrings,
  recordUse: aBoolean,
};
const IDENTITY = optionsOf<AgentIdentity>(IDENTITY_KINDS);
const DIRECTORY = optionsOf<SkillDirectory>({ path: aString, trusted: aBoolean }, ['path']);
const GIVEN_SOURCE = optionsOf<GivenSource>({ source: aSource, trusted: aBoolean, timeoutMs: aNumber }, ['source']);
const OPEN_OPTIONS = optionsOf<OpenOptions>({
  ...ENVIRONMENT_KINDS,
  ...CALLER_KINDS,
  dirs: aListOf('a list of directories', either('a path, or { path, trusted }', aString, DIRECTORY)),
  sources: aListOf('a list of sources', either('a source, or { source, trusted }', aSource, GIVEN_SOURCE)),
  rerank: aFunction,
  rerankTimeoutMs: aNumber,
});

/** Finds and reads every skill of this machine and project, and opens everything that can be done with them. */
export async function openSkills(options: OpenOptions = {}): Promise<Skills> {
  checkCall('openSkills(options?)', { options: [options, OPEN_OPTIONS] });
  return openOver(await openStore(options), options);
}

/** Opens everything that can be done with the skills of a store that has scanned. */
export function openOver(
  store: SkillStore,
  options: CallerOptions & RerankOptions & Pick<OpenOptions, 'dirs' | 'sources'> = {},
): Skills {
  const { environment } = store;
  const { agentHome } = environment;
  const config = (): ConfigReading => store.config();
  const usage = openSkillUsage({ environment, config }, options);
  const trust = openTrust(agentHome, {
    opened: readOpened(options),
    openFolder: (skill) => openFolderOf(skill, store.catalog()),
  });
  const shared: Shared = {
    store,
    search: openSkillSearch(agentHome, openSecondOpinions(environment, options)),
    history: { environment, config, usage, team: teamOf(environment, options) },
    trust,
    verdicts: openAuditVerdicts(agentHome),
    pool: openPoolLater(trust),
    sandbox: openSandboxLater(),
    turns: openTurns(),
  };
  const close = async (): Promise<void> => {
    await store.close();
    shared.verdicts.save();
    await shared.search.close();
    await shared.sandbox.close();
    await shared.pool.close();
    await usage.close();
  };
  const skills = openScope(wholeScope({ catalog: () => store.catalog(), usage }), shared);
  return { ...skills, close, [Symbol.asyncDispose]: close };
}

/** The sources that directories become and those that are given, and whether the program trusts them. */
function readOpened({
  dirs = [],
  sources = [],
}: Pick<OpenOptions, 'dirs' | 'sources'>): ReadonlyMap<string, boolean> | undefined {
  const opened = [
    ...dirs.map((dir, at) => [`custom:${at}`, typeof dir !== 'string' && dir.trusted === true] as const),
    ...sources.map(toGivenSource).map(({ source, trusted }) => [sourceName(source), trusted === true] as const),
  ];
  return opened.length === 0 ? undefined : new Map(opened);
}

/** Opened once for all scopes; only an agent's folder has an additional store. */
interface Shared {
  readonly store: ScannedStore;
  readonly search: SkillSearch;
  readonly history: HostHistoryContext;
  readonly trust: Trust;
  readonly verdicts: AuditVerdicts;
  readonly pool: LazyPool;
  readonly sandbox: LazySandbox;
  readonly turns: Turns;
}

type ScannedStore = Pick<SkillStore, 'environment' | 'config' | 'refresh' | 'refreshIfChanged' | 'watch'>;

/** Both as one. The first has the configuration. */
function joinStores(first: ScannedStore, second: ScannedStore): ScannedStore {
  return {
    environment: first.environment,
    config: () => first.config(),
    async refresh() {
      await second.refresh();
      return first.refresh();
    },
    async refreshIfChanged() {
      await Promise.all([first.refreshIfChanged(), second.refreshIfChanged()]);
    },
    async watch(listener, options) {
      const watches = await Promise.all([first.watch(listener, options), second.watch(listener, options)]);
      return {
        close() {
          for (const watch of watches) watch.close();
        },
      };
    },
  };
}

/** Everything that can be done with the skills of a scope. For none of it, any other skill exists. */
function openScope(scope: SkillScope, shared: Shared): Skills {
  const { store, search, history, verdicts, pool, sandbox, turns } = shared;
  const { environment } = store;
  const config = (): ConfigReading => store.config();
  const { catalog, usage } = scope;
  const refresh = async (): Promise<CatalogChange> => {
    const before = catalog().skills;
    await store.refresh();
    return compareSkills(before, catalog().skills);
  };
  const trust = openSkillTrust({ trust: shared.trust, environment, config, catalog, verdicts });
  const loader = openSkillLoader({ environment, catalog, usage });
  const serving = openSkillServing(loader, trust);
  const silentServing = openSkillServing(openSkillLoader({ environment, catalog }), trust);
  const match = openSkillMatch(scope, search);
  const toolsets = openSkillToolsets({ catalog, loader, usage, pool });
  const disclosure = openSkillDisclosure({ scope, search, match, silentServing });
  return {
    environment,
    catalog,
    copies: () => listCopies(catalog()),
    list: () => catalog().skills.filter(isUsable),
    get(name) {
      checkCall('get(name)', { name: [name, aString] });
      const found = findInCatalog(catalog(), name);
      return found.ok && isUsable(found.skill) ? found.skill : undefined;
    },
    async tools() {
      const listed = await toolsets.list();
      return listed.ok ? listed.tools : [];
    },
    find(name) {
      checkCall('find(name)', { name: [name, aString] });
      return findInCatalog(catalog(), name);
    },
    refresh,
    refreshIfChanged: () => store.refreshIfChanged(),
    async watch(listener, options) {
      let told = catalog().skills;
      return store.watch(() => {
        const { skills } = catalog();
        const change = compareSkills(told, skills);
        told = skills;
        if (!isEmptyChange(change)) listener(change);
      }, options);
    },
    search: (query) => search.search(scope, query),
    match,
    ...openSkillHints({ scope, environment, search, trust }),
    prompt: async (options) => (await disclosure.prompt(options)).text,
    load: (name, options) => loader.load(name, options),
    disclosure,
    loader,
    serving,
    trust,
    scripts: openSkillScripts({ environment, config, loader, trust: shared.trust, usage, sandbox }),
    toolsets,
    writing: openSkillWriting({ environment, catalog, whole: () => scope.scan().whole, refresh, turns }),
    usage,
    only(selection) {
      checkCall('only(selection)', { selection: [selection, SELECTION] });
      return openView(narrowScope(scope, toView(selection)), shared);
    },
    as(agent) {
      checkCall('as(agent)', { agent: [agent, IDENTITY] });
      const { pinned = [], recordUse = true, ...caller } = agent;
      const own = changeCaller(usage, caller);
      return openView(pinInScope({ ...scope, usage: recordUse ? own : own.silent() }, listNames(pinned)), shared);
    },
    async writingTo(dir) {
      checkCall('writingTo(dir)', { dir: [dir, aString] });
      const root = agentFolderRoot(dir, environment);
      const own = new SkillStore({ environment, roots: [root] });
      await own.loadAll();
      const added = addFolderToScope(scope, root, () => own.catalog());
      return openView(added, { ...shared, store: joinStores(store, own) });
    },
    async usageReport(query = {}) {
      const imported = await importIfAllowed(history, query.skill === undefined ? REPORT_LIMITS : INFO_LIMITS);
      const reported = await reportSkillUsage(usage, catalog(), query);
      if (!reported.ok) return reported;
      const learned = await usage.learned();
      return { ...reported, imported, learned: learned.ok ? learned.learned : undefined };
    },
    importHistory: (request) => importHostHistory(history, request),
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A view closes nothing: the engine and other views may be using it. */
function openView(scope: SkillScope, { pool, sandbox, ...shared }: Shared): Skills {
  const close = async (): Promise<void> => undefined;
  return openScope(scope, { ...shared, pool: { ...pool, close }, sandbox: { ...sandbox, close } });
}
