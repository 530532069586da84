import type { Skill } from '../../model/skill.ts';
import { toDocument, type SearchDocument } from './document.ts';
import { NO_GLOSSARY, type Glossary } from './glossary.ts';
import { reviseIndex, type NextDocument, type SearchIndex } from './search-index.ts';
import { isVersionOf, listVersions, openVersionFinder } from './versions.ts';
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

export function openIndexBuilder(
  before: SearchIndex,
  skills: readonly Skill[],
  glossary: Glossary = NO_GLOSSARY,
): IndexBuilder {
  const isSame =
    skills.length === before.versions.count && skills.every((skill, at) => isVersionOf(before.versions, at, skill));
  if (isSame) return { missing: [], add: () => undefined, build: () => before };
  const numbers = skills.map(openVersionFinder(before.versions));
  const reader = { words: openWordReader(), glossary };
  const added = new Map<Skill, SearchDocument>();
  return {
    missing: skills.filter((_, at) => numbers[at] === undefined),
    add(skill, body) {
      added.set(skill, toDocument(skill, body, reader));
    },
    build() {
      return reviseIndex(before, {
        versions: listVersions(skills, (skill, at) => numbers[at] !== undefined || added.has(skill)),
        documents: skills.map(
          (skill, at): NextDocument => added.get(skill) ?? numbers[at] ?? toDocument(skill, '', reader),
        ),
        words: reader.words.words,
      });
    },
  };
}
