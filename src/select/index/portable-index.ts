import type { Skill } from '../../model/skill.ts';
import { SkillRegistry } from '../registry.ts';
import { decodeIndex, encodeIndex } from './index-file.ts';
import { buildIndex, EMPTY_INDEX, versionOf } from './search-index.ts';

/** A search index over skills from any place, such as a database, where it can be stored as well. */
export interface PortableIndex {
  /** Those of the skills whose instructions the index lacks, because they are new or their stamp is another one. */
  missing(skills: readonly Skill[]): readonly Skill[];
  /**
   * Searches these skills. The instructions of missing ones are asked for; all others are taken from the index as it is.
   * Later calls build on the result. Skills that stay should keep their order: one that does not is read again.
   */
  update(skills: readonly Skill[], bodyOf: (skill: Skill) => string): SkillRegistry;
  /** The index as bytes for `openPortableIndex`. */
  save(): Uint8Array;
}

/** Opens an index that was saved with the same `owner`; an empty one if that is damaged, or another program's. */
export function openPortableIndex(owner: string, saved?: Uint8Array): PortableIndex {
  let index = (saved && decodeIndex(saved, owner)) ?? EMPTY_INDEX;
  return {
    missing(skills) {
      const known = new Set(index.versions);
      known.delete('');
      return skills.filter((skill) => !known.has(versionOf(skill)));
    },
    update(skills, readBody) {
      index = buildIndex(index, skills, { readBody });
      return SkillRegistry.withIndex(skills, index);
    },
    save: () => Buffer.concat(encodeIndex(index, owner)),
  };
}
