import type { Skill } from '../model/skill.ts';
import { wordsOf } from './words.ts';

/** The parts of a skill that requests are matched with; each weighs and is normalised on its own. */
export const FIELDS = ['name', 'description', 'tags', 'headings', 'body'] as const;

export type Field = (typeof FIELDS)[number];

/** The words of one skill, by field and in order. */
export type SearchDocument = Readonly<Record<Field, readonly string[]>>;

/** More of the instructions adds time, not accuracy. */
const BODY_CHARACTERS = 6_000;
const HEADINGS = 40;

export function toDocument(skill: Skill, body: string): SearchDocument {
  const { name, id, title, description, tags, triggers } = skill;
  return {
    name: wordsOf(name === id ? name : `${name} ${id}`),
    description: wordsOf(dropExclusions(description)),
    tags: wordsOf([...tags, ...triggers.keywords, ...triggers.verbs].join(' ')),
    headings: wordsOf([title, ...findHeadings(body)].join('\n')),
    body: wordsOf(body.slice(0, BODY_CHARACTERS)),
  };
}

/** "Do not use for invoices" must not make a skill the answer to invoices. */
function dropExclusions(description: string): string {
  return description.replaceAll(
    /(?:^|(?<=[.!?;\n]))\s*(?:do not|don't|not for|never|skip|avoid)[^.!?\n]*(?:[.!?\n]|$)/gi,
    ' ',
  );
}

function findHeadings(body: string): readonly string[] {
  const headings: string[] = [];
  for (const match of body.matchAll(/^#{1,4} +(.*)$/gm)) {
    headings.push(match[1] ?? '');
    if (headings.length === HEADINGS) break;
  }
  return headings;
}
