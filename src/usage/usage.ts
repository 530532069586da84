import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { rankByUse, type Rankable } from './rank.ts';
import type {
  Caller,
  HistoryQuery,
  SkillUses,
  UsageAnswer,
  UsageEvent,
  UsageFailure,
  UsageHistory,
  UsageKind,
  UsageResult,
  UsageStore,
} from './usage-store.ts';

/** What happened to a skill, as those say who make it happen; who and when is known. */
export interface SkillEvent {
  readonly skill: string;
  readonly kind: UsageKind;
  readonly digest?: string | undefined;
  /** `ok` unless said otherwise. */
  readonly outcome?: UsageResult | undefined;
}

/**
 * What was used, when and by whom. Nothing here throws or makes an agent wait for long: a store that cannot be used
 * gives empty answers and a diagnostic.
 */
export interface Usage {
  /** Keeps the events; those that cannot be written now are tried again with the next ones and at the end. */
  record(events: readonly SkillEvent[]): Promise<void>;
  /**
   * Names by use: last used, then most used, then by name; those never used follow, newest first. Uses are those of this
   * agent, and of its whole team where it has none.
   */
  rank(skills: readonly Rankable[]): Promise<readonly string[]>;
  /** When each of these skills was last used, in the same scope; never used ones are left out. */
  lastUsed(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Everybody's history; undefined where none is kept. */
  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory | undefined }>>;
  /** What went wrong so far, each thing once. */
  diagnostics(): readonly Diagnostic[];
  close(): Promise<void>;
}

export interface UsageOptions {
  readonly caller: Caller;
  readonly clock: () => number;
  /** Is usage on? Asked each time, so that a change of the configuration counts at once. */
  readonly isKept: () => Promise<boolean>;
  /** Where the events go, for diagnostics. */
  readonly path: string;
  readonly openStore: (warn: (diagnostic: Diagnostic) => void) => Promise<UsageStore>;
}

/** More than this waits for no store: the oldest are given up. */
const MOST_WAITING = 10_000;
/** How long another writer is waited for, when recording and at the end. */
const WAIT_MS = 250;
const LAST_WAIT_MS = 2_000;

export function openUsage(options: UsageOptions): Usage {
  return new KeptUsage(options);
}

class KeptUsage implements Usage {
  readonly #options: UsageOptions;
  readonly #diagnostics = new Map<string, Diagnostic>();
  #store: Promise<UsageStore> | undefined;
  #waiting: UsageEvent[] = [];
  #lost = 0;
  /** A store that was just found locked is not waited for a second time. */
  #isLocked = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  record(events: readonly SkillEvent[]): Promise<void> {
    const at = Math.trunc(this.#options.clock());
    this.#keepWaiting([...this.#waiting, ...events.map((event) => this.#complete(event, at))]);
    return this.#next(() => this.#write(this.#isLocked ? 0 : WAIT_MS));
  }

  async rank(skills: readonly Rankable[]): Promise<readonly string[]> {
    return rankByUse(skills, await this.#readUses());
  }

  async lastUsed(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const uses = new Map((await this.#readUses()).map(({ skill, lastUsed }) => [skill, lastUsed]));
    return new Map(names.flatMap((name) => (uses.has(name) ? [[name, uses.get(name) ?? 0] as const] : [])));
  }

  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory | undefined }>> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return { ok: true, history: undefined };
      const answer = await (await this.#open()).history(query);
      if (answer.ok) return { ok: true, history: answer.value };
      return fail('STORE_FAILED', `${this.#options.path} cannot be read: ${answer.reason}`);
    });
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
      if (this.#lost > 0) this.#warn('USAGE_LOST', `${this.#lost} events could not be kept`);
    });
  }

  /** One thing after the other, so that events stay in order and a reader sees what was recorded before. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  #complete({ skill, kind, digest, outcome = 'ok' }: SkillEvent, at: number): UsageEvent {
    const { team, agent, project, session } = this.#options.caller;
    return { skill: toText(skill), digest, kind, outcome, at, team, agent, project, session };
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
    const written = await (await this.#open()).record(events, { waitMs });
    this.#isLocked = !written.ok && written.trouble === 'locked';
    if (written.ok) return;
    this.#keepWaiting([...events, ...this.#waiting]);
    this.#warnOf(written, 'written');
  }

  #readUses(): Promise<readonly SkillUses[]> {
    return this.#next(async () => {
      if (!(await this.#options.isKept())) return [];
      const store = await this.#open();
      const { team, agent } = this.#options.caller;
      const own = this.#orNothing(await store.uses({ team, agent }));
      return own.length > 0 ? own : this.#orNothing(await store.uses({ team }));
    });
  }

  #orNothing(answer: UsageAnswer<readonly SkillUses[]>): readonly SkillUses[] {
    if (answer.ok) return answer.value;
    this.#warnOf(answer, 'read');
    return [];
  }

  #open(): Promise<UsageStore> {
    this.#store ??= this.#options.openStore((diagnostic) => this.#keep(diagnostic));
    return this.#store;
  }

  #warnOf({ reason }: UsageFailure, verb: 'read' | 'written'): void {
    this.#warn('USAGE_UNAVAILABLE', `the history of use could not be ${verb}: ${reason}`);
  }

  #warn(code: DiagnosticCode, message: string): void {
    this.#keep({ code, severity: 'warning', path: this.#options.path, message });
  }

  #keep(diagnostic: Diagnostic): void {
    this.#diagnostics.set(`${diagnostic.code} ${diagnostic.message}`, diagnostic);
  }
}

/** Names come from files that may hold anything; a store takes well-formed text without NUL. */
function toText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
