/** The history of use. */

export interface UsedSkill {
  readonly name: string;
  readonly exists: boolean;
  readonly uses: number;
  readonly invoked: number;
  readonly shown: number;
  readonly searched: number;
  readonly lastUsed: string | null;
  readonly trend: 'rising' | 'falling' | 'steady' | 'new';
  readonly series: readonly number[];
}

/** Advice with the one action that follows from it. */
export interface UsageAdvice {
  readonly kind: 'disable' | 'pin' | 'rewrite';
  readonly skill: string;
  readonly evidence: string;
}

export interface UsageView {
  /** False if the configuration keeps no history. */
  readonly isKept: boolean;
  readonly from: string;
  readonly until: string;
  /** The uses of each agent by day, the last day at the end. */
  readonly agents: readonly { readonly name: string; readonly days: readonly number[] }[];
  /** ISO dates of the days. */
  readonly days: readonly string[];
  readonly skills: readonly UsedSkill[];
  readonly neverUsed: readonly string[];
  readonly shownNeverUsed: readonly string[];
  readonly searchedNeverLoaded: readonly string[];
  readonly advice: readonly UsageAdvice[];
  /** Transcripts that were not read yet. */
  readonly left: number;
}
