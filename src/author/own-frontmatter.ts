import { listOf, splitAtCommas, textOf } from '../parse/fields.ts';
import { normalizeText } from '../parse/frontmatter.ts';
import { readFrontmatter } from '../parse/read-frontmatter.ts';
import type { SkillChanges } from './skill-draft.ts';

/** What a body that begins with a frontmatter of its own means. */
export interface OwnFrontmatter {
  readonly body: string;
  /** What is taken from it where the draft says nothing. */
  readonly given: SkillChanges;
  /** Its other fields, sorted. */
  readonly leftOut: readonly string[];
}

const NO_REPORT = (): void => undefined;
/** What describes a skill and decides nothing: neither what an agent may do nor whether the skill is always shown. */
const TAKEN = new Set(['compatibility', 'description', 'domain', 'license', 'name', 'tags', 'version']);

/**
 * Models often write a whole SKILL.md where its body is asked for. Two frontmatters are never meant: a leading one that
 * says a skill's name or description is taken off the body. Any other `---` is a rule in the text.
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
