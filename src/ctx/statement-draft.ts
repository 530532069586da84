import type { FilterToken, PairToken, TextToken, Token } from './next-token.ts';
import { MAY_BE_EMPTY, NUMBERS, type Operation } from './operation-table.ts';

/** A statement under construction. `text` is set for a payload without a key, even if the operation gives it one. */
export interface Draft {
  target?: TextToken;
  domain?: string;
  limit?: number;
  text?: string;
  readonly tags: Set<string>;
  readonly pairs: Map<string, string>;
}

/** The expected part, and its position if that is not the start of the part at hand. */
export interface Complaint {
  readonly expected: string;
  readonly position?: number;
}

/** Adds a filter or payload, or returns what the operation expects instead. Other planes accept anything. */
export function addPart(draft: Draft, token: Token, operation: Operation | undefined): Complaint | undefined {
  if (token.kind === 'filter') return addFilter(draft, token, operation);
  if (token.kind === 'pair') return addPair(draft, token, operation);
  if (token.kind === 'quoted') return addText(draft, token, operation);
  return { expected: 'a filter, "…" or key=value; put quotation marks around a text of several words' };
}

function addFilter(
  draft: Draft,
  { sign, value }: FilterToken,
  operation: Operation | undefined,
): Complaint | undefined {
  if (operation !== undefined && !operation.filters.includes(sign))
    return { expected: `${listFilters(operation)}: ${operation.name} takes no ${sign}` };
  if (sign === '^') {
    if (draft.limit !== undefined) return { expected: 'only one ^' };
    if (!LIMIT.test(value)) return { expected: 'a whole number from 1 after ^' };
    draft.limit = Number(value);
  } else if (value === '') {
    return { expected: `${sign === '#' ? 'a tag' : 'a domain'} right after ${sign}` };
  } else if (sign === '#') {
    draft.tags.add(value);
  } else {
    const isGiven = draft.domain !== undefined || (operation !== undefined && draft.pairs.has('domain'));
    if (isGiven) return { expected: 'only one domain' };
    draft.domain = value;
  }
  return undefined;
}

const LIMIT = /^[1-9]\d{0,8}$/;

function listFilters({ filters }: Operation): string {
  return filters.length === 0 ? 'no filter' : `one of the filters ${filters.join(' ')}`;
}

function addText(draft: Draft, { value, start }: TextToken, operation: Operation | undefined): Complaint | undefined {
  if (draft.text !== undefined) return { expected: 'only one payload' };
  if (draft.pairs.size > 0) return { expected: 'key=value: a payload is either one text or pairs' };
  if (operation === undefined) {
    draft.text = value;
    return undefined;
  }
  const { textKey: key } = operation;
  if (key === undefined) return { expected: `${listKeys(operation)}; the target comes right after the plane` };
  const complaint = addPair(draft, { kind: 'pair', key, value, valueStart: start, start, end: start }, operation);
  draft.text = value;
  return complaint;
}

function addPair(
  draft: Draft,
  { key, value, valueStart }: PairToken,
  operation: Operation | undefined,
): Complaint | undefined {
  if (PROTOTYPE_KEYS.has(key)) return { expected: 'another key: this one is not allowed' };
  if (draft.text !== undefined)
    return { expected: 'nothing after the quoted payload; to add pairs, write it as content="…"' };
  if (operation !== undefined && !operation.keys.includes(key)) return { expected: listKeys(operation) };
  if (draft.pairs.has(key)) return { expected: `${key} only once` };
  if (operation !== undefined && key === 'domain' && draft.domain !== undefined) return { expected: 'only one domain' };
  if (operation !== undefined && value.trim() === '' && !MAY_BE_EMPTY.includes(key))
    return { position: valueStart, expected: `a non-empty value for ${key}` };
  if (operation !== undefined && NUMBERS.includes(key) && !NUMBER.test(value))
    return { position: valueStart, expected: `a whole number from 0 for ${key}` };
  draft.pairs.set(key, value);
  return undefined;
}

const NUMBER = /^(?:0|[1-9]\d{0,8})$/;

/** Keys with a special meaning in JavaScript objects. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function listKeys({ name, keys }: Operation): string {
  return keys.length === 0 ? `no payload: ${name} takes none` : `one of the keys ${keys.join(', ')}`;
}
