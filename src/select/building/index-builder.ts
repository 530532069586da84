import type { Skill } from '../../model/skill.ts';
import { NO_GLOSSARY, type Glossary } from '../index/glossary.ts';
import { GONE } from '../index/lists.ts';
import { unpackPostings, type Postings } from '../index/postings.ts';
import { reviseIndex, type DocumentLists, type IndexPart, type SearchIndex } from '../index/search-index.ts';
import { isVersionOf, listVersions, openVersionFinder } from '../index/versions.ts';
import { GatheredLists } from './gathered-lists.ts';
import { openDocumentPacker, releaseColumns, type PackedDocuments } from './pack-documents.ts';

/** Builds the index of some skills from an earlier one. Only new and changed skills are read. */
export interface IndexBuilder {
  /** Skills whose instructions are not in the earlier index. */
  readonly missing: readonly Skill[];
  /** Adds a missing skill, once. */
  add(skill: Skill, body: string): void;
  /** Adds missing skills that were packed elsewhere. */
  addPacked(part: PackedPart): void;
  /**
   * The index of all skills, in their order. A missing skill that was not added is indexed without its instructions,
   * and is missing again the next time. Takes over the memory of what was added: nothing can be added afterwards, and
   * later calls return the same index.
   */
  build(): SearchIndex;
}

export function openIndexBuilder(
  before: SearchIndex,
  skills: readonly Skill[],
  glossary: Glossary = NO_GLOSSARY,
): IndexBuilder {
  const isSame =
    skills.length === before.versions.count && skills.every((skill, at) => isVersionOf(before.versions, at, skill));
  if (isSame) return { missing: [], add: () => undefined, addPacked: () => undefined, build: () => before };
  const numbers = skills.map(openVersionFinder(before.versions));
  const packer = openDocumentPacker(glossary);
  const missing = skills.filter((_, at) => numbers[at] === undefined);
  const gathered = openGathered(missing.length);
  const read = new Set<Skill>();
  let added: Skill[] = [];
  let built: SearchIndex | undefined;
  const pack = (): void => {
    if (added.length > 0) gathered.add({ skills: added, packed: packer.pack() });
    added = [];
  };
  const packUnread = (): void => {
    added = missing.filter((skill) => !read.has(skill));
    for (const skill of added) packer.add(skill, '');
    pack();
  };
  return {
    missing,
    add(skill, body) {
      packer.add(skill, body);
      read.add(skill);
      added.push(skill);
      if (added.length === PACKED_TOGETHER) pack();
    },
    addPacked(part) {
      pack();
      for (const skill of part.skills) read.add(skill);
      gathered.add(part);
    },
    build() {
      if (built !== undefined) return built;
      pack();
      packUnread();
      const old = { documents: before, numbers: invert(numbers, before.versions.count) };
      const { lists, postings, words } = gathered.place(skills);
      built = reviseIndex(before, {
        versions: listVersions(skills, (skill, at) => numbers[at] !== undefined || read.has(skill)),
        lists: [old, lists],
        postings: [old, ...postings],
        words,
      });
      return built;
    },
  };
}

/** Skills that were packed together, in the order of their documents. */
export interface PackedPart {
  readonly skills: readonly Skill[];
  readonly packed: PackedDocuments;
}

/** New documents as they come, with their lists put together. */
interface Gathered {
  /** Takes over the memory of a part. */
  add(part: PackedPart): void;
  /** The new documents with the place of each among the skills. */
  place(skills: readonly Skill[]): {
    readonly lists: IndexPart<DocumentLists>;
    readonly postings: readonly IndexPart<Postings>[];
    readonly words: Iterable<string>;
  };
}

function openGathered(most: number): Gathered {
  const lists = {
    name: new GatheredLists(most),
    close: new GatheredLists(most),
    closePairs: new GatheredLists(most),
    farPairs: new GatheredLists(most),
  };
  const parts: PackedPart[] = [];
  return {
    add(part) {
      for (const name of LIST_NAMES) {
        lists[name].add(part.packed[name]);
        releaseColumns(part.packed[name]);
      }
      parts.push(part);
    },
    place(skills) {
      const places = new Map(skills.map((skill, at) => [skill, at]));
      const numbersOf = (own: readonly Skill[]): Uint32Array =>
        Uint32Array.from(own, (skill) => places.get(skill) ?? GONE);
      const { name, close, closePairs, farPairs } = lists;
      return {
        lists: {
          documents: { name: name.all(), close: close.all(), closePairs: closePairs.all(), farPairs: farPairs.all() },
          numbers: numbersOf(parts.flatMap((part) => part.skills)),
        },
        postings: parts.map(({ skills: own, packed }) => ({
          documents: unpackPostings(packed.postings),
          numbers: numbersOf(own),
          release: () => releaseColumns(packed.postings),
        })),
        words: parts.flatMap(({ packed }) => packed.words),
      };
    },
  };
}

const LIST_NAMES = ['name', 'close', 'closePairs', 'farPairs'] as const;

/** For each document of the index before, its place among the skills, or `GONE`. */
function invert(numbers: readonly (number | undefined)[], count: number): Uint32Array {
  const places = new Uint32Array(count).fill(GONE);
  for (const [at, number] of numbers.entries()) if (number !== undefined) places[number] = at;
  return places;
}

/** Bounds the memory for packing, whatever the number of skills. */
const PACKED_TOGETHER = 1_024;
