import type { LoadOptions, SkillLoader, SkillLoadOutcome } from '../activate/loader.ts';
import type { SkillWriting } from '../author/skill-writing.ts';
import { openCatalog, type PoolOptions, type SkillCatalog } from '../catalog/open-catalog.ts';
import { listNames, toView, type SkillNames, type SkillSelection } from '../catalog/view.ts';
import type { HistoryImport } from '../hosts/history/import-history.ts';
import type { Outcome } from '../model/outcome.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import type { LearnedCount } from '../usage/usage-store.ts';
import type { Usage } from '../usage/usage.ts';
import { openAuditVerdicts } from './audit-verdicts.ts';
import {
  importHostHistory,
  importIfAllowed,
  INFO_LIMITS,
  REPORT_LIMITS,
  type HistoryOutcome,
  type HistoryRequest,
  type HostHistoryContext,
} from './host-history.ts';
import { openWritingLater } from './lazy-writing.ts';
import { narrowListing, narrowParts, type NamedParts } from './narrow-parts.ts';
import { openSecondOpinions, type RerankOptions } from './searching/second-opinions.ts';
import { openSkillDisclosure, type PromptOptions, type SkillDisclosure } from './skill-disclosure.ts';
import { openSkillHints, type HintRequest, type SkillHint, type SkillHinter } from './skill-hint.ts';
import { openSkillLoader } from './skill-loading.ts';
import { openSkillMatch, type SkillMatcher, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import { narrowScope, pinInScope, wholeScope, type SkillScope } from './skill-scope.ts';
import { openSandboxLater, openSkillScripts, type LazySandbox, type SkillScripts } from './skill-scripts.ts';
import { openSkillSearch, type SkillQuery, type SkillSearch, type SkillSearchResults } from './skill-search.ts';
import { openSkillServing, type SkillServing } from './skill-serving.ts';
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

/** All of Skillplane over the skills of one person and project. */
export interface Skills extends SkillCatalog {
  /** The skills that serve a query best, best first, each with its reasons. */
  search(query: SkillQuery): Promise<SkillSearchResults>;
  /** The skills that a message activates by their triggers, or by the files it touches, each with its reasons. */
  match(message: string, options?: SkillMatchOptions): Promise<SkillMatches>;
  /** A sentence for a model about the skill that fits a message; undefined in most cases: it speaks only if it is sure. */
  hint(request: HintRequest): Promise<SkillHint | undefined>;
  /** The text about skills for a system prompt; empty if there are none. `disclosure.prompt` also says what it cost. */
  prompt(options?: PromptOptions): Promise<string>;
  /** A skill's instructions and the list of its files. */
  load(name: string, options?: LoadOptions): Promise<SkillLoadOutcome>;
  /** Shows a model no more of the skills than it needs. */
  readonly disclosure: SkillDisclosure;
  /** Reads instructions and files of skills, for people and programs. */
  readonly loader: SkillLoader;
  /** The same for models: whatever the audit refuses is withheld from them. */
  readonly serving: SkillServing;
  /** Decides which skills may run what they bring. */
  readonly trust: SkillTrust;
  /** Runs scripts of trusted skills. */
  readonly scripts: SkillScripts;
  /** Tools that trusted skills bring. */
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
   * Usage over a period, unused skills included; undefined if no history is kept. First it reads what is new in the
   * transcripts of other agents, for a moment; `imported` says what was read, and what is left.
   */
  usageReport(query?: UsageQuery): Promise<Outcome<ReportedUsage>>;
  /** Reads the transcripts of other agents into the history of use: which skills were used, shown and hinted at. */
  importHistory(request?: HistoryRequest): Promise<HistoryOutcome>;
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
}

/** Which skills to open, with which settings, and whose history counts. */
export type OpenOptions = PoolOptions & CallerOptions & RerankOptions;

/** Finds and reads every skill of this machine and project, and opens everything that can be done with them. */
export async function openSkills(options: OpenOptions = {}): Promise<Skills> {
  const opened = await openCatalog(options);
  const { environment, catalog } = opened;
  const usage = openSkillUsage(environment, options);
  const history = { environment, usage, team: teamOf(environment, options) };
  const search = openSkillSearch(environment.agentHome, openSecondOpinions(environment, options));
  const verdicts = openAuditVerdicts(environment.agentHome);
  const trust = openSkillTrust({ environment, catalog, verdicts });
  const [pool, sandbox] = [openPoolLater(trust), openSandboxLater()];
  const parts = { trust, writing: openWritingLater(opened), usage };
  const engine: Engine = {
    opened,
    search,
    history,
    match: openSkillMatch({ search, environment }),
    hint: openSkillHints({ environment, search, trust }),
    parts,
    pool,
    sandbox,
  };
  return {
    ...openScope(engine, { ...opened, ...parts, scope: wholeScope(catalog, usage), pool, sandbox }),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      verdicts.save();
      await search.close();
      await sandbox.close();
      await pool.close();
      await usage.close();
    },
  };
}

