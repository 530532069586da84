import { documentTexts, FIELDS, pairKey, PLACES, type DocumentSource, type Field } from './document.ts';
import type { Glossary } from './glossary.ts';
import { languageOf, type Language } from './languages.ts';
import { openWordHasher, type HashedWords } from './word-hasher.ts';

/** A skill as search sees it. It depends on the skill's own text alone. */
export interface Document {
  /** The hashes of its words, sorted. */
  readonly words: Uint32Array;
  /** For each word: how strongly the skill speaks of it, where (bits of `PLACES`), and in which sections (a bit each). */
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly sections: Uint32Array;
  /** The words of its name, and those of its name, description and tags. Sorted. */
  readonly name: Uint32Array;
  readonly metadata: Uint32Array;
  /** Keys of neighbouring words. Sorted. */
  readonly metadataPairs: Uint32Array;
  readonly instructionPairs: Uint32Array;
}

export interface DocumentReader {
  read(skill: DocumentSource, body: string): Document;
  /** Every word of the documents so far, as the index spells it. */
  readonly words: ReadonlySet<string>;
}

export function openDocumentReader(glossary: Glossary): DocumentReader {
  const hasher = openWordHasher();
  /** Chinese words are found by themselves and by their meanings; their meanings alone make the text longer. */
  const hash = (text: string, language: Language | undefined): HashedWords => {
    const own = hasher.hash(text, language);
    const glosses = glossary.glossesOf(text);
    if (glosses.length === 0) return own;
    const meant = glosses.flatMap((gloss) => hasher.hash(gloss).hashes);
    const others = hasher.hash(text.replaceAll(CHINESE_OR_JAPANESE, ' '));
    return { hashes: [...own.hashes, ...meant], length: others.hashes.length + meant.length };
  };
  return {
    words: hasher.words,
    read(skill, body) {
      const texts = documentTexts(skill, body);
      const language = languageOf(skill.description);
      const counts = new Map<number, WordCount>();
      const hashed: Record<Field, readonly HashedWords[]> = {
        name: [],
        description: [],
        tags: [],
        headings: [],
        body: [],
      };
      for (const field of FIELD_NAMES) {
        const { weight, usualLength, penalty, place } = FIELDS[field];
        const own = texts[field].map((text) => hash(text, language));
        hashed[field] = own;
        const length = own.reduce((sum, text) => sum + text.length, 0);
        const share = weight / (1 - penalty + (penalty * length) / usualLength);
        for (const [nth, { hashes }] of own.entries())
          countWords(counts, hashes, { share, place, section: field === 'body' ? 1 << nth : 0 });
      }
      const excluded = hasher.hash(texts.excluded, language);
      countWords(counts, excluded.hashes, { share: 0, place: PLACES.excluded, section: 0 });
      return toDocument(counts, hashed);
    },
  };
}

const CHINESE_OR_JAPANESE = /[\u3040-\u30ff\u3400-\u9fff]+/g;

// The keys of a literal are exactly these.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** How often a word is in a skill, weighted by field, and where. */
interface WordCount {
  frequency: number;
  places: number;
  sections: number;
}

/** Where some words stand, and how much each of them counts. */
interface WordPlace {
  readonly share: number;
  readonly place: number;
  readonly section: number;
}

function countWords(
  counts: Map<number, WordCount>,
  hashes: readonly number[],
  { share, place, section }: WordPlace,
): void {
  for (const hash of hashes) {
    let count = counts.get(hash);
    if (count === undefined) counts.set(hash, (count = { frequency: 0, places: 0, sections: 0 }));
    count.frequency += share;
    count.places |= place;
    count.sections |= section;
  }
}

function toDocument(
  counts: ReadonlyMap<number, WordCount>,
  { name, description, tags, headings, body }: Readonly<Record<Field, readonly HashedWords[]>>,
): Document {
  const words = Uint32Array.from(counts.keys()).sort();
  const impacts = new Uint8Array(words.length);
  const places = new Uint8Array(words.length);
  const sections = new Uint32Array(words.length);
  for (const [at, word] of words.entries()) {
    const count = counts.get(word);
    if (count === undefined) continue;
    impacts[at] = toImpact(count.frequency);
    places[at] = count.places;
    sections[at] = count.sections;
  }
  return {
    words,
    impacts,
    places,
    sections,
    name: words.filter((_, at) => ((places[at] ?? 0) & PLACES.name) !== 0),
    metadata: words.filter((_, at) => ((places[at] ?? 0) & PLACES.metadata) !== 0),
    metadataPairs: pairsOf([...name, ...description, ...tags]),
    instructionPairs: pairsOf([...headings, ...body]),
  };
}

/** Limits the effect of repeating a word (k1 of BM25F). */
const SATURATION = 1;
export const MAX_IMPACT = 255;

function toImpact(frequency: number): number {
  if (frequency === 0) return 0;
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function pairsOf(texts: readonly HashedWords[]): Uint32Array {
  const keys = new Set<number>();
  for (const { hashes } of texts)
    for (let at = 1; at < hashes.length; at += 1) keys.add(pairKey(hashes[at - 1] ?? 0, hashes[at] ?? 0));
  return Uint32Array.from(keys).sort();
}
