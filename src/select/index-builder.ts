import type { Skill } from '../model/skill.ts';
import { toDocument, type SearchDocument } from './document.ts';
import { reviseIndex, type NextDocument, type SearchIndex } from './search-index.ts';
import { openWordReader } from './words.ts';

/** Builds the index of some skills from an earlier one. Only new and changed skills are read. */
export interface IndexBuilder {
  /** Skills whose instructions are not in the earlier index. */
  readonly missing: readonly Skill[];
  add(skill: Skill, body: string): void;
  /**
   * The index of all skills, in their order. A missing skill that was not added is indexed without its instructions,
   * and is missing again the next time.
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

/** A file written just now has a stamp that equals no other, so its entry is not reused. */
function versionOf({ file, name, origin, stamp: { mtimeMs, ctimeMs, size, ino } }: Skill): string {
  // The name of an installed skill does not come from its file.
  const subject = origin === undefined ? file : `${file}\0${name}`;
  return Number.isNaN(ctimeMs) ? UNREAD : `${subject}\0${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}
