/** The search lab: how a request is ranked, and why. */

export interface LabResult {
  readonly name: string;
  readonly score: number;
  readonly isWeak: boolean;
  readonly reasons: readonly string[];
}

export interface LabView {
  readonly results: readonly LabResult[];
  /** Skills whose triggers the request activates, with the reasons. */
  readonly matches: readonly { readonly name: string; readonly score: number; readonly reasons: readonly string[] }[];
  /** The most relevant skills if no trigger fires. */
  readonly suggestions: readonly { readonly name: string; readonly score: number }[];
  /** The tier of text that a model would get for this message, with its tokens. */
  readonly tier: string;
  readonly tokens: number;
  readonly text: string;
}

export interface EvalSummary {
  /** Skills with evals. */
  readonly skills: readonly {
    readonly name: string;
    readonly requests: number;
    readonly hit1: number | null;
    readonly recall5: number | null;
    readonly failure: string | null;
  }[];
  /** Requests for which another skill came first. */
  readonly confusion: readonly {
    readonly gold: string;
    readonly stolenBy: string | null;
    readonly count: number;
    readonly requests: readonly string[];
  }[];
}