/** Opened once and shared by all scopes. */
interface Engine {
  readonly opened: SkillCatalog;
  readonly search: SkillSearch;
  readonly history: HostHistoryContext;
  readonly match: SkillMatcher;
  readonly hint: SkillHinter;
  readonly parts: NamedParts;
  readonly pool: LazyPool;
  readonly sandbox: LazySandbox;
}

interface ScopeParts extends NamedParts, Omit<SkillCatalog, typeof Symbol.asyncDispose> {
  readonly scope: SkillScope;
  readonly pool: LazyPool;
  readonly sandbox: LazySandbox;
}

function openScope(engine: Engine, { scope, pool, sandbox, ...parts }: ScopeParts): Skills {
  const { search, match } = engine;
  const { environment, catalog, usage } = parts;
  const loader = openSkillLoader({ environment, catalog, usage });
  const serving = openSkillServing(loader, parts.trust);
  const silentServing = openSkillServing(openSkillLoader({ environment, catalog }), parts.trust);
  const disclosure = openSkillDisclosure({ scope, search, match, serving, silentServing });
  const toolsets = openSkillToolsets({ catalog, loader, usage, pool });
  return {
    ...parts,
    search: (query) => search.search(scope, query),
    match: (message, options) => match(scope, message, options),
    hint: (request) => engine.hint(scope, request),
    prompt: async (options) => (await disclosure.prompt(options)).text,
    load: (name, options) => loader.load(name, options),
    only: (selection) => narrow(engine, narrowScope(scope, toView(selection))),
    as: ({ pinned = [], ...caller }) =>
      narrow(engine, pinInScope({ ...scope, usage: changeCaller(scope.usage, caller) }, listNames(pinned))),
    disclosure,
    loader,
    serving,
    scripts: openSkillScripts({ environment, loader, trust: engine.parts.trust, usage, sandbox }),
    toolsets,
    async usageReport(query = {}) {
      const imported = await importIfAllowed(engine.history, query.skill === undefined ? REPORT_LIMITS : INFO_LIMITS);
      const reported = await reportSkillUsage(usage, catalog(), query);
      if (!reported.ok) return reported;
      const learned = await usage.learned();
      return { ...reported, imported, learned: learned.ok ? learned.learned : undefined };
    },
    importHistory: (request) => importHostHistory(engine.history, request),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function narrow(engine: Engine, scope: SkillScope): Skills {
  const { opened } = engine;
  const parts = narrowParts(engine.parts, { scope, refresh: () => opened.refresh() });
  // A view closes nothing: the engine and other views may be using it.
  const pool = { ...engine.pool, close: async () => undefined };
  const sandbox = { ...engine.sandbox, close: async () => undefined };
  return openScope(engine, { ...narrowListing(opened, scope), ...parts, scope, pool, sandbox });
}
