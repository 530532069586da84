import { listVisible } from '../catalog/view.ts';
import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import { shortenEntry, toCatalogEntry } from './catalog-entry.ts';
import { indexFormat, renderDiscoveryLine } from './formats/markdown.ts';

const DEFAULT_TOP = 5;

/**
 * The skills section of a system prompt: the pinned skills, the last used of the others, and how many more there are.
 * `rankedNames` lists the last used skills, most recent first; if it is empty, the last changed skills are shown
 * instead. Null if a model may use no skill.
 */
export function systemPromptSection(
  skills: readonly Skill[],
  rankedNames: readonly string[],
  topN: number = DEFAULT_TOP,
): string | null {
  const { pinned, lastUsed, others } = chooseForSection(skills, rankedNames, topN);
  const remaining = others.length;
  if (pinned.length + lastUsed.length + remaining === 0) return null;
  const lists = `${renderList('Skills', pinned)}${renderList('Last used skills', lastUsed)}`;
  return `${lists}${remaining === 0 ? '' : `\n\n${renderDiscoveryLine(remaining)}`}`.trimStart();
}

/** The skills that a model may use, by their part of the section. */
export interface SectionChoice {
  readonly pinned: readonly Skill[];
  readonly lastUsed: readonly Skill[];
  /** Only counted. */
  readonly others: readonly Skill[];
}

export function chooseForSection(
  skills: readonly Skill[],
  rankedNames: readonly string[],
  topN: number = DEFAULT_TOP,
): SectionChoice {
  const visible = listVisible(skills);
  const pinned = visible.filter((skill) => skill.pinned);
  const lastUsed = rank(visible, rankedNames)
    .filter((skill) => !skill.pinned)
    .slice(0, Math.max(0, topN));
  const shown = new Set([...pinned, ...lastUsed]);
  return { pinned, lastUsed, others: visible.filter((skill) => !shown.has(skill)) };
}

/** Drops unknown and repeated names. */
function rank(skills: readonly Skill[], rankedNames: readonly string[]): readonly Skill[] {
  const known = new Map(skills.map((skill) => [skill.name, skill]));
  const ranked = [...new Set(rankedNames)].flatMap((name) => known.get(name) ?? []);
  return ranked.length > 0 ? ranked : skills.toSorted((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs);
}

function renderList(heading: string, skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const entries = skills.map((skill) => shortenEntry(toCatalogEntry(skill), MAX_DESCRIPTION_LENGTH));
  return `\n## ${heading}\n${entries.map(indexFormat.entry).join('')}`;
}
