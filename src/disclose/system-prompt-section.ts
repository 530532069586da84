import { listVisible } from '../catalog/view.ts';
import {
  checkCall,
  aNumber,
  optionsOf,
  skillList,
  aString,
  strings,
  type ArgumentKind,
} from '../model/check-arguments.ts';
import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import { shortenEntry, toCatalogEntry } from './catalog-entry.ts';
import { renderDiscoveryLine, renderSectionItem } from './formats/markdown.ts';

const DEFAULT_TOP = 5;

export interface SectionOptions {
  /** Number of skills listed in addition to the pinned ones. Default: 5. */
  readonly topN?: number | undefined;
  /** The tool that the last line names: one that the model has. Default: `search_skills`. */
  readonly discoveryTool?: string | undefined;
}

/** A number sets `topN`. */
export const SECTION_OPTIONS: ArgumentKind = (value, subject) =>
  typeof value === 'number' ? aNumber(value, subject) : SECTION(value, subject);

const SECTION = optionsOf<SectionOptions>({ topN: aNumber, discoveryTool: aString });

/**
 * The skills section of a system prompt: the pinned skills, the last used of the others, and how many more there are.
 * `rankedNames` lists the used skills, last used first. If they are fewer than `topN`, the skills that changed last fill
 * the list, under a heading of their own. Null if a model may use no skill.
 */
export function systemPromptSection(
  skills: readonly Skill[],
  rankedNames: readonly string[] = [],
  options: number | SectionOptions = {},
): string | null {
  checkCall('systemPromptSection(skills, rankedNames?, options?)', {
    skills: [skills, skillList],
    rankedNames: [rankedNames, strings],
    options: [options, SECTION_OPTIONS],
  });
  const { topN, discoveryTool } = toOptions(options);
  const { pinned, lastUsed, recent, others } = chooseForSection(skills, rankedNames, topN);
  const parts = [
    renderList('Pinned skills', pinned),
    renderList('Last used skills', lastUsed),
    renderList('Recently changed skills', recent),
    others.length === 0 ? '' : renderDiscoveryLine(others.length, discoveryTool),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join('\n\n');
}

/** A number sets `topN`. */
export function toOptions(options: number | SectionOptions): SectionOptions {
  return typeof options === 'number' ? { topN: options } : options;
}

/** The skills that a model may use, by their part of the section. */
export interface SectionChoice {
  readonly pinned: readonly Skill[];
  readonly lastUsed: readonly Skill[];
  /** Never used; last changed first. */
  readonly recent: readonly Skill[];
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
  const most = Math.max(0, topN);
  const used = pickNamed(visible, rankedNames).filter((skill) => !skill.pinned);
  const isUsed = new Set(used);
  const unused = visible.filter((skill) => !skill.pinned && !isUsed.has(skill));
  const lastUsed = used.slice(0, most);
  const recent = unused.sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs).slice(0, most - lastUsed.length);
  const shown = new Set([...pinned, ...lastUsed, ...recent]);
  return { pinned, lastUsed, recent, others: visible.filter((skill) => !shown.has(skill)) };
}

/** In the order of the names; drops unknown and repeated ones. */
function pickNamed(skills: readonly Skill[], names: readonly string[]): readonly Skill[] {
  const known = new Map(skills.map((skill) => [skill.name, skill]));
  return [...new Set(names)].flatMap((name) => known.get(name) ?? []);
}

function renderList(heading: string, skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const entries = skills.map((skill) => shortenEntry(toCatalogEntry(skill), MAX_DESCRIPTION_LENGTH));
  return `## ${heading}\n${entries.map(renderSectionItem).join('')}`;
}
