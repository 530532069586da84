import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { rankByUse, type Rankable } from './rank.ts';
import type {
  Caller,
  HistoryQuery,
  ImportBatch,
  KnownFiles,
  LearnedCount,
  Memory,
  Reading,
  SkillUses,
  UsageEvent,
  UsageEvents,
  UsageFailure,
  UsageHistory,
  UsageKind,
  UsageResult,
  UsageScope,
  UsageStore,
} from './usage-store.ts';

/** Something that happened to a skill; `Usage` adds who and when. */
export interface SkillEvent {
  readonly skill: string;
  readonly kind: UsageKind;
  readonly digest?: string | undefined;
  /** `ok` by default. */
  readonly outcome?: UsageResult | undefined;
}

export interface UsageOptions {
  readonly caller: Caller;
  readonly clock: () => number;
  /** Where the events go, for diagnostics. */
  readonly path: string;
  readonly openStore: (warn: (diagnostic: Diagnostic) => void) => Promise<UsageStore>;
  /** Read each time, so that configuration changes apply immediately. */
  readonly readSettings: () => UsageSettings;
  /** Hashes of the words of a request. Default: none, so that nothing is learned. */
  readonly toWords?: ((request: string) => Promise<readonly number[]>) | undefined;
  /** Other agents whose uses are included once this one has its own; none by default. */
  readonly othersOf?: ((agent: string) => readonly string[]) | undefined;
  /** Imports what other programs recorded since; called before uses count for an order. Default: nothing is imported. */
  readonly importNew?: (() => Promise<void>) | undefined;
  /** The skills that `history` tells about; all by default. */
  readonly names?: (() => ReadonlySet<string>) | undefined;
  /** Are events and requests of this caller left out? Default: false. */
  readonly isSilent?: boolean | undefined;
}

export interface UsageSettings {
  /** Is a history kept? */
  readonly isKept: boolean;
  /** Do uses teach for which requests a skill serves? */
  readonly isLearning: boolean;
}

export interface LastUsedOptions {
  /** Answer from what is recorded already, without a look at what other agents did since. Default: false. */
  readonly skipImport?: boolean | undefined;
}

/** Events that wait for the store; beyond this the oldest are dropped and counted as lost. */
const MOST_WAITING = 10_000;
/** How long to wait for another writer: when recording, and at the end. */
const WAIT_MS = 250;
const LAST_WAIT_MS = 2_000;

/** Shared by all callers of one history. */
interface SharedLog {
  store: Promise<UsageStore> | undefined;
  waiting: UsageEvent[];
  lost: number;
  /** Do not wait again for a store that was locked a moment ago. */
  isLocked: boolean;
  /** The tasks so far: one runs at a time, so that events stay in order and readers see what was recorded before. */
  work: Promise<unknown>;
  readonly diagnostics: Map<string, Diagnostic>;
}

/**
 * Records which skills were used, when and by whom, for one caller. Nothing here throws or blocks an agent for long: an
 * unusable store gives empty answers and a diagnostic.
 */
export class Usage {
  readonly #options: UsageOptions;
  readonly #log: SharedLog;

  constructor(options: UsageOptions, log: SharedLog = openLog()) {
    this.#options = options;
    this.#log = log;
  }

  get team(): string {
    return this.#options.caller.team;
  }

