import { MAY_BE_EMPTY, type Operation } from './operations.ts';
import type { FilterToken, PairToken, TextToken, Token } from './read-token.ts';

/** A statement while it is read. `text` is set for a payload without a key, even where the operation gives it one. */
export interface Draft {
  target?: TextToken;
  domain?: string;
  limit?: number;
  text?: string;
  readonly tags: Set<string>;
  readonly pairs: Map<string, string>;
}

/** What would have been right, and where if not where the part begins. */
export interface Complaint {
  readonly expected: string;
  readonly position?: number;
}

/** Adds a part that is not the target, or says what the operation takes instead; other planes take anything. */
export function addPart(draft: Draft, token: Token, operation: Operation | undefined): Complaint | undefined {
  if (token.kind === 'filter') return addFilter(draft, token, operation);
  if (token.kind === 'pair') return addPair(draft, token, operation);
  if (token.kind === 'quoted') return addText(draft, token, operation);
  return { expected: 'a filter, "…" or key=value; a text of several words is "quoted whole"' };
}

function addFilter(
  draft: Draft,
  { sign, value }: FilterToken,
  operation: Operation | undefined,
): Complaint | undefined {
  if (operation !== undefined && !operation.filters.includes(sign))
    return { expected: `${listFilters(operation)}: ${operation.name} takes no ${sign}` };
  if (sign === '^') {
    if (draft.limit !== undefined) return { expected: 'one ^ alone' };
    if (!LIMIT.test(value)) return { expected: 'a whole number from 1 after ^' };
    draft.limit = Number(value);
  } else if (value === '') {
    return { expected: `${sign === '#' ? 'a tag' : 'a domain'} right after ${sign}` };
  } else if (sign === '#') {
    draft.tags.add(value);
  } else {
    const isGiven = draft.domain !== undefined || (operation !== undefined && draft.pairs.has('domain'));
    if (isGiven) return { expected: 'one domain alone' };
    draft.domain = value;
  }
  return undefined;
}

const LIMIT = /^[1-9]\d{0,8}$/;

function listFilters({ filters }: Operation): string {
  return filters.length === 0 ? 'no filter' : `one of the filters ${filters.join(' ')}`;
}

function addText(draft: Draft, { value, start }: TextToken, operation: Operation | undefined): Complaint | undefined {
  if (draft.text !== undefined) return { expected: 'one payload alone' };
  if (draft.pairs.size > 0) return { expected: 'key=value: a payload is one text or pairs' };
  if (operation === undefined) {
    draft.text = value;
    return undefined;
  }
  const { textKey: key } = operation;
  if (key === undefined) return { expected: `${listKeys(operation)}; the target stands right after the plane` };
  const complaint = addPair(draft, { kind: 'pair', key, value, valueStart: start, start, end: start }, operation);
  draft.text = value;
  return complaint;
}

function addPair(
  draft: Draft,
  { key, value, valueStart }: PairToken,
  operation: Operation | undefined,
): Complaint | undefined {
  if (PROTOTYPE_KEYS.has(key)) return { expected: 'another key: this one is refused' };
  if (draft.text !== undefined)
    return { expected: 'nothing beside the quoted payload: with other pairs it is content="…"' };
  if (operation !== undefined && !operation.keys.includes(key)) return { expected: listKeys(operation) };
  if (draft.pairs.has(key)) return { expected: `${key} once` };
  if (operation !== undefined && key === 'domain' && draft.domain !== undefined)
    return { expected: 'one domain alone' };
  if (operation !== undefined && value.trim() === '' && !MAY_BE_EMPTY.includes(key))
    return { position: valueStart, expected: `a value for ${key} that is not empty` };
  draft.pairs.set(key, value);
  return undefined;
}

/** They mean something to JavaScript objects. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function listKeys({ name, keys }: Operation): string {
  return keys.length === 0 ? `no payload: ${name} takes none` : `one of the keys ${keys.join(', ')}`;
}
