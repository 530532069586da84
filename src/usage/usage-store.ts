import type { Failure, Outcome } from '../model/outcome.ts';

/** `searched` and `matched`: a request found the skill; `loaded` and `ran`: it was used. */
export const USAGE_KINDS = ['searched', 'matched', 'loaded', 'ran'] as const;

export type UsageKind = (typeof USAGE_KINDS)[number];

export function isUse(kind: UsageKind): boolean {
  return kind === 'loaded' || kind === 'ran';
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
}

/** One agent, or its whole team. */
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
  /** Records all events or none. Waits at most `waitMs` for other writers. */
  record(events: readonly UsageEvent[], patience: { readonly waitMs: number }): Promise<Outcome<object, UsageFailure>>;
  /** The skills that a scope has used, in no particular order. */
  uses(scope: UsageScope): Promise<Outcome<{ readonly uses: readonly SkillUses[] }, UsageFailure>>;
  history(query: HistoryQuery): Promise<Outcome<{ readonly history: UsageHistory }, UsageFailure>>;
  close(): Promise<void>;
}