  /** The same history, counted and recorded for another caller; whatever is not given stays as it is. */
  as(caller: Partial<Caller>): Usage {
    return new Usage({ ...this.#options, caller: { ...this.#options.caller, ...caller } }, this.#log);
  }

  /** The same history, of which `history` tells about these skills only. */
  only(names: () => ReadonlySet<string>): Usage {
    return new Usage({ ...this.#options, names }, this.#log);
  }

  /** The same history, to which this caller adds nothing. */
  silent(): Usage {
    return new Usage({ ...this.#options, isSilent: true }, this.#log);
  }

  /** Records the events; those that cannot be written now are retried with the next ones and at the end. */
  async record(events: readonly SkillEvent[]): Promise<void> {
    if (this.#options.isSilent === true) return;
    const at = this.#now();
    this.#keepWaiting([...this.#log.waiting, ...events.map((event) => toUsageEvent(event, at, this.#options.caller))]);
    await this.#next(() => this.#write(this.#patience()));
  }

  /**
   * Names by use: last used, then most used, then by name; skills never used follow, newest first. Counts the uses of
   * this agent and of those that count for it, or of its whole team if the agent has none.
   */
  async rank(skills: readonly Rankable[]): Promise<readonly string[]> {
    await this.#options.importNew?.();
    return rankByUse(skills, await this.#readUses());
  }

  /** When each of these skills was last used, in the same scope; never used ones are left out. */
  async lastUsed(
    names: readonly string[],
    { skipImport = false }: LastUsedOptions = {},
  ): Promise<ReadonlyMap<string, number>> {
    if (!skipImport) await this.#options.importNew?.();
    const uses = new Map((await this.#readUses()).map(({ skill, lastUsed }) => [skill, lastUsed]));
    return new Map(names.flatMap((name) => (uses.has(name) ? [[name, uses.get(name) ?? 0] as const] : [])));
  }

  /** The history of all callers; undefined if none is kept. */
  async history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory | undefined }>> {
    const read = await this.#ask({ history: undefined }, (store) => store.history(query), 'read');
    if (!read.ok || read.history === undefined || this.#options.names === undefined) return read;
    const names = this.#options.names();
    const isSeen = ({ skill }: { readonly skill: string }): boolean => names.has(skill);
    const { tallies, details, uses } = read.history;
    const seen = { tallies: tallies.filter(isSeen), details: details.filter(isSeen), uses: uses.filter(isSeen) };
    return { ok: true, history: { ...read.history, ...seen } };
  }

  /** Keeps what other programs recorded, each event once; adds nothing if no history is kept. */
  import({ found, ...files }: ImportBatch): Promise<Outcome<{ readonly added: number }>> {
    return this.#ask(
      { added: 0 },
      (store, { isLearning }) => {
        const clean = found.map(({ id, events, words }) => ({
          id,
          events: events.map(toCleanEvents),
          words: isLearning ? words : undefined,
        }));
        return store.import({ found: clean, ...files }, { waitMs: LAST_WAIT_MS });
      },
      'written',
    );
  }

  /** All files of other programs that were read; undefined if no history is kept. */
  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles | undefined }>> {
    return this.#ask({ files: undefined }, (store) => store.knownFiles(), 'read');
  }

  /** How far these files of other programs were read; unknown ones are left out. */
  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }>> {
    return this.#ask({ readings: [] }, (store) => store.readings(paths), 'read');
  }

  /**
   * If learning is on, associates the next uses with this request: hashes of its words are stored, but not the text.
   */
  async noteRequest(request: string): Promise<void> {
    if (this.#options.isSilent === true) return;
    await this.#next(async () => {
      const words = await this.#wordsToLearn(request);
      if (words.length === 0) return;
      const { caller } = this.#options;
      const store = await this.#open();
      const noted = await store.noteRequest({ caller, words, at: this.#now() }, { waitMs: this.#patience() });
      if (!noted.ok) this.#warnOf(noted, 'written');
    });
  }

  /** The skills that were used after requests with the same words; empty if learning is off. */
  async preferredFor(request: string): Promise<Memory> {
    if (await this.#isLearning()) await this.#options.importNew?.();
    return this.#next(async () => {
      const words = await this.#wordsToLearn(request);
      if (words.length === 0) return NO_MEMORY;
      const { caller, clock } = this.#options;
      const read = await (await this.#open()).preferredFor({ team: caller.team, words, at: clock() });
      if (read.ok) return read.memory;
      this.#warnOf(read, 'read');
      return NO_MEMORY;
    });
  }

  /** How much was learned; undefined if learning is off. */
  learned(): Promise<Outcome<{ readonly learned: LearnedCount | undefined }>> {
    return this.#next(async () => {
      if (!(await this.#isLearning())) return { ok: true, learned: undefined };
      const read = await (await this.#open()).learned({ team: this.#options.caller.team });
      if (!read.ok) return this.#explain(read, 'read');
      return { ok: true, learned: { skills: read.skills, lessons: read.lessons } };
    });
  }

  /** Erases what was learned, of all skills or of one, whether learning is on or off. Returns how much there was. */
  forget(skill?: string): Promise<Outcome<LearnedCount>> {
    return this.#next(async () => {
      const scope = { team: this.#options.caller.team, skill, at: this.#now() };
      return this.#explain(await (await this.#open()).forget(scope, { waitMs: LAST_WAIT_MS }), 'written');
    });
  }

  /** The problems so far, each once. */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#log.diagnostics.values()];
  }

  close(): Promise<void> {
    return this.#next(async () => {
      await this.#write(LAST_WAIT_MS);
      const log = this.#log;
      await (await log.store)?.close();
      log.store = undefined;
      log.lost += log.waiting.length;
      log.waiting = [];
      if (log.lost > 0) this.#warn('USAGE_LOST', `${log.lost} events could not be recorded`);
    });
  }

  #now(): number {
    return Math.trunc(this.#options.clock());
  }

  #patience(): number {
    return this.#log.isLocked ? 0 : WAIT_MS;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#log.work.then(work);
    this.#log.work = result.catch(() => undefined);
    return result;
  }

  /** Asks the store; the answer is `off` while no history is kept. */
  #ask<T, Off>(
    off: Off,
    ask: (store: UsageStore, settings: UsageSettings) => Promise<Outcome<T, UsageFailure>>,
    verb: 'read' | 'written',
  ): Promise<Outcome<T | Off>> {
    return this.#next(async () => {
      const settings = this.#options.readSettings();
      if (!settings.isKept) return { ok: true, ...off };
      return this.#explain(await ask(await this.#open(), settings), verb);
    });
  }

  #explain<T>(answer: Outcome<T, UsageFailure>, verb: 'read' | 'written'): Outcome<T> {
    return answer.ok ? answer : fail('STORE_FAILED', `${this.#options.path} cannot be ${verb}: ${answer.message}`);
  }

