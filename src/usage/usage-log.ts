import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type {
  Caller,
  HistoryQuery,
  ImportBatch,
  KnownFiles,
  LearnedCount,
  LessonScope,
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

export interface UsageLogOptions {
  readonly clock: () => number;
  /** Other agents whose uses count for this one, once it has uses of its own; none by default. */
  readonly othersOf?: ((agent: string) => readonly string[]) | undefined;
  /** Is the history on? Asked each time, so that a changed configuration counts at once. */
  readonly isKept: () => Promise<boolean>;
  /** Do uses teach for which requests a skill serves? Asked each time. Default: no. */
  readonly isLearning?: (() => Promise<boolean>) | undefined;
  /** Hashes of the words of a request. */
  readonly toWords?: ((request: string) => Promise<readonly number[]>) | undefined;
  /** Where the events go, for diagnostics. */
  readonly path: string;
  readonly openStore: (warn: (diagnostic: Diagnostic) => void) => Promise<UsageStore>;
}

/** Events that wait for the store; beyond this the oldest are dropped and counted as lost. */
const MOST_WAITING = 10_000;
/** How long to wait for another writer: when recording, and at the end. */
const WAIT_MS = 250;
const LAST_WAIT_MS = 2_000;

/** The history of all callers. */
export class UsageLog {
  readonly #options: UsageLogOptions;
  readonly #diagnostics = new Map<string, Diagnostic>();
  #store: Promise<UsageStore> | undefined;
  #waiting: UsageEvent[] = [];
  #lost = 0;
  /** Do not wait again for a store that was locked a moment ago. */
  #isLocked = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: UsageLogOptions) {
    this.#options = options;
  }

  record(events: readonly SkillEvent[], caller: Caller): Promise<void> {
    const at = Math.trunc(this.#options.clock());
    this.#keepWaiting([...this.#waiting, ...events.map((event) => toUsageEvent(event, at, caller))]);
    return this.#next(() => this.#write(this.#isLocked ? 0 : WAIT_MS));
  }

  /** How this caller used skills, or its whole team if it used none. */
  readUses({ team, agent }: Caller): Promise<readonly SkillUses[]> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return [];
      const store = await this.#open();
      const own = await this.#usesIn({ team, agent }, store);
      if (own.length === 0) return this.#usesIn({ team }, store);
      const others = this.#options.othersOf?.(agent) ?? [];
      return others.length === 0 ? own : this.#usesIn({ team, agent, others }, store);
    });
  }

  import({ found, ...files }: ImportBatch): Promise<Outcome<{ readonly added: number }>> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return { ok: true, added: 0 };
      const learns = await this.#isLearning();
      const clean = found.map(({ id, events, words }) => ({
        id,
        events: events.map(toCleanEvents),
        words: learns ? words : undefined,
      }));
      const kept = await (await this.#open()).import({ found: clean, ...files }, { waitMs: LAST_WAIT_MS });
      return kept.ok ? kept : fail('STORE_FAILED', `${this.#options.path} cannot be written: ${kept.message}`);
    });
  }

  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles | undefined }>> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return { ok: true, files: undefined };
      const read = await (await this.#open()).knownFiles();
      return read.ok ? read : fail('STORE_FAILED', `${this.#options.path} cannot be read: ${read.message}`);
    });
  }

  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }>> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return { ok: true, readings: [] };
      const read = await (await this.#open()).readings(paths);
      return read.ok ? read : fail('STORE_FAILED', `${this.#options.path} cannot be read: ${read.message}`);
    });
  }

  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory | undefined }>> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return { ok: true, history: undefined };
      const answer = await (await this.#open()).history(query);
      return answer.ok ? answer : fail('STORE_FAILED', `${this.#options.path} cannot be read: ${answer.message}`);
    });
  }

  hear(request: string, caller: Caller): Promise<void> {
    return this.#next(async () => {
      if (!(await this.#isLearning())) return;
      const words = await this.#toWords(request);
      if (words.length === 0) return;
      const at = Math.trunc(this.#options.clock());
      const heard = await (await this.#open()).hear({ caller, words, at }, { waitMs: this.#isLocked ? 0 : WAIT_MS });
      if (!heard.ok) this.#warnOf(heard, 'written');
    });
  }

  recall(request: string, { team }: Caller): Promise<Memory> {
    return this.#next(async () => {
      if (!(await this.#isLearning())) return NO_MEMORY;
      const words = await this.#toWords(request);
      if (words.length === 0) return NO_MEMORY;
      const read = await (await this.#open()).recall({ team, words, at: this.#options.clock() });
      if (read.ok) return read.memory;
      this.#warnOf(read, 'read');
      return NO_MEMORY;
    });
  }

  learned({ team }: Caller): Promise<Outcome<{ readonly learned: LearnedCount | undefined }>> {
    return this.#next(async () => {
      if (!(await this.#isLearning())) return { ok: true, learned: undefined };
      const read = await (await this.#open()).learned({ team });
      if (!read.ok) return fail('STORE_FAILED', `${this.#options.path} cannot be read: ${read.message}`);
      return { ok: true, learned: { skills: read.skills, lessons: read.lessons } };
    });
  }

  forget(scope: LessonScope): Promise<Outcome<LearnedCount>> {
    return this.#next(async () => {
      const at = Math.trunc(this.#options.clock());
      const done = await (await this.#open()).forget({ ...scope, at }, { waitMs: LAST_WAIT_MS });
      return done.ok ? done : fail('STORE_FAILED', `${this.#options.path} cannot be written: ${done.message}`);
    });
  }

  async #isLearning(): Promise<boolean> {
    return (await this.#options.isKept()) && ((await this.#options.isLearning?.()) ?? false);
  }

  async #toWords(request: string): Promise<readonly number[]> {
    return (await this.#options.toWords?.(request)) ?? [];
  }

  diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  close(): Promise<void> {
    return this.#next(async () => {
      await this.#write(LAST_WAIT_MS);
      await (await this.#store)?.close();
      this.#store = undefined;
      this.#lost += this.#waiting.length;
      this.#waiting = [];
      if (this.#lost > 0) this.#warn('USAGE_LOST', `${this.#lost} events could not be recorded`);
    });
  }

  /** Runs one task at a time, so that events stay in order and readers see what was recorded before. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  #keepWaiting(events: UsageEvent[]): void {
    this.#waiting = events.slice(-MOST_WAITING);
    this.#lost += events.length - this.#waiting.length;
  }

  async #write(waitMs: number): Promise<void> {
    if (this.#waiting.length === 0) return;
    const isKept = await this.#options.isKept();
    const events = this.#waiting;
    this.#waiting = [];
    if (!isKept) return;
    const learns = await this.#isLearning();
    const written = await (await this.#open()).record(events, { waitMs, learns });
    this.#isLocked = !written.ok && written.trouble === 'locked';
    if (written.ok) return;
    this.#keepWaiting([...events, ...this.#waiting]);
    this.#warnOf(written, 'written');
  }

  async #usesIn(scope: UsageScope, store: UsageStore): Promise<readonly SkillUses[]> {
    const read = await store.uses(scope);
    if (read.ok) return read.uses;
    this.#warnOf(read, 'read');
    return [];
  }

  #open(): Promise<UsageStore> {
    this.#store ??= this.#options.openStore((diagnostic) => this.#keep(diagnostic));
    return this.#store;
  }

  #warnOf(failure: UsageFailure, verb: 'read' | 'written'): void {
    this.#warn('USAGE_UNAVAILABLE', `the history of use could not be ${verb}: ${failure.message}`);
  }

  #warn(code: DiagnosticCode, message: string): void {
    this.#keep({ code, severity: 'warning', path: this.#options.path, message });
  }

  #keep(diagnostic: Diagnostic): void {
    this.#diagnostics.set(`${diagnostic.code} ${diagnostic.message}`, diagnostic);
  }
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
