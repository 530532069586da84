import { findTitle, firstProse, shorten } from '../parse/markdown.ts';
import { takeOwnFrontmatter } from './own-frontmatter.ts';

const MAX_LENGTH = 200;

/**
 * What instructions that come without a description are described by: what their own frontmatter says, else their first
 * paragraph, else their heading, else the name of the skill.
 */
export function defaultDescription(content: string, name: string): string {
  const { body, given } = takeOwnFrontmatter(content);
  const said = given.description?.trim() ?? '';
  return said === '' ? shorten(firstProse(body) || findTitle(body) || name, MAX_LENGTH) : said;
}
