import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcome.ts';
import { rankByUse, type Rankable } from './rank.ts';
import { UsageLog, type SkillEvent, type UsageLogOptions } from './usage-log.ts';
import type {
  Caller,
  HistoryQuery,
  ImportBatch,
  KnownFiles,
  LearnedCount,
  Memory,
  Reading,
  UsageHistory,
} from './usage-store.ts';

/**
 * Records which skills were used, when and by whom. Nothing here throws or blocks an agent for long: an unusable store
 * gives empty answers and a diagnostic.
 */
export interface Usage {
  /** Records the events; those that cannot be written now are retried with the next ones and at the end. */
  record(events: readonly SkillEvent[]): Promise<void>;
  /**
   * Names by use: last used, then most used, then by name; skills never used follow, newest first. Counts the uses of
   * this agent and of those that count for it, or of its whole team if the agent has none.
   */
  rank(skills: readonly Rankable[]): Promise<readonly string[]>;
  /** When each of these skills was last used, in the same scope; never used ones are left out. */
  lastUsed(names: readonly string[], options?: LastUsedOptions): Promise<ReadonlyMap<string, number>>;
  /** The history of all callers; undefined if none is kept. */
  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory | undefined }>>;
  /** Keeps what other programs recorded, each event once; adds nothing if no history is kept. */
  import(batch: ImportBatch): Promise<Outcome<{ readonly added: number }>>;
  /** All files of other programs that were read; undefined if no history is kept. */
  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles | undefined }>>;
  /** How far these files of other programs were read; unknown ones are left out. */
  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }>>;
  /** Learns what the next uses are for, if that is on: hashes of the request's words are kept, and the text is not. */
  hear(request: string): Promise<void>;
  /** The skills that were used after requests with the same words; empty if learning is off. */
  recall(request: string): Promise<Memory>;
  /** How much was learned; undefined if learning is off. */
  learned(): Promise<Outcome<{ readonly learned: LearnedCount | undefined }>>;
  /** Erases what was learned, of all skills or of one, whether learning is on or off. Returns how much there was. */
  forget(skill?: string): Promise<Outcome<LearnedCount>>;
  /** The problems so far, each once. */
  diagnostics(): readonly Diagnostic[];
  /** The same history, counted and recorded for another caller; whatever is not given stays as it is. */
  as(caller: Partial<Caller>): Usage;
  close(): Promise<void>;
}

export interface LastUsedOptions {
  /** Answer from what is recorded already, without a look at what other agents did since. Default: false. */
  readonly isHasty?: boolean | undefined;
}

export interface UsageOptions extends UsageLogOptions {
  readonly caller: Caller;
}

export function openUsage({ caller, ...options }: UsageOptions): Usage {
  return showTo(caller, new UsageLog(options));
}

function showTo(caller: Caller, log: UsageLog): Usage {
  return {
    record: (events) => log.record(events, caller),
    rank: async (skills) => rankByUse(skills, await log.readUses(caller)),
    async lastUsed(names) {
      const uses = new Map((await log.readUses(caller)).map(({ skill, lastUsed }) => [skill, lastUsed]));
      return new Map(names.flatMap((name) => (uses.has(name) ? [[name, uses.get(name) ?? 0] as const] : [])));
    },
    history: (query) => log.history(query),
    import: (batch) => log.import(batch),
    knownFiles: () => log.knownFiles(),
    readings: (paths) => log.readings(paths),
    hear: (request) => log.hear(request, caller),
    recall: (request) => log.recall(request, caller),
    learned: () => log.learned(caller),
    forget: (skill) => log.forget({ team: caller.team, skill }),
    diagnostics: () => log.diagnostics(),
    as: (other) => showTo({ ...caller, ...other }, log),
    close: () => log.close(),
  };
}
