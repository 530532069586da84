import type { Failure, Outcome } from '../model/outcome.ts';

/**
 * `searched` and `matched`: a request found the skill. `loaded`, `ran` (by a model) and `invoked` (by a person, by name): it
 * was used. `shown`: a model was told of it; `cut`: by its name alone, for want of space. `hinted`: a model was told that it
 * fits; `followed`: and then used it. `spent`: tokens while it was active.
 */
export const USAGE_KINDS = [
  'searched',
  'matched',
  'loaded',
  'ran',
  'invoked',
  'shown',
  'cut',
  'hinted',
  'followed',
  'spent',
] as const;

export type UsageKind = (typeof USAGE_KINDS)[number];

export function isUse(kind: UsageKind): boolean {
  return kind === 'loaded' || kind === 'ran' || kind === 'invoked';
}

/** Kinds that come in masses: a store keeps their number per day, and no single events. */
export function isCounted(kind: UsageKind): boolean {
  return kind === 'shown' || kind === 'cut' || kind === 'spent';
}

export type UsageResult = 'ok' | 'failed';

/** Identifies who used a skill, and where. */
export interface Caller {
  readonly team: string;
  readonly agent: string;
  /** The project's directory. */
  readonly project: string;
  readonly session: string;
}

/** One thing that happened to a skill. The text of the request is never stored. */
export interface UsageEvent extends Caller {
  readonly skill: string;
  readonly digest?: string | undefined;
  readonly kind: UsageKind;
  readonly outcome: UsageResult;
  /** Whole milliseconds since 1970. */
  readonly at: number;
  /** For counted kinds: how many, such as tokens; 1 by default. */
  readonly count?: number | undefined;
}

/** One event for several skills: a list shows a hundred of them in each of a thousand sessions. */
export interface UsageEvents extends Omit<UsageEvent, 'skill' | 'digest'> {
  readonly skills: readonly string[];
}

/** Events with another program's ids: repeated reads count once. */
export interface IdentifiedEvents {
  /** Unique among all programs. */
  readonly id: string;
  readonly events: readonly UsageEvents[];
  /** Hashes of the words of the request after which the skills were used. Only if learning is on. */
  readonly words?: readonly number[] | undefined;
}

/** By name of a skill: hashed words of requests that preceded its use, with time-decayed counts. */
export type Memory = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Names the skills whose lessons are meant: all of them, or one. */
export interface LessonScope {
  readonly team: string;
  readonly skill?: string | undefined;
}

export interface LearnedCount {
  /** Skills with lessons, and lessons: one for each word of each skill. */
  readonly skills: number;
  readonly lessons: number;
}

/** How far a file of another program was read. */
export interface Reading {
  readonly path: string;
  readonly inode: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Everything before this byte was read. */
  readonly offset: number;
  /** State that the reader needs to go on, as JSON. */
  readonly state: string;
}

/** A file of another program, as it was when it was read. Enough to see that it has not changed. */
export interface KnownFile extends Pick<Reading, 'inode' | 'size' | 'mtimeMs'> {
  /** Were its requests read as well? */
  readonly isLearned: boolean;
}

/** By path. */
export type KnownFiles = ReadonlyMap<string, KnownFile>;

/** Events and how far their files were read: both are kept, or neither. */
export interface ImportBatch {
  readonly found: readonly IdentifiedEvents[];
  readonly readings: readonly Reading[];
  /** Files that no longer exist. */
  readonly gone?: readonly string[] | undefined;
}

/** One agent, or its whole team. */
export interface UsageScope {
  readonly team: string;
  readonly agent?: string | undefined;
  /** Other agents of the team whose uses count as well. */
  readonly others?: readonly string[] | undefined;
}

/** How often a skill was loaded or run, and when first and last. */
export interface SkillUses {
  readonly skill: string;
  readonly uses: number;
  readonly firstUsed: number;
  readonly lastUsed: number;
}

export const SHORTEST_HISTORY_MS: number = 7 * 86_400_000;

/** A period, cut into `buckets` of the same length. */
export interface HistoryQuery {
  /** Absent: since the first event, and for a week at least. */
  readonly since?: number | undefined;
  /** The last moment that counts. */
  readonly until: number;
  readonly buckets: number;
  readonly skill?: string | undefined;
}

/** Equal events of one bucket. */
export interface Tally {
  readonly skill: string;
  readonly kind: UsageKind;
  readonly outcome: UsageResult;
  /** From 0. */
  readonly bucket: number;
  readonly events: number;
}

/** Equal uses by one agent, in one project, on one day. */
export interface UsageDetail {
  readonly skill: string;
  readonly kind: UsageKind;
  readonly agent: string;
  /** Empty if only counts are left. */
  readonly project: string;
  /** When the day begins, and its week, on a Monday; in UTC, milliseconds since 1970. */
  readonly day: number;
  readonly week: number;
  readonly events: number;
}

export interface UsageHistory {
  /** Where the period begins. */
  readonly from: number;
  readonly until: number;
  readonly buckets: number;
  readonly tallies: readonly Tally[];
  readonly details: readonly UsageDetail[];
  /** All uses by all callers, of all time. */
  readonly uses: readonly SkillUses[];
}

export interface UsageFailure extends Failure {
  /** `newer`: a newer version of Skillplane created the store. */
  readonly trouble: 'locked' | 'full' | 'read-only' | 'broken' | 'newer' | 'other';
}

/**
 * Keeps the events of all processes and agents of one person. Texts are well-formed and contain no NUL. A recorded event
 * counts forever, even after its details are forgotten; an event that could not be recorded leaves no trace.
 */
export interface UsageStore {
  /** Records all events or none. Waits up to `waitMs` for other writers. With `learns`, uses become lessons. */
  record(events: readonly UsageEvent[], options: RecordOptions): Promise<Outcome<object, UsageFailure>>;
  /** The skills that a scope has used, in no particular order. */
  uses(scope: UsageScope): Promise<Outcome<{ readonly uses: readonly SkillUses[] }, UsageFailure>>;
  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory }, UsageFailure>>;
  /** Keeps all of a batch or none of it, and returns how many of its events were new. */
  import(
    batch: ImportBatch,
    patience: { readonly waitMs: number },
  ): Promise<Outcome<{ readonly added: number }, UsageFailure>>;
  /** All files of other programs that were read. */
  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles }, UsageFailure>>;
  /** How far these files of other programs were read; unknown ones are left out. */
  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }, UsageFailure>>;
  /** Keeps the hashed words of a request until the caller's next one: a use after it is a lesson. */
  noteRequest(request: NotedRequest, patience: { readonly waitMs: number }): Promise<Outcome<object, UsageFailure>>;
  /** The lessons of a team about these words, as they weigh at a time. */
  preferredFor(query: {
    readonly team: string;
    readonly words: readonly number[];
    readonly at: number;
  }): Promise<Outcome<{ readonly memory: Memory }, UsageFailure>>;
  learned(scope: LessonScope): Promise<Outcome<LearnedCount, UsageFailure>>;
  /** Deletes lessons, and never learns again from before this time. Returns the deleted count. */
  forget(
    scope: LessonScope & { readonly at: number },
    patience: { readonly waitMs: number },
  ): Promise<Outcome<LearnedCount, UsageFailure>>;
  close(): Promise<void>;
}

export interface RecordOptions {
  readonly waitMs: number;
  readonly learns?: boolean | undefined;
}

/** A request of a caller, as hashes of its words. */
export interface NotedRequest {
  readonly caller: Caller;
  readonly words: readonly number[];
  readonly at: number;
}
