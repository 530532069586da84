import { FIELDS, pairKey, PLACES, documentTexts, type DocumentSource, type Field } from '../index/document.ts';
import { NO_GLOSSARY, type Glossary } from '../index/glossary.ts';
import { languageOf, type Language } from '../index/languages.ts';
import type { PackedLists } from '../index/lists.ts';
import type { PackedColumn, PackedPostings } from '../index/postings.ts';
import { NumberList } from './number-list.ts';
import { sortNumbers } from './sort-numbers.ts';
import { openWordReader, type WordReader } from './word-reader.ts';

/**
 * Some skills as an index stores them, in a few long arrays, numbered from 0 in the order in which they were added. It
 * depends on those skills alone. Threads can send it.
 */
export interface PackedDocuments {
  readonly count: number;
  readonly postings: PackedPostings;
  /** For each document: sorted codes of its name, of its name, description and tags, and keys of word pairs. */
  readonly name: PackedLists;
  readonly close: PackedLists;
  readonly closePairs: PackedLists;
  readonly farPairs: PackedLists;
  /** The words that the packer met for the first time. */
  readonly words: readonly string[];
}

export interface DocumentPacker {
  add(skill: DocumentSource, body: string): void;
  /** All documents added since the last time. */
  pack(): PackedDocuments;
}

/** The memory of a pack, for handing it over to another thread. */
export function listBuffers({ postings, name, close, closePairs, farPairs }: PackedDocuments): readonly ArrayBuffer[] {
  const columns = [postings, name, close, closePairs, farPairs].flatMap((part): readonly PackedColumn[] =>
    Object.values(part),
  );
  return columns.map(({ buffer }) => buffer);
}

/** Packs skills. It remembers words from one pack to the next, and nothing else. */
export function openDocumentPacker(glossary: Glossary = NO_GLOSSARY): DocumentPacker {
  const reader = openWordReader();
  let packing = new Packing(reader, glossary);
  return {
    add: (skill, body) => packing.add(skill, body),
    pack() {
      const packed = packing.pack();
      packing = new Packing(reader, glossary);
      return packed;
    },
  };
}

/** Limits the effect of repeating a word (k1 of BM25F). */
const SATURATION = 1;
const MAX_IMPACT = 255;
const PLACE_SHIFT = 8;

/** A text of a field among the words of a document. */
interface TextRange {
  readonly from: number;
  readonly to: number;
  /** How many of its words count for the length of the field. */
  readonly length: number;
}

/** Documents while they are packed. */
class Packing implements DocumentPacker {
  readonly #reader: WordReader;
  readonly #glossary: Glossary;
  readonly #lists = { name: openLists(), close: openLists(), closePairs: openLists(), farPairs: openLists() };
  /** One row for each word of each document: the word's number, its sections, its impact and places. */
  readonly #rows: Rows = { words: new NumberList(), sections: new NumberList(), values: new NumberList() };
  /** Where the rows of each document end. */
  readonly #ends = new NumberList();
  /** The words of the present document, text by text. */
  readonly #words = new NumberList();
  readonly #found = new NumberList();
  readonly #scratch = openScratch();

  constructor(reader: WordReader, glossary: Glossary) {
    this.#reader = reader;
    this.#glossary = glossary;
  }

  add(skill: DocumentSource, body: string): void {
    this.#words.cut(0);
    const texts = documentTexts(skill, body);
    const language = languageOf(skill.description);
    const read = (text: string): TextRange => this.#readText(text, language);
    const [name, description, tags] = [texts.name.map(read), texts.description.map(read), texts.tags.map(read)];
    const [headings, sections] = [texts.headings.map(read), texts.body.map(read)];
    const excluded = this.#words.length;
    this.#reader.read(texts.excluded, this.#words, language);
    this.#countWords({ name, description, tags, headings, body: sections }, excluded);
    const close = [...name, ...description, ...tags];
    this.#pushCodes(name);
    this.#endList('name');
    this.#pushCodes(close);
    this.#endList('close');
    this.#pushPairs(close);
    this.#endList('closePairs');
    this.#pushPairs([...headings, ...sections]);
    this.#endList('farPairs');
  }

  pack(): PackedDocuments {
    const { name, close, closePairs, farPairs } = this.#lists;
    return {
      count: this.#ends.length,
      postings: packRows(this.#rows, this.#ends, this.#reader.numbers),
      name: name.pack(),
      close: close.pack(),
      closePairs: closePairs.pack(),
      farPairs: farPairs.pack(),
      words: this.#reader.takeLearned(),
    };
  }

  /** Chinese words are found by themselves and by their meanings; their meanings alone make the text longer. */
  #readText(text: string, language: Language | undefined): TextRange {
    const words = this.#words;
    const from = words.length;
    const second = this.#reader.read(text, words, language);
    const glosses = this.#glossary.glossesOf(text);
    if (glosses === '') return { from, to: words.length, length: words.length - from - second };
    const own = words.length;
    this.#reader.read(text.replaceAll(/[\u3040-\u30ff\u3400-\u9fff]+/g, ' '), words);
    const narrow = words.length - own;
    words.cut(own);
    this.#reader.read(glosses, words);
    return { from, to: words.length, length: narrow + words.length - own };
  }