  /** The uses of this agent and of those that count for it, or of its whole team if it has none. */
  #readUses(): Promise<readonly SkillUses[]> {
    return this.#next(async () => {
      if (!this.#options.readSettings().isKept) return [];
      const { caller, othersOf } = this.#options;
      const { team, agent } = caller;
      const own = await this.#usesIn({ team, agent });
      if (own.length === 0) return this.#usesIn({ team });
      const others = othersOf?.(agent) ?? [];
      return others.length === 0 ? own : this.#usesIn({ team, agent, others });
    });
  }

  async #usesIn(scope: UsageScope): Promise<readonly SkillUses[]> {
    const read = await (await this.#open()).uses(scope);
    if (read.ok) return read.uses;
    this.#warnOf(read, 'read');
    return [];
  }

  /** Empty if nothing is learned. */
  async #wordsToLearn(request: string): Promise<readonly number[]> {
    return (await this.#isLearning()) ? ((await this.#options.toWords?.(request)) ?? []) : [];
  }

  async #isLearning(): Promise<boolean> {
    const { isKept, isLearning } = this.#options.readSettings();
    return isKept && isLearning;
  }

  async #write(waitMs: number): Promise<void> {
    const log = this.#log;
    if (log.waiting.length === 0) return;
    const { isKept, isLearning } = this.#options.readSettings();
    const events = log.waiting;
    log.waiting = [];
    if (!isKept) return;
    const written = await (await this.#open()).record(events, { waitMs, learns: isLearning });
    log.isLocked = !written.ok && written.trouble === 'locked';
    if (written.ok) return;
    this.#keepWaiting([...events, ...log.waiting]);
    this.#warnOf(written, 'written');
  }

  #keepWaiting(events: UsageEvent[]): void {
    this.#log.waiting = events.slice(-MOST_WAITING);
    this.#log.lost += events.length - this.#log.waiting.length;
  }

  #open(): Promise<UsageStore> {
    this.#log.store ??= this.#options.openStore((diagnostic) => this.#keep(diagnostic));
    return this.#log.store;
  }

  #warnOf(failure: UsageFailure, verb: 'read' | 'written'): void {
    this.#warn('USAGE_UNAVAILABLE', `the history of use could not be ${verb}: ${failure.message}`);
  }

  #warn(code: DiagnosticCode, message: string): void {
    this.#keep({ code, severity: 'warning', path: this.#options.path, message });
  }

  #keep(diagnostic: Diagnostic): void {
    this.#log.diagnostics.set(`${diagnostic.code} ${diagnostic.message}`, diagnostic);
  }
}

function openLog(): SharedLog {
  return {
    store: undefined,
    waiting: [],
    lost: 0,
    isLocked: false,
    work: Promise.resolve(),
    diagnostics: new Map(),
  };
}

const NO_MEMORY: Memory = new Map();

function toUsageEvent(
  { skill, kind, digest, outcome = 'ok' }: SkillEvent,
  at: number,
  { team, agent, project, session }: Caller,
): UsageEvent {
  return { skill: toText(skill), digest, kind, outcome, at, team, agent, project, session };
}

function toCleanEvents(events: UsageEvents): UsageEvents {
  const { skills, project, session } = events;
  return { ...events, skills: skills.map(toText), project: toText(project), session: toText(session) };
}

/** Names come from files and may hold anything; a store takes well-formed text without NUL. */
function toText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
