import type { Skill } from '../model/skill.ts';
import { toDocument, type SearchDocument } from './document.ts';
import { reviseIndex, type NextDocument, type SearchIndex } from './search-index.ts';
import { openWordReader } from './words.ts';

/** Makes the index of some skills out of an earlier one; only skills that are new or changed are read. */
export interface IndexBuilder {
  /** The skills whose instructions the earlier index does not know. */
  readonly missing: readonly Skill[];
  add(skill: Skill, body: string): void;
  /**
   * The index of all the skills, in their order. Of those missing that were not added it knows what their records
   * say, and no instructions; they are missing again the next time.
   */
  build(): SearchIndex;
}

export function openIndexBuilder(before: SearchIndex, skills: readonly Skill[]): IndexBuilder {
  const versions = skills.map(versionOf);
  const isSame =
    versions.length === before.versions.length &&
    versions.every((version, number) => version !== UNREAD && version === before.versions[number]);
  if (isSame) return { missing: [], add: () => undefined, build: () => before };
  const numbers = new Map(before.versions.map((version, number) => [version, number]));
  numbers.delete(UNREAD);
  const reader = openWordReader();
  const added = new Map<Skill, SearchDocument>();
  const missing = skills.filter((_, at) => !numbers.has(versions[at] ?? ''));
  return {
    missing,
    add(skill, body) {
      added.set(skill, toDocument(skill, body, reader));
    },
    build() {
      const isWhole = (skill: Skill, at: number): boolean => added.has(skill) || numbers.has(versions[at] ?? '');
      return reviseIndex(before, {
        versions: skills.map((skill, at) => (isWhole(skill, at) ? (versions[at] ?? '') : UNREAD)),
        documents: skills.map(
          (skill, at): NextDocument =>
            added.get(skill) ?? numbers.get(versions[at] ?? '') ?? toDocument(skill, '', reader),
        ),
        words: reader.words,
      });
    },
  };
}

/** The version of a document without instructions; no skill has it. */
const UNREAD = '';

/** A file that was written only just now has a stamp that equals none: what is known of it is not believed. */
function versionOf({ file, name, origin, stamp: { mtimeMs, ctimeMs, size, ino } }: Skill): string {
  // What an installed skill is called here is not in its file.
  const subject = origin === undefined ? file : `${file}\0${name}`;
  return Number.isNaN(ctimeMs) ? UNREAD : `${subject}\0${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}