  /** Adds the rows of the present document; the words from `excluded` on are those that it is not for. */
  #countWords(fields: Readonly<Record<Field, readonly TextRange[]>>, excluded: number): void {
    const scratch = this.#scratch;
    const words = this.#words;
    scratch.begin(this.#reader.numbers.count);
    for (const field of FIELD_NAMES) {
      const { weight, usualLength, penalty, place } = FIELDS[field];
      const texts = fields[field];
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      const share = weight / (1 - penalty + (penalty * length) / usualLength);
      for (const [nth, { from, to }] of texts.entries()) {
        const occurrence = { share, place, section: field === 'body' ? 1 << nth : 0 };
        for (let at = from; at < to; at += 1) scratch.note(words.at(at), occurrence);
      }
    }
    const ruledOut = { share: 0, place: PLACES.excluded, section: 0 };
    for (let at = excluded; at < words.length; at += 1) scratch.note(words.at(at), ruledOut);
    scratch.flush(this.#rows);
    this.#ends.push(this.#rows.words.length);
  }

  #pushCodes(texts: readonly TextRange[]): void {
    const { numbers } = this.#reader;
    for (const { from, to } of texts)
      for (let at = from; at < to; at += 1) this.#found.push(numbers.codeOf(this.#words.at(at)));
  }

  #pushPairs(texts: readonly TextRange[]): void {
    const { numbers } = this.#reader;
    for (const { from, to } of texts) {
      let before = from < to ? numbers.codeOf(this.#words.at(from)) : 0;
      for (let at = from + 1; at < to; at += 1) {
        const code = numbers.codeOf(this.#words.at(at));
        this.#found.push(pairKey(before, code));
        before = code;
      }
    }
  }

  #endList(name: 'name' | 'close' | 'closePairs' | 'farPairs'): void {
    const length = sortNumbers(this.#found.view());
    this.#lists[name].append(this.#found.view(0, length));
    this.#found.cut(0);
  }
}

// The keys of a literal are exactly these.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

interface Rows {
  readonly words: NumberList;
  readonly sections: NumberList;
  readonly values: NumberList;
}

/** A word at one place of a document. */
interface Occurrence {
  readonly share: number;
  readonly place: number;
  readonly section: number;
}

/** The words of one document, by their numbers, while they are counted. */
interface Scratch {
  begin(words: number): void;
  note(word: number, occurrence: Occurrence): void;
  flush(rows: Rows): void;
}

function openScratch(): Scratch {
  let frequencies = new Float64Array();
  let places = new Uint8Array();
  let sections = new Uint32Array();
  const seen = new NumberList();
  return {
    begin(words) {
      if (words <= places.length) return;
      frequencies = new Float64Array(2 * words);
      places = new Uint8Array(2 * words);
      sections = new Uint32Array(2 * words);
    },
    note(word, { share, place, section }) {
      if (places[word] === 0) seen.push(word);
      frequencies[word] = (frequencies[word] ?? 0) + share;
      places[word] = (places[word] ?? 0) | place;
      sections[word] = (sections[word] ?? 0) | section;
    },
    flush(rows) {
      for (let at = 0; at < seen.length; at += 1) {
        const word = seen.at(at);
        rows.words.push(word);
        rows.sections.push(sections[word] ?? 0);
        rows.values.push(toImpact(frequencies[word] ?? 0) | ((places[word] ?? 0) << PLACE_SHIFT));
        frequencies[word] = 0;
        places[word] = 0;
        sections[word] = 0;
      }
      seen.cut(0);
    },
  };
}

function toImpact(frequency: number): number {
  if (frequency === 0) return 0;
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

/** Turns rows by document into rows by word, in the order of the words' codes. */
function packRows(rows: Rows, ends: NumberList, numbers: WordReader['numbers']): PackedPostings {
  const next = new Uint32Array(numbers.count);
  for (let row = 0; row < rows.words.length; row += 1) {
    const word = rows.words.at(row);
    next[word] = (next[word] ?? 0) + 1;
  }
  const found = new NumberList();
  for (let word = 0; word < next.length; word += 1) if (next[word] !== 0) found.push(numbers.codeOf(word));
  const codes = found.copy().sort();
  const starts = new Uint32Array(codes.length + 1);
  for (let at = 0; at < codes.length; at += 1) {
    const word = numbers.numberOf(codes[at] ?? 0);
    starts[at + 1] = (starts[at] ?? 0) + (next[word] ?? 0);
    next[word] = starts[at] ?? 0;
  }
  const { length } = rows.words;
  const packed = {
    codes,
    starts,
    values: new Uint32Array(length),
    impacts: new Uint8Array(length),
    places: new Uint8Array(length),
    sections: new Uint32Array(length),
  };
  for (let document = 0, row = 0; document < ends.length; document += 1) {
    for (const end = ends.at(document); row < end; row += 1) {
      const word = rows.words.at(row);
      const at = next[word] ?? 0;
      next[word] = at + 1;
      packed.values[at] = document;
      packed.impacts[at] = rows.values.at(row) & MAX_IMPACT;
      packed.places[at] = rows.values.at(row) >>> PLACE_SHIFT;
      packed.sections[at] = rows.sections.at(row);
    }
  }
  return packed;
}

/** Lists of numbers, one after the other. */
function openLists(): { append(list: Uint32Array): void; pack(): PackedLists } {
  const values = new NumberList();
  const starts = new NumberList();
  starts.push(0);
  return {
    append(list) {
      values.append(list);
      starts.push(values.length);
    },
    pack: () => ({ starts: starts.copy(), values: values.copy() }),
  };
}
