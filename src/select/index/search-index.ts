import type { Skill } from '../../model/skill.ts';
import { NO_GLOSSARY, type Glossary } from './glossary.ts';
import { joinLists, listAt, type Lists } from './lists.ts';
import { findWord, invert, merge, NO_POSTINGS, REMOVED, type Postings } from './postings.ts';
import { openDocumentReader, type Document } from './read-document.ts';
import { buildLexicon, listLexicon } from './spelling.ts';
import { hashWord } from './words.ts';

/**
 * An inverted index in a few long arrays of numbers, which are written to a file and read again as they are. Documents have
 * numbers from 0 on; words are known by their hashes.
 */
export interface SearchIndex extends Postings {
  /** For each document, the version of the skill that it was read from; empty if it must be read again. */
  readonly versions: readonly string[];
  /** For each document, as those of a `Document`. */
  readonly name: Lists;
  readonly metadata: Lists;
  readonly metadataPairs: Lists;
  readonly instructionPairs: Lists;
  /** For guessing the meaning of an unknown word: see `buildLexicon`. A word that no document has any more does no harm. */
  readonly lexicon: string;
}

export const EMPTY_INDEX: SearchIndex = {
  versions: [],
  ...NO_POSTINGS,
  name: joinLists([]),
  metadata: joinLists([]),
  metadataPairs: joinLists([]),
  instructionPairs: joinLists([]),
  lexicon: '',
};

/** Builds the index of some skills from an earlier one. Only new and changed skills are read. */
export interface IndexBuilder {
  /** The skills to read, in their order. */
  readonly missing: readonly Skill[];
  /** Adds a missing skill. */
  add(skill: Skill, body: string): void;
  /** The index of all skills, in their order, once every missing one is added. */
  build(): SearchIndex;
}

export function openIndexBuilder(
  before: SearchIndex,
  skills: readonly Skill[],
  glossary: Glossary = NO_GLOSSARY,
): IndexBuilder {
  const versions = skills.map(versionOf);
  const known = findKnown(before, versions);
  const missing = skills.filter((_, at) => known[at] === undefined);
  const reader = openDocumentReader(glossary);
  const added = new Map<Skill, Document>();
  const get = (skill: Skill): Document => {
    const document = added.get(skill);
    if (document === undefined) throw new Error(`${skill.file} was not added to the index`);
    return document;
  };
  const mergeLists = (field: 'name' | 'metadata' | 'metadataPairs' | 'instructionPairs'): Lists =>
    joinLists(
      skills.map((skill, at) => {
        const number = known[at];
        return number === undefined ? get(skill)[field] : listAt(before[field], number);
      }),
    );
  return {
    missing,
    add(skill, body) {
      added.set(skill, reader.read(skill, body));
    },
    build() {
      if (missing.length === 0 && skills.length === before.versions.length) return before;
      const numbers = new Uint32Array(before.versions.length).fill(REMOVED);
      const fresh: number[] = [];
      for (const [at, number] of known.entries()) {
        if (number === undefined) fresh.push(at);
        else numbers[number] = at;
      }
      return {
        versions,
        ...merge(before, numbers, invert(missing.map(get), fresh)),
        name: mergeLists('name'),
        metadata: mergeLists('metadata'),
        metadataPairs: mergeLists('metadataPairs'),
        instructionPairs: mergeLists('instructionPairs'),
        lexicon: reviseLexicon(before, reader.words),
      };
    },
  };
}

/** Builds the complete index. */
export function buildIndex(
  before: SearchIndex,
  skills: readonly Skill[],
  { readBody, glossary }: { readonly readBody: (skill: Skill) => string; readonly glossary?: Glossary | undefined },
): SearchIndex {
  const builder = openIndexBuilder(before, skills, glossary);
  for (const skill of builder.missing) builder.add(skill, readBody(skill));
  return builder.build();
}

/**
 * Identifies a skill and the version of its file; empty if the file changed too recently to tell. An installed skill does not
 * have its name from the file.
 */
export function versionOf({ file, name, origin, stamp }: Skill): string {
  const { mtimeMs, ctimeMs, size, ino } = stamp;
  if (Number.isNaN(mtimeMs + ctimeMs)) return '';
  const version = `${mtimeMs} ${ctimeMs} ${size} ${ino} ${file}`;
  return origin === undefined ? version : `${version}\n${name}`;
}

/**
 * For each version, the number of its document. Documents keep their order in the next index, so that one that would come
 * before another is left out, and is read again.
 */
function findKnown({ versions: before }: SearchIndex, versions: readonly string[]): readonly (number | undefined)[] {
  const numbers = new Map(before.map((version, number) => [version, number]));
  numbers.delete('');
  let last = -1;
  return versions.map((version) => {
    const number = numbers.get(version) ?? -1;
    if (number <= last) return undefined;
    last = number;
    return number;
  });
}

function reviseLexicon(before: SearchIndex, words: Iterable<string>): string {
  const unknown = [...words].filter((word) => findWord(before, hashWord(word)) === undefined);
  return unknown.length === 0 ? before.lexicon : buildLexicon([...listLexicon(before.lexicon), ...unknown]);
}

/** How rare a word is among the documents: near 0 for one that all have. */
export function rarityOf(index: SearchIndex, hash: number): number {
  const range = findWord(index, hash);
  return rarityIn(index, range === undefined ? 0 : range.to - range.from);
}

/** The rarity of a word that so many documents have. */
export function rarityIn({ versions }: SearchIndex, holders: number): number {
  return Math.log(1 + (versions.length - holders + 0.5) / (holders + 0.5));
}
