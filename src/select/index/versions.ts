import type { Skill } from '../../model/skill.ts';

/**
 * Which version of which skill each document of an index is of. All of it is in a few long values, so that opening it
 * decodes nothing, and comparing takes no memory.
 */
export interface Versions {
  readonly count: number;
  /** The subjects of all documents, one after the other, and where each starts and the last one ends. */
  readonly subjects: string;
  readonly starts: Uint32Array;
  /** Four numbers for each document. NaN among them equals nothing: the document lacks its instructions. */
  readonly stamps: Float64Array;
}

const STAMP_NUMBERS = 4;

/** The versions of these skills, in their order. `isRead` tells which of them have their instructions in the index. */
export function listVersions(skills: readonly Skill[], isRead: (skill: Skill, at: number) => boolean): Versions {
  const subjects = skills.map(subjectOf);
  const starts = new Uint32Array(skills.length + 1);
  const stamps = new Float64Array(STAMP_NUMBERS * skills.length);
  for (const [at, skill] of skills.entries()) {
    const { mtimeMs, ctimeMs, size, ino } = skill.stamp;
    starts[at + 1] = (starts[at] ?? 0) + (subjects[at]?.length ?? 0);
    stamps.set([mtimeMs, isRead(skill, at) ? ctimeMs : Number.NaN, size, ino], STAMP_NUMBERS * at);
  }
  return { count: skills.length, subjects: subjects.join(''), starts, stamps };
}

/** Is a document of this very version of the skill, with its instructions? */
export function isVersionOf({ subjects, starts, stamps }: Versions, number: number, skill: Skill): boolean {
  const at = STAMP_NUMBERS * number;
  const { mtimeMs, ctimeMs, size, ino } = skill.stamp;
  const isStamped =
    stamps[at] === mtimeMs && stamps[at + 1] === ctimeMs && stamps[at + 2] === size && stamps[at + 3] === ino;
  if (!isStamped) return false;
  const subject = subjectOf(skill);
  const start = starts[number] ?? 0;
  return starts[number + 1] === start + subject.length && subjects.startsWith(subject, start);
}

/** Finds the document of this very version of a skill, if there is one. */
export function openVersionFinder(versions: Versions): (skill: Skill) => number | undefined {
  const { count, subjects, starts } = versions;
  const numbers = new Map<string, number>();
  for (let number = 0; number < count; number += 1)
    numbers.set(subjects.slice(starts[number], starts[number + 1]), number);
  return (skill) => {
    const number = numbers.get(subjectOf(skill));
    return number !== undefined && isVersionOf(versions, number, skill) ? number : undefined;
  };
}

/** The name of an installed skill does not come from its file. */
function subjectOf({ file, name, origin }: Skill): string {
  return origin === undefined ? file : `${file}\0${name}`;
}
