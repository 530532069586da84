import type { Skill } from '../../model/skill.ts';
import { bytesInMemory } from '../../parse/column-file.ts';
import { openIndexBuilder } from '../building/index-builder.ts';
import { SkillRegistry } from '../registry.ts';
import { encodeIndex, openIndex } from './index-file.ts';
import { EMPTY_INDEX } from './search-index.ts';

/** A search index over skills that live anywhere, such as in a database, and that can be kept there, too. */
export interface PortableIndex {
  /** Those of the skills whose instructions the index lacks, because they are new or their stamp is another one. */
  missing(skills: readonly Skill[]): readonly Skill[];
  /**
   * Searches these skills. The instructions of missing ones are asked for; all others are taken from the index as it is.
   * Later calls build on the result.
   */
  update(skills: readonly Skill[], bodyOf: (skill: Skill) => string): SkillRegistry;
  /** The index as bytes for `openPortableIndex`. */
  save(): Uint8Array;
}

/** Opens an index that was saved with the same `owner`; an empty one if that is damaged, or another program's. */
export function openPortableIndex(owner: string, saved?: Uint8Array): PortableIndex {
  let index = (saved && openIndex(bytesInMemory(saved), owner)) ?? EMPTY_INDEX;
  return {
    missing: (skills) => openIndexBuilder(index, skills).missing,
    update(skills, bodyOf) {
      const builder = openIndexBuilder(index, skills);
      for (const skill of builder.missing) builder.add(skill, bodyOf(skill));
      index = builder.build();
      return SkillRegistry.withIndex(skills, index);
    },
    save: () => encodeIndex(index, owner),
  };
}
