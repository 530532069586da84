import type { ScriptResult } from '../agent/script-result.ts';
import type { Failure } from '../model/outcome.ts';

/** A skill that a search found. */
export interface CtxFoundSkill {
  /** Load the skill by this. */
  readonly id: string;
  /** Its title. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** 0.5 or more for a match in the table of fixed scores, less for relevance; 0 if the statement had only filters. */
  readonly score: number;
  /** The skill shares words with the query, but probably does not serve it. */
  readonly weak?: true;
}

export interface CtxSearchAnswer {
  readonly ok: true;
  readonly results: readonly CtxFoundSkill[];
}

export interface CtxLoadAnswer {
  readonly ok: true;
  readonly skill: Omit<CtxFoundSkill, 'score'> & {
    readonly domain: string;
    readonly version: string;
    readonly source: string;
    readonly dir: string;
  };
  /** The instructions. */
  readonly content: string;
  /** The estimated cost of the content. */
  readonly tokens: number;
}

/** A file of a skill: a page of its text, or its bytes as base64. */
export type CtxResourceAnswer = {
  readonly ok: true;
  readonly resource: {
    /** The id of its skill. */
    readonly skill: string;
    /** Relative to the skill. */
    readonly path: string;
    readonly url: string;
    readonly contentType: string;
    /** In bytes. */
    readonly size: number;
  };
} & (
  | {
      readonly content: string;
      /** The offset of the next page; absent on the last one. */
      readonly next?: number;
      readonly base64?: never;
    }
  | { readonly base64: string; readonly content?: never; readonly next?: never }
);

/** A skill was stored, updated or removed. */
export interface CtxWriteAnswer {
  readonly ok: true;
  readonly id: string;
  /** The path of its SKILL.md. */
  readonly path: string;
}

/** A failure, in words for a model. */
export interface CtxFailure extends Failure {
  /** With `SKILL_NOT_FOUND`: the names of the most similar skills. */
  readonly nearest?: readonly string[];
  /** With `CTX_INVALID`, as in a `StatementError`. */
  readonly position?: number;
  readonly found?: string;
  readonly expected?: string;
}

/** The answer to a statement, as plain data. */
export type CtxAnswer =
  | CtxSearchAnswer
  | CtxLoadAnswer
  | CtxResourceAnswer
  | CtxWriteAnswer
  | ScriptResult
  | CtxFailure;
