import type { Operator } from './statement.ts';

/** The parts that an operation on skills accepts. Any other part of a statement is an error. */
export interface Operation {
  /** For messages: `a search`. */
  readonly name: string;
  readonly needsTarget: boolean;
  readonly filters: readonly FilterSign[];
  readonly keys: readonly string[];
  /** The key of a payload that is written without one. */
  readonly textKey?: string;
  /** A required part: `what` completes "expected …". */
  readonly needs?: { readonly what: string; readonly isGiven: (given: Given) => boolean };
}

export type FilterSign = '#' | '@' | '^';

/** The parts of a statement that decide whether it is complete. */
export interface Given {
  readonly tags: readonly string[];
  readonly domain?: string | undefined;
  readonly pairs: ReadonlyMap<string, string>;
}

const WRITTEN = ['content', 'description', 'tags', 'domain', 'version'];

export const OPERATIONS: Readonly<Record<Operator, Operation>> = {
  '?': { name: 'a search', needsTarget: false, filters: ['#', '@', '^'], keys: [] },
  '!': { name: 'loading', needsTarget: true, filters: [], keys: ['offset'] },
  '+': {
    name: 'storing',
    needsTarget: true,
    filters: ['#', '@'],
    keys: WRITTEN,
    textKey: 'content',
    needs: { what: 'the instructions: "…" or content="…"', isGiven: ({ pairs }) => pairs.has('content') },
  },
  '~': {
    name: 'updating',
    needsTarget: true,
    filters: ['#', '@'],
    keys: WRITTEN,
    textKey: 'content',
    needs: {
      what: `what to change: ${WRITTEN.join(', ')}, #tag or @domain`,
      isGiven: ({ tags, domain, pairs }) => pairs.size > 0 || tags.length > 0 || domain !== undefined,
    },
  },
  '-': { name: 'removing', needsTarget: true, filters: [], keys: [] },
  '>': {
    name: 'running',
    needsTarget: true,
    filters: [],
    keys: ['script', 'args'],
    needs: { what: 'script=…: a script of the skill', isGiven: ({ pairs }) => pairs.has('script') },
  },
};

/** Keys whose value may be empty: no tags, no arguments. */
export const MAY_BE_EMPTY: readonly string[] = ['tags', 'args'];

/** Keys whose value is a whole number from 0. */
export const NUMBERS: readonly string[] = ['offset'];
