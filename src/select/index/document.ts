import type { Skill } from '../../model/skill.ts';
import { isExclusionHeading, splitExclusions } from './exclusions.ts';
import { findHeadings, splitSections } from './sections.ts';

/**
 * Where in a skill a word occurs, one bit each. `metadata`: in its name, description or tags. `instructions`: in headings or
 * text. `excluded`: among the things that the skill is not for.
 */
export const PLACES = { name: 1, metadata: 2, instructions: 4, excluded: 8 } as const;
/** The places of a word that speaks for a skill. */
export const SUPPORTING_PLACES: number = PLACES.name | PLACES.metadata | PLACES.instructions;

/** At most so many, since a word notes its sections as bits of one number. */
const SECTIONS = 32;
const HEADINGS = 40;

/** The part of a skill's record that is searched. */
export type DocumentSource = Pick<Skill, 'name' | 'id' | 'title' | 'description' | 'tags' | 'triggers'>;

export type Field = 'name' | 'description' | 'tags' | 'headings' | 'body';

/** The texts of a skill by field: one for each section of the body, one for every other field. */
export interface DocumentTexts extends Readonly<Record<Field, readonly string[]>> {
  /** Text about uses that the skill is not for. */
  readonly excluded: string;
}

export function documentTexts(skill: DocumentSource, body: string): DocumentTexts {
  const { name, id, title, tags, triggers } = skill;
  const description = splitExclusions(skill.description);
  const sections = splitSections(body, SECTIONS);
  const isExcluded = sections.map(({ heading }) => isExclusionHeading(heading));
  return {
    name: [name === id ? name : `${name} ${id}`],
    description: [description.purpose],
    tags: [[...tags, ...triggers.keywords, ...triggers.verbs].join('\n')],
    headings: [[title, ...headingsOf(body)].join('\n')],
    body: sections.map(({ text }, at) => (isExcluded[at] ? '' : text)),
    excluded: [description.excluded, ...sections.filter((_, at) => isExcluded[at]).map(({ text }) => text)].join('\n'),
  };
}

/** The key of two adjacent words. A rare collision only costs a little accuracy. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
}

function headingsOf(body: string): readonly string[] {
  const headings: string[] = [];
  for (const { title } of findHeadings(body)) {
    headings.push(title);
    if (headings.length === HEADINGS) break;
  }
  return headings;
}

/**
 * The weight of a field, its usual length in words, and the penalty for being longer. The usual length is a measured
 * constant and not the mean of the current skills, so a skill's impacts do not depend on other skills.
 */
export const FIELDS: Readonly<Record<Field, FieldWeight>> = {
  name: { weight: 7, usualLength: 2.7, penalty: 0.3, place: PLACES.name | PLACES.metadata },
  description: { weight: 2.8, usualLength: 33, penalty: 0.6, place: PLACES.metadata },
  tags: { weight: 1.75, usualLength: 12, penalty: 0.5, place: PLACES.metadata },
  headings: { weight: 0.84, usualLength: 52, penalty: 0.7, place: PLACES.instructions },
  body: { weight: 0.39, usualLength: 510, penalty: 0.56, place: PLACES.instructions },
};

interface FieldWeight {
  readonly weight: number;
  readonly usualLength: number;
  readonly penalty: number;
  readonly place: number;
}
