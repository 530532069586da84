import type { PackedPostings } from '../index/postings.ts';
import { NumberList } from './number-list.ts';
import type { WordNumbers } from './word-numbers.ts';

/** Where words stand in a document. */
export interface WordStretch {
  /** Their range among the words of the document. */
  readonly from: number;
  readonly to: number;
  /** How much each time counts. */
  readonly share: number;
  readonly place: number;
  readonly section: number;
}

/** Limits the effect of repeating a word (k1 of BM25F). */
const SATURATION = 1;
const MAX_IMPACT = 255;
const MOST_ROWS_AT_FIRST = 1 << 14;

/** The words of documents, one row for each word of each document, while they are counted. */
export class DocumentRows {
  readonly #numbers: WordNumbers;
  /** For each word, the row after its last one. */
  #last = new Uint32Array();
  /** For each row: the word's number, its sections, places and impact. */
  #words = new Uint32Array(MOST_ROWS_AT_FIRST);
  #sections = new Uint32Array(MOST_ROWS_AT_FIRST);
  #places = new Uint8Array(MOST_ROWS_AT_FIRST);
  #impacts = new Uint8Array(MOST_ROWS_AT_FIRST);
  /** For each row of the present document: how often the word is there, weighted. */
  #frequencies = new Float64Array(1024);
  #length = 0;
  #start = 0;
  /** Where the rows of each document end. */
  readonly #ends = new NumberList();

  constructor(numbers: WordNumbers) {
    this.#numbers = numbers;
  }

  /** How many documents there are. */
  get count(): number {
    return this.#ends.length;
  }

  /** Begins a document whose words all have their numbers. */
  begin(): void {
    this.#start = this.#length;
    if (this.#numbers.count > this.#last.length) this.#last = enlarge(this.#last, 2 * this.#numbers.count);
  }

  note(words: Uint32Array, { from, to, share, place, section }: WordStretch): void {
    this.#reserve(to - from);
    const [last, start, frequencies] = [this.#last, this.#start, this.#frequencies];
    const [places, sections, own] = [this.#places, this.#sections, this.#words];
    let length = this.#length;
    for (let at = from; at < to; at += 1) {
      const word = words[at] ?? 0;
      let row = (last[word] ?? 0) - 1;
      if (row < start) {
        row = length;
        length += 1;
        last[word] = length;
        own[row] = word;
        frequencies[row - start] = 0;
        places[row] = 0;
        sections[row] = 0;
      }
      frequencies[row - start] = (frequencies[row - start] ?? 0) + share;
      places[row] = (places[row] ?? 0) | place;
      sections[row] = (sections[row] ?? 0) | section;
    }
    this.#length = length;
  }

  end(): void {
    for (let row = this.#start; row < this.#length; row += 1)
      this.#impacts[row] = toImpact(this.#frequencies[row - this.#start] ?? 0);
    this.#ends.push(this.#length);
  }

  /** Turns rows by document into rows by word, in the order of the words' codes, and begins anew. */
  pack(): PackedPostings {
    const { words, codes, starts, next } = this.#countRows();
    const { length } = words;
    const [values, impacts] = [new Uint32Array(length), new Uint8Array(length)];
    const [places, sections] = [new Uint8Array(length), new Uint32Array(length)];
    const [ownImpacts, ownPlaces, ownSections] = [this.#impacts, this.#places, this.#sections];
    for (let document = 0, row = 0; document < this.#ends.length; document += 1) {
      for (const end = this.#ends.at(document); row < end; row += 1) {
        const word = words[row] ?? 0;
        const at = next[word] ?? 0;
        next[word] = at + 1;
        values[at] = document;
        impacts[at] = ownImpacts[row] ?? 0;
        places[at] = ownPlaces[row] ?? 0;
        sections[at] = ownSections[row] ?? 0;
      }
    }
    this.#last.fill(0);
    this.#length = 0;
    this.#ends.cut(0);
    return { codes, starts, values, impacts, places, sections };
  }

  /** The codes of all words in their order, where the rows of each begin, and the same by the words' numbers. */
  #countRows(): Pick<PackedPostings, 'codes' | 'starts'> & Record<'words' | 'next', Uint32Array> {
    const numbers = this.#numbers;
    const words = this.#words.subarray(0, this.#length);
    const next = new Uint32Array(numbers.count);
    for (let row = 0; row < words.length; row += 1) next[words[row] ?? 0] = (next[words[row] ?? 0] ?? 0) + 1;
    const found = new NumberList();
    for (let word = 0; word < next.length; word += 1) if (next[word] !== 0) found.push(numbers.codeOf(word));
    const codes = found.copy().sort();
    const starts = new Uint32Array(codes.length + 1);
    for (let at = 0; at < codes.length; at += 1) {
      const word = numbers.numberOf(codes[at] ?? 0);
      starts[at + 1] = (starts[at] ?? 0) + (next[word] ?? 0);
      next[word] = starts[at] ?? 0;
    }
    return { words, codes, starts, next };
  }

  /** Makes room for so many rows of the present document. */
  #reserve(rows: number): void {
    const own = this.#length - this.#start + rows;
    if (own > this.#frequencies.length) {
      const grown = new Float64Array(2 * own);
      grown.set(this.#frequencies);
      this.#frequencies = grown;
    }
    const needed = this.#length + rows;
    if (needed <= this.#words.length) return;
    const length = Math.max(needed, 2 * this.#words.length);
    this.#words = enlarge(this.#words, length);
    this.#sections = enlarge(this.#sections, length);
    this.#places = enlargeBytes(this.#places, length);
    this.#impacts = enlargeBytes(this.#impacts, length);
  }
}

function toImpact(frequency: number): number {
  if (frequency === 0) return 0;
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function enlarge(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(numbers);
  return grown;
}

function enlargeBytes(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length);
  grown.set(bytes);
  return grown;
}
