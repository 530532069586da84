import { formatSkillUrl } from '../activate/skill-url.ts';
import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { shortenDescription } from './description-parts.ts';
import type { CatalogEntry } from './formats/catalog-format.ts';
import type { PathOptions } from './formats/inlined-skill.ts';
import { harmlessLine } from './harmless.ts';

interface EntryOptions extends PathOptions {
  /** Shows the brief description instead of the full one. */
  readonly isBrief?: boolean;
}

/**
 * A skill as a model may see it. The text is computed on first use, because a large catalog shows few. Names longer than
 * the specification allows are cut, because they would take the room of others.
 */
export function toCatalogEntry(skill: Skill, { isBrief = false, hidePaths = false }: EntryOptions = {}): CatalogEntry {
  let text: string | undefined;
  return {
    name: cutName(skill.name),
    location: hidePaths || isFromSource(skill) ? formatSkillUrl(skill.name) : skill.file,
    get text() {
      return (text ??= readText(skill, isBrief));
    },
  };
}

function readText({ description, brief }: Skill, isBrief: boolean): string {
  return harmlessLine(isBrief ? brief : description || brief);
}

export function shortenEntry({ name, text, location }: CatalogEntry, maxLength: number): CatalogEntry {
  return { name, text: shortenDescription(text, maxLength), location };
}

function cutName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const points = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 2));
  return points.length <= MAX_NAME_LENGTH ? name : `${points.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
