import type { Skill } from '../../model/skill.ts';
import { isExclusionHeading, splitExclusions } from './exclusions.ts';
import type { Glossary } from './glossary.ts';
import { splitSections } from './sections.ts';
import { toSortedSet, type SortedSet } from './sorted-set.ts';
import type { WordReader } from './words.ts';

/**
 * One skill as the index stores it, with words as numbers. It depends on that skill alone, so adding, changing or
 * removing another skill leaves it unchanged.
 */
export interface SearchDocument {
  /** Each word once, with its impact (its weight in this skill, at most 255), its places and its sections. */
  readonly words: Uint32Array;
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly sections: Uint32Array;
  readonly name: SortedSet;
  /** The words of name, description and tags. */
  readonly close: SortedSet;
  /** Pairs of adjacent words: in name, description and tags; in headings and instructions. */
  readonly closePairs: SortedSet;
  readonly farPairs: SortedSet;
}

/** Bits of `places`: where in a skill a word occurs. `excluded`: among the things that it is not for. */
export const PLACES = { name: 1, close: 2, far: 4, excluded: 8 } as const;
/** The bits of a word that speaks for a skill. */
export const SAID: number = PLACES.name | PLACES.close | PLACES.far;

/** One bit of `sections` each. */
const SECTIONS = 32;
const HEADINGS = 40;

/** Reads words, and translates those of other languages. */
export interface DocumentReader {
  readonly words: WordReader;
  readonly glossary: Glossary;
}

export function toDocument(skill: Skill, body: string, reader: DocumentReader): SearchDocument {
  const { name, id, title, tags, triggers } = skill;
  const description = splitExclusions(skill.description);
  const sections = splitSections(body, SECTIONS);
  const isExcluded = sections.map(({ heading }) => isExclusionHeading(heading));
  const excluded = [description.excluded, ...sections.filter((_, at) => isExcluded[at]).map(({ text }) => text)];
  return summarize(
    {
      name: [readText(reader, name === id ? name : `${name} ${id}`)],
      description: [readText(reader, description.said)],
      tags: [readText(reader, [...tags, ...triggers.keywords, ...triggers.verbs].join('\n'))],
      headings: [readText(reader, [title, ...findHeadings(body)].join('\n'))],
      body: sections.map(({ text }, at) => readText(reader, isExcluded[at] ? '' : text)),
    },
    reader.words.codesOf(excluded.join('\n')),
  );
}

/** The words of a text. */
interface TextWords {
  readonly codes: readonly number[];
  /** How many of them count for the length of a field. */
  readonly length: number;
}

/** Chinese words are found by themselves and by their meanings; their meanings alone make the text longer. */
function readText({ words, glossary }: DocumentReader, text: string): TextWords {
  const glosses = glossary.glossesOf(text);
  const codes = words.codesOf(text);
  if (glosses === '') return { codes, length: codes.length };
  const meanings = words.codesOf(glosses);
  const narrow = words.codesOf(text.replaceAll(/[\u3040-\u30ff\u3400-\u9fff]+/g, ' ')).length;
  return { codes: [...codes, ...meanings], length: narrow + meanings.length };
}

/** The key of two adjacent words. A rare collision only costs a little accuracy. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
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

/** The body has a text for each section, every other field has one. */
type Fields = Readonly<Record<Field, readonly TextWords[]>>;

function summarize(fields: Fields, excluded: readonly number[]): SearchDocument {
  const numbers = new Map<number, number>();
  const frequencies: number[] = [];
  const places: number[] = [];
  const sections: number[] = [];
  const note = (code: number, share: number, place: number): number => {
    const number = numbers.get(code) ?? numbers.size;
    if (number === numbers.size) numbers.set(code, number);
    frequencies[number] = (frequencies[number] ?? 0) + share;
    places[number] = (places[number] ?? 0) | place;
    return number;
  };
  for (const [field, { weight, usualLength, penalty, place }] of FIELDS) {
    const texts = fields[field];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const share = weight / (1 - penalty + (penalty * length) / usualLength);
    for (const [section, { codes }] of texts.entries()) {
      for (const code of codes) {
        const number = note(code, share, place);
        sections[number] = (sections[number] ?? 0) | (field === 'body' ? 1 << section : 0);
      }
    }
  }
  for (const code of excluded) note(code, 0, PLACES.excluded);
  const codesOf = (...names: readonly Field[]): readonly (readonly number[])[] =>
    names.flatMap((field) => fields[field].map(({ codes }) => codes));
  return {
    words: Uint32Array.from(numbers.keys()),
    impacts: Uint8Array.from(frequencies, toImpact),
    places: Uint8Array.from(places),
    sections: Uint32Array.from(numbers.values(), (number) => (sections[number] ?? 0) >>> 0),
    name: toSortedSet(codesOf('name').flat()),
    close: toSortedSet(codesOf('name', 'description', 'tags').flat()),
    closePairs: toSortedSet(pairsIn(codesOf('name', 'description', 'tags'))),
    farPairs: toSortedSet(pairsIn(codesOf('headings', 'body'))),
  };
}

function toImpact(frequency: number): number {
  if (frequency === 0) return 0;
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function pairsIn(texts: readonly (readonly number[])[]): readonly number[] {
  const pairs: number[] = [];
  for (const codes of texts) {
    for (let at = 1; at < codes.length; at += 1) pairs.push(pairKey(codes[at - 1] ?? 0, codes[at] ?? 0));
  }
  return pairs;
}
