import { FIELDS, pairKey, PLACES, documentTexts, type DocumentSource, type Field } from '../index/document.ts';
import { NO_GLOSSARY, type Glossary } from '../index/glossary.ts';
import { languageOf, type Language } from '../index/languages.ts';
import type { PackedLists } from '../index/lists.ts';
import type { PackedColumn, PackedPostings } from '../index/postings.ts';
import { DocumentRows } from './document-rows.ts';
import { NumberList } from './number-list.ts';
import { openNumberSorter } from './sort-numbers.ts';
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

/** Gives back memory at once, which the collector would do much later. */
export function releaseColumns(columns: PackedPostings | PackedLists): void {
  const all: readonly PackedColumn[] = Object.values(columns);
  for (const { buffer } of all) buffer.transfer(0);
}

/** Packs skills. It remembers words from one pack to the next, and nothing else. */
export function openDocumentPacker(glossary: Glossary = NO_GLOSSARY): DocumentPacker {
  return new Packing(openWordReader(), glossary);
}

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
  readonly #rows: DocumentRows;
  /** The words of the present document, text by text. */
  readonly #words = new NumberList();
  readonly #found = new NumberList();
  readonly #sort = openNumberSorter();

  constructor(reader: WordReader, glossary: Glossary) {
    this.#reader = reader;
    this.#glossary = glossary;
    this.#rows = new DocumentRows(reader.numbers);
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
      count: this.#rows.count,
      postings: this.#rows.pack(),
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
    const { second, han } = this.#reader.read(text, words, language);
    const glosses = this.#glossary.glossesOf(text);
    if (glosses.length === 0) return { from, to: words.length, length: words.length - from - second };
    const own = words.length;
    const narrow = han === undefined ? this.#countNarrow(text) : own - from - han;
    for (const gloss of glosses) words.append(this.#reader.wordsOf(gloss));
    return { from, to: words.length, length: narrow + words.length - own };
  }

  /** How many words of a text are neither Chinese nor Japanese. */
  #countNarrow(text: string): number {
    const before = this.#words.length;
    this.#reader.read(text.replaceAll(/[\u3040-\u30ff\u3400-\u9fff]+/g, ' '), this.#words);
    const count = this.#words.length - before;
    this.#words.cut(before);
    return count;
  }

  /** Adds the rows of the present document; the words from `excluded` on are those that it is not for. */
  #countWords(fields: Readonly<Record<Field, readonly TextRange[]>>, excluded: number): void {
    const rows = this.#rows;
    const words = this.#words.view();
    rows.begin();
    for (const field of FIELD_NAMES) {
      const { weight, usualLength, penalty, place } = FIELDS[field];
      const texts = fields[field];
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      const share = weight / (1 - penalty + (penalty * length) / usualLength);
      for (const [nth, { from, to }] of texts.entries())
        rows.note(words, { from, to, share, place, section: field === 'body' ? 1 << nth : 0 });
    }
    rows.note(words, { from: excluded, to: words.length, share: 0, place: PLACES.excluded, section: 0 });
    rows.end();
  }

  #pushCodes(texts: readonly TextRange[]): void {
    const { codes } = this.#reader.numbers;
    for (const { from, to } of texts)
      for (let at = from; at < to; at += 1) this.#found.push(codes[this.#words.at(at)] ?? 0);
  }

  #pushPairs(texts: readonly TextRange[]): void {
    const { codes } = this.#reader.numbers;
    const words = this.#words.view();
    const found = this.#found;
    for (const { from, to } of texts) {
      if (to - from < 2) continue;
      const pairs = found.extend(to - from - 1);
      let before = codes[words[from] ?? 0] ?? 0;
      for (let at = 0; at < pairs.length; at += 1) {
        const code = codes[words[from + at + 1] ?? 0] ?? 0;
        pairs[at] = pairKey(before, code);
        before = code;
      }
    }
  }

  #endList(name: 'name' | 'close' | 'closePairs' | 'farPairs'): void {
    const length = this.#sort(this.#found.view());
    this.#lists[name].append(this.#found.view(0, length));
    this.#found.cut(0);
  }
}

// The keys of a literal are exactly these.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** Lists of numbers, one after the other. Packing them makes room for others. */
function openLists(): { append(list: Uint32Array): void; pack(): PackedLists } {
  const values = new NumberList();
  const starts = new NumberList();
  starts.push(0);
  return {
    append(list) {
      values.append(list);
      starts.push(values.length);
    },
    pack() {
      const packed = { starts: starts.copy(), values: values.copy() };
      starts.cut(1);
      values.cut(0);
      return packed;
    },
  };
}
