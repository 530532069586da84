import { readBody } from '../catalog/read-body.ts';
import type { SkillStore } from '../catalog/store.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import { sha256Of } from '../parse/digest.ts';
import { foldName } from '../parse/name-rules.ts';
import { likeness } from './index/sorted-set.ts';
import { openWordHasher } from './index/word-hasher.ts';
import { groupNearDuplicates, runsOf } from './near-duplicate-texts.ts';

/** Skills of which one would do, or of which one may be taken for another. */
export interface Duplicates {
  /**
   * `name`: one name, different texts. `same`: the same description and instructions, in several places or under several
   * names. `similar`: nearly the same text under several names.
   */
  readonly kind: 'name' | 'same' | 'similar';
  /** The first is the one to keep: a copy that is used comes before those that it hides. */
  readonly skills: readonly DuplicateSkill[];
}

export interface DuplicateSkill {
  readonly skill: Skill;
  /** The share of its text that it has in common with the first skill of the group: 1 is all of it. */
  readonly likeness: number;
}

/**
 * Finds the duplicates among all copies of all skills, hidden ones included. It compares descriptions and instructions,
 * not the other files. Broken skills are left out: their texts are not known.
 */
export function findDuplicates(skills: Pick<SkillStore, 'copies'>): readonly Duplicates[] {
  const hasher = openWordHasher();
  const runsByKey = new Map<string, Uint32Array>();
  const texts = skills
    .copies()
    .filter(({ status }) => status !== 'broken')
    .toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || compareText(a.file, b.file))
    .map((skill) => {
      const text = `${skill.description}\n\n${readBody(skill)}`;
      const key = sha256Of(text);
      const runs = runsByKey.get(key) ?? runsOf(text, hasher);
      runsByKey.set(key, runs);
      return { skill, key, runs };
    });
  return [...findClashes(texts), ...findSame(texts), ...findSimilar(texts)];
}

interface SkillText {
  readonly skill: Skill;
  readonly key: string;
  readonly runs: Uint32Array;
}

function isHidden({ shadowedBy }: Skill): boolean {
  return shadowedBy !== undefined;
}

function findClashes(texts: readonly SkillText[]): readonly Duplicates[] {
  const named = [...Map.groupBy(texts, ({ skill }) => foldName(skill.name)).values()];
  return named
    .filter((group) => new Set(group.map(({ key }) => key)).size > 1)
    .map((group) => ({ kind: 'name', skills: compareWithFirst(group) }));
}

function findSame(texts: readonly SkillText[]): readonly Duplicates[] {
  return [...Map.groupBy(texts, ({ key }) => key).values()]
    .filter(({ length }) => length > 1)
    .map((group) => ({ kind: 'same', skills: group.map(({ skill }) => ({ skill, likeness: 1 })) }));
}

/** One skill represents all with its text. */
function findSimilar(texts: readonly SkillText[]): readonly Duplicates[] {
  const distinct = [...new Map(texts.toReversed().map((text) => [text.key, text])).values()].toReversed();
  return groupNearDuplicates(distinct.map(({ runs }) => runs))
    .map((group) =>
      group.flatMap(({ at, likeness }) => {
        const skill = distinct[at]?.skill;
        return skill === undefined ? [] : [{ skill, likeness }];
      }),
    )
    .filter((skills) => new Set(skills.map(({ skill }) => foldName(skill.name))).size > 1)
    .map((skills) => ({ kind: 'similar', skills }));
}

function compareWithFirst(group: readonly SkillText[]): readonly DuplicateSkill[] {
  const [first] = group;
  return group.map(({ skill, key, runs }) => ({
    skill,
    likeness: first === undefined || key === first.key ? 1 : likeness(runs, first.runs),
  }));
}
