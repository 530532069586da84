import { listOf, splitAtCommas, textOf } from '../parse/fields.ts';
import { normalizeText, readFrontmatter } from '../parse/frontmatter.ts';
import { findTitle, firstProse, shorten } from '../parse/markdown.ts';
import type { SkillChanges } from './skill-draft.ts';

/** A body that was given as a whole SKILL.md, split into its parts. */
export interface OwnFrontmatter {
  readonly body: string;
  /** Fields to use where the draft has none. */
  readonly given: SkillChanges;
  /** The other fields, sorted; they are not used. */
  readonly leftOut: readonly string[];
}

const NO_REPORT = (): void => undefined;
/** Descriptive fields only: none that grants an agent rights or keeps the skill in every prompt. */
const TAKEN = new Set(['compatibility', 'description', 'domain', 'license', 'name', 'tags', 'version']);

/**
 * Removes frontmatter from the start of a body, because models often write a whole SKILL.md. It is frontmatter if it
 * has a name or a description; any other `---` is a horizontal rule.
 */
export function takeOwnFrontmatter(body: string): OwnFrontmatter {
  const { split, map } = readFrontmatter(normalizeText(body));
  if (split.kind !== 'closed' || map === undefined || !(map.has('name') || map.has('description')))
    return { body, given: {}, leftOut: [] };
  const fields = { values: map, report: NO_REPORT, prefix: '' };
  const given = {
    description: textOf(fields, 'description'),
    tags: listOf(fields, 'tags', splitAtCommas),
    domain: textOf(fields, 'domain'),
    version: textOf(fields, 'version'),
    license: textOf(fields, 'license'),
    compatibility: textOf(fields, 'compatibility'),
  };
  return { body: split.body, given, leftOut: [...map.keys()].filter((key) => !TAKEN.has(key)).sort() };
}

const MAX_DEFAULT_LENGTH = 200;

/** Describes instructions that come without a description: by their own frontmatter, first paragraph, heading or name. */
export function defaultDescription(content: string, name: string): string {
  const { body, given } = takeOwnFrontmatter(content);
  const own = given.description?.trim() ?? '';
  return own === '' ? shorten(firstProse(body) || findTitle(body) || name, MAX_DEFAULT_LENGTH) : own;
}
