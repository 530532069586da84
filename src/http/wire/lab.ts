import type { RankingGap } from './skills.ts';

/** The search lab: how a request is ranked, and why. */

/** `literal`: the request is in the skill word for word, which has a fixed score. `excluded` is taken off. */
export type ScoreKind = 'literal' | 'words' | 'sections' | 'name' | 'pairs' | 'history' | 'excluded';

export interface ScorePiece {
  readonly kind: ScoreKind;
  /** Pieces of one result compare; those of two need not. */
  readonly points: number;
}

export interface LabResult {
  readonly name: string;
  readonly score: number;
  /** How likely it is that the skill serves the request. */
  readonly confidence: number;
  readonly isWeak: boolean;
  readonly reasons: readonly string[];
  readonly pieces: readonly ScorePiece[];
}

/** The sentence that the hook of a host would add to the message; `because` says why there is none. */
export interface HookView {
  readonly host: string;
  readonly title: string;
  readonly text: string | null;
  readonly because: string | null;
}

export interface LabView {
  readonly results: readonly LabResult[];
  readonly partial: readonly RankingGap[];
  /** Skills whose triggers the request activates, with the reasons. */
  readonly matches: readonly { readonly name: string; readonly score: number; readonly reasons: readonly string[] }[];
  /** The most relevant skills if no trigger fires. */
  readonly suggestions: readonly { readonly name: string; readonly score: number }[];
  /** For each host that is on this machine, else for each that is known. */
  readonly hooks: readonly HookView[];
  /** The tier of text that a model would get for this message, with its tokens. */
  readonly tier: string;
  readonly tokens: number;
  readonly text: string;
}

/** A request as an eval case: the skill that it should find, or should not find. */
export interface LabCase {
  readonly request: string;
  readonly skill: string;
  readonly shouldTrigger: boolean;
}

/** The one file that changes for a case, as a diff. */
export interface LabCaseChange {
  readonly file: string;
  readonly isWhole: boolean;
  readonly isChanged: boolean;
  readonly diff: string;
}

export interface EvalSummary {
  /** Skills with evals, and the user's own requests, which belong to none. */
  readonly skills: readonly {
    readonly name: string | null;
    readonly requests: number;
    readonly hit1: number | null;
    readonly recall5: number | null;
    readonly failure: string | null;
    /** Entries that could not be used. */
    readonly problems: number;
  }[];
  /** Requests for which another skill came first. */
  readonly confusion: readonly {
    readonly gold: string;
    readonly stolenBy: string | null;
    readonly count: number;
    readonly requests: readonly string[];
  }[];
}
