import { MAX_NAME_LENGTH } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import type { CatalogEntry } from './catalog-format.ts';
import { harmlessLine } from './harmless.ts';
import { shortenAtClause } from './shorten.ts';

/**
 * What a model may be told of a skill. The text is made when it is asked for: in a large catalog few are. A name that
 * is longer than the specification allows is cut to that, since it would take the room of others.
 */
export function toCatalogEntry(skill: Skill, isBrief = false): CatalogEntry {
  let text: string | undefined;
  return {
    name: cutName(skill.name),
    location: skill.file,
    get text() {
      return (text ??= readText(skill, isBrief));
    },
  };
}

function readText({ description, brief }: Skill, isBrief: boolean): string {
  return harmlessLine(isBrief ? brief : description || brief);
}

export function shortenEntry({ name, text, location }: CatalogEntry, maxLength: number): CatalogEntry {
  return { name, text: shortenAtClause(text, maxLength), location };
}

function cutName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const points = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 2));
  return points.length <= MAX_NAME_LENGTH ? name : `${points.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
