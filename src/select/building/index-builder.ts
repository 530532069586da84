import type { Skill } from '../../model/skill.ts';
import { NO_GLOSSARY, type Glossary } from '../index/glossary.ts';
import { GONE, unpackLists } from '../index/lists.ts';
import { unpackPostings } from '../index/postings.ts';
import { reviseIndex, type IndexedDocuments, type IndexPart, type SearchIndex } from '../index/search-index.ts';
import { isVersionOf, listVersions, openVersionFinder } from '../index/versions.ts';
import { openDocumentPacker, releaseColumn, type PackedDocuments } from './pack-documents.ts';

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
  const parts: PackedPart[] = [];
  const words: (readonly string[])[] = [];
  const read = new Set<Skill>();
  let added: Skill[] = [];
  let built: SearchIndex | undefined;
  const note = (part: PackedPart): PackedPart => {
    words.push(part.packed.words);
    return part;
  };
  const pack = (): void => {
    if (added.length > 0) parts.push(note({ skills: added, packed: packer.pack() }));
    added = [];
  };
  const packUnread = (): readonly PackedPart[] => {
    const unread = missing.filter((skill) => !read.has(skill));
    for (const skill of unread) packer.add(skill, '');
    return unread.length === 0 ? [] : [note({ skills: unread, packed: packer.pack() })];
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
      parts.push(note(part));
    },
    build() {
      if (built !== undefined) return built;
      pack();
      const all = [...parts, ...packUnread()];
      built = reviseIndex(before, {
        versions: listVersions(skills, (skill, at) => numbers[at] !== undefined || read.has(skill)),
        parts: [{ documents: before, numbers: invert(numbers, before.versions.count) }, ...placeParts(all, skills)],
        words: words.flat(),
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

/** Parts with the place of each document among the skills. */
function placeParts(parts: readonly PackedPart[], skills: readonly Skill[]): readonly IndexPart[] {
  const places = new Map(skills.map((skill, at) => [skill, at]));
  return parts.map(({ skills: own, packed }) => ({
    documents: unpack(packed),
    numbers: Uint32Array.from(own, (skill) => places.get(skill) ?? GONE),
    release: (column) => releaseColumn(packed, column),
  }));
}

/** For each document of the index before, its place among the skills, or `GONE`. */
function invert(numbers: readonly (number | undefined)[], count: number): Uint32Array {
  const places = new Uint32Array(count).fill(GONE);
  for (const [at, number] of numbers.entries()) if (number !== undefined) places[number] = at;
  return places;
}

/** Bounds the memory for packing, whatever the number of skills. */
const PACKED_TOGETHER = 1_024;

function unpack({ postings, name, close, closePairs, farPairs }: PackedDocuments): IndexedDocuments {
  return {
    ...unpackPostings(postings),
    name: unpackLists(name),
    close: unpackLists(close),
    closePairs: unpackLists(closePairs),
    farPairs: unpackLists(farPairs),
  };
}
