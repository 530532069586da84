import type { ScriptResult } from '../agent/script-result.ts';
import type { Failure } from '../model/outcome.ts';

/** A skill that a search found. */
export interface FoundSkill {
  /** What the skill is loaded by. */
  readonly id: string;
  /** Its title. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** 0.5 and more by the table of fixed scores, below that by relevance; 0 where only filters were given. */
  readonly score: number;
}

export interface SearchAnswer {
  readonly ok: true;
  readonly results: readonly FoundSkill[];
}

export interface LoadAnswer {
  readonly ok: true;
  readonly skill: Omit<FoundSkill, 'score'> & {
    readonly domain: string;
    readonly version: string;
    readonly source: string;
    readonly dir: string;
  };
  /** The instructions. */
  readonly content: string;
  /** Estimated, of the content. */
  readonly tokens: number;
}

/** A skill was stored, updated or removed. */
export interface WriteAnswer {
  readonly ok: true;
  readonly id: string;
  /** Of its SKILL.md. */
  readonly path: string;
}

/** Why there is no other answer. */
export interface CtxFailure extends Failure {
  /** Of `SKILL_NOT_FOUND`: names of skills that are most like the one asked for. */
  readonly nearest?: readonly string[];
  /** Of `CTX_INVALID`, as in a `StatementError`. */
  readonly position?: number;
  readonly found?: string;
  readonly expected?: string;
}

/** What a statement is answered with; plain data. */
export type CtxAnswer = SearchAnswer | LoadAnswer | WriteAnswer | ScriptResult | CtxFailure;
