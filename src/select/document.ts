import type { Skill } from '../model/skill.ts';
import { toSortedSet, type SortedSet } from './sorted-set.ts';
import type { WordReader } from './words.ts';

/**
 * One skill as the index stores it, with words as numbers. It depends on that skill alone, so adding, changing or
 * removing another skill leaves it unchanged.
 */
export interface SearchDocument {
  /** Each word once, with its impact (its weight in this skill, 1 to 255) and its places. */
  readonly words: Uint32Array;
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly name: SortedSet;
  /** The words of name, description and tags. */
  readonly close: SortedSet;
  /** Pairs of adjacent words: in name, description and tags; in headings and instructions. */
  readonly closePairs: SortedSet;
  readonly farPairs: SortedSet;
}

/** Bits of `places`: where in a skill a word occurs. */
export const PLACES = { name: 1, close: 2, far: 4 } as const;

/** Indexing more of the instructions costs time and adds no accuracy. */
const BODY_CHARACTERS = 6_000;
const HEADINGS = 40;

export function toDocument(skill: Skill, body: string, reader: WordReader): SearchDocument {
  const { name, id, title, description, tags, triggers } = skill;
  return summarize({
    name: reader.codesOf(name === id ? name : `${name} ${id}`),
    description: reader.codesOf(dropExclusions(description)),
    tags: reader.codesOf([...tags, ...triggers.keywords, ...triggers.verbs].join(' ')),
    headings: reader.codesOf([title, ...findHeadings(body)].join('\n')),
    body: reader.codesOf(body.slice(0, BODY_CHARACTERS)),
  });
}

/** The key of two adjacent words. A rare collision only costs a little accuracy. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
}

/** "Do not use for invoices" must not make a skill the answer to invoices. */
function dropExclusions(description: string): string {
  return description.replaceAll(
    /(?:^|(?<=[.!?;\n]))\s*(?:do not|don't|not for|never|skip|avoid)[^.!?\n]*(?:[.!?\n]|$)/gi,
    ' ',
  );
}

function findHeadings(body: string): readonly string[] {
  const headings: string[] = [];
  for (const match of body.matchAll(/^#{1,4} +(.*)$/gm)) {
    headings.push(match[1] ?? '');
    if (headings.length === HEADINGS) break;
  }
  return headings;
}

type Field = 'name' | 'description' | 'tags' | 'headings' | 'body';

/**
 * The weight of a field, its usual length in words, and the penalty for being longer. The usual length is a measured
 * constant and not the mean of the current skills, so a skill's impacts do not depend on other skills.
 */
const FIELDS: readonly (readonly [Field, FieldWeight])[] = [
  ['name', { weight: 7, usualLength: 2.7, penalty: 0.3, place: PLACES.name | PLACES.close }],
  ['description', { weight: 2.8, usualLength: 33, penalty: 0.6, place: PLACES.close }],
  ['tags', { weight: 1.75, usualLength: 12, penalty: 0.5, place: PLACES.close }],
  ['headings', { weight: 0.84, usualLength: 52, penalty: 0.7, place: PLACES.far }],
  ['body', { weight: 0.39, usualLength: 510, penalty: 0.56, place: PLACES.far }],
];

interface FieldWeight {
  readonly weight: number;
  readonly usualLength: number;
  readonly penalty: number;
  readonly place: number;
}

/** Limits the effect of repeating a word (k1 of BM25F). */
const SATURATION = 1;
const MAX_IMPACT = 255;

type Fields = Readonly<Record<Field, readonly number[]>>;

function summarize(fields: Fields): SearchDocument {
  const numbers = new Map<number, number>();
  const frequencies: number[] = [];
  const places: number[] = [];
  for (const [field, { weight, usualLength, penalty, place }] of FIELDS) {
    const codes = fields[field];
    const share = weight / (1 - penalty + (penalty * codes.length) / usualLength);
    for (const code of codes) {
      const number = numbers.get(code) ?? numbers.size;
      if (number === numbers.size) numbers.set(code, number);
      frequencies[number] = (frequencies[number] ?? 0) + share;
      places[number] = (places[number] ?? 0) | place;
    }
  }
  const { name, description, tags, headings, body } = fields;
  return {
    words: Uint32Array.from(numbers.keys()),
    impacts: Uint8Array.from(frequencies, toImpact),
    places: Uint8Array.from(places),
    name: toSortedSet(name),
    close: toSortedSet([...name, ...description, ...tags]),
    closePairs: toSortedSet(pairsIn([name, description, tags])),
    farPairs: toSortedSet(pairsIn([headings, body])),
  };
}

function toImpact(frequency: number): number {
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function pairsIn(texts: readonly (readonly number[])[]): readonly number[] {
  const pairs: number[] = [];
  for (const codes of texts) {
    for (let at = 1; at < codes.length; at += 1) pairs.push(pairKey(codes[at - 1] ?? 0, codes[at] ?? 0));
  }
  return pairs;
}
