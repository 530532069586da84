/** `searched` and `matched`: it was found for a request; `loaded` and `ran`: it was used. */
export const USAGE_KINDS = ['searched', 'matched', 'loaded', 'ran'] as const;

export type UsageKind = (typeof USAGE_KINDS)[number];

export function isUse(kind: UsageKind): boolean {
  return kind === 'loaded' || kind === 'ran';
}

export type UsageResult = 'ok' | 'failed';

/** Who uses skills, and where. */
export interface Caller {
  readonly team: string;
  readonly agent: string;
  /** The project's directory. */
  readonly project: string;
  readonly session: string;
}

/** One thing that happened to a skill. There is no place for what was asked: nothing of it is ever stored. */
export interface UsageEvent extends Caller {
  readonly skill: string;
  readonly digest?: string | undefined;
  readonly kind: UsageKind;
  readonly outcome: UsageResult;
  /** Whole milliseconds since 1970. */
  readonly at: number;
}

/** Whose uses: one agent's, or those of a whole team. */
export interface UsageScope {
  readonly team: string;
  readonly agent?: string | undefined;
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

export interface UsageHistory {
  /** Where the period begins. */
  readonly from: number;
  readonly until: number;
  readonly buckets: number;
  readonly tallies: readonly Tally[];
  /** Everybody's uses of all time. */
  readonly uses: readonly SkillUses[];
}

export interface UsageFailure {
  readonly ok: false;
  readonly trouble: 'locked' | 'full' | 'read-only' | 'broken' | 'newer' | 'other';
  readonly reason: string;
}

export type UsageAnswer<T> = { readonly ok: true; readonly value: T } | UsageFailure;

/**
 * Where events are kept, for every process and agent of a person. Texts are well-formed and without NUL. An event
 * that was recorded counts for ever, even if its details are forgotten; one that was not left no trace.
 */
export interface UsageStore {
  /** All of the events, or a failure and none. Waits for other writers, at most so long. */
  record(events: readonly UsageEvent[], patience: { readonly waitMs: number }): Promise<UsageAnswer<undefined>>;
  /** What a scope has used, in no particular order. */
  uses(scope: UsageScope): Promise<UsageAnswer<readonly SkillUses[]>>;
  history(query: HistoryQuery): Promise<UsageAnswer<UsageHistory>>;
  close(): Promise<void>;
}
