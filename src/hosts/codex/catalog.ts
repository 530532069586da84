import { relative } from 'node:path';

import { realPath } from '../../platform/files/files.ts';
import type { HostPlace } from '../host.ts';
import type {
  HostCatalogEntry,
  CatalogRequest,
  CatalogRoom,
  HostCatalog,
  HostSkill,
  ListedSkill,
  ShownDescription,
} from '../seeing/host-skill.ts';
import { readCodexSettings, skillsTable } from './settings.ts';

/** Seen in 0.166.0. */
const WINDOW_PERCENT = 2;
const DEFAULT_WINDOW = 272_000;
const MOST_CONFIGURED_TOKENS = 10_000;
const BYTES_PER_TOKEN = 4;
const MAX_DESCRIPTION_LENGTH = 1_024;

/**
 * All lines in full if they fit. Else, if all names fit, the room that is left is dealt out one character per skill and
 * round. Else names alone, as many as fit.
 */
export function layOutCodex(skills: readonly ListedSkill[], place: HostPlace, request: CatalogRequest): HostCatalog {
  const settings = readCodexSettings(place);
  const table = skillsTable(settings);
  if (table['include_instructions'] === false) return { entries: skills.map(({ skill }) => omit(skill, SILENT)) };
  const lines = skills.map(({ skill }) => layOutLine(skill));
  const needed = sum(lines.map(({ full }) => full));
  const room = { ...findRoom(table, settings.values['model_context_window'], request), needed };
  const least = sum(lines.map(({ short }) => short));
  if (needed <= room.limit) return { entries: lines.map(({ entry }) => entry), room };
  if (least > room.limit) return { entries: listNames(lines, room), room };
  const shown = dealOut(lines, room.limit - least);
  return { entries: lines.map((line, at) => shorten(line, shown[at] ?? 0, room)), room };
}

const SILENT = {
  because: 'skills.include_instructions is false, so no skill is listed',
  remedy: 'Remove that line from config.toml.',
};

interface Line {
  readonly entry: HostCatalogEntry;
  readonly characters: readonly string[];
  /** Tokens of the whole line and of the line without a description. */
  readonly full: number;
  readonly short: number;
  /** Bytes of the line without a description. */
  readonly bytes: number;
}

function layOutLine(skill: HostSkill): Line {
  const { text, cut } = describeForCodex(skill);
  const path = relative(realPath(skill.root.path) ?? skill.root.path, skill.file);
  const bytes = Buffer.byteLength(`- ${skill.name}: (file: r0/${path})\n`);
  const full = text === '' ? bytes : bytes + 1 + Buffer.byteLength(text);
  return {
    entry: { skill, text, isListed: true, ...(cut === undefined ? {} : { cut }) },
    characters: Array.from(text),
    full: tokens(full),
    short: tokens(bytes),
    bytes,
  };
}

/** The description, up to a limit. */
export function describeForCodex({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  const whole = Array.from(description);
  if (whole.length <= MAX_DESCRIPTION_LENGTH) return { text: description };
  const because = `its description has ${whole.length} characters, and only ${MAX_DESCRIPTION_LENGTH} are shown`;
  const cut = { because, remedy: 'Say what it is for in the first sentences.' };
  return { text: `${whole.slice(0, MAX_DESCRIPTION_LENGTH - 3).join('')}...`, cut };
}

/** How many characters of each description are shown. */
function dealOut(lines: readonly Line[], room: number): readonly number[] {
  const shown = lines.map(() => 0);
  const bytes = lines.map((line) => line.bytes);
  let left = room;
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [at, line] of lines.entries()) {
      const count = shown[at] ?? 0;
      const next = line.characters[count];
      if (next === undefined) continue;
      const before = bytes[at] ?? 0;
      const after = before + Buffer.byteLength(next) + (count === 0 ? 1 : 0);
      const cost = tokens(after) - tokens(before);
      if (cost > left) continue;
      left -= cost;
      bytes[at] = after;
      shown[at] = count + 1;
      hasChanged = true;
    }
  }
  return shown;
}

function shorten({ entry, characters }: Line, count: number, { needed, limit }: CatalogRoom): HostCatalogEntry {
  if (count >= characters.length) return entry;
  const because = `the list needs ${needed} tokens and has ${limit}, so all long descriptions are cut to about the same length`;
  return { ...entry, text: characters.slice(0, count).join(''), cut: { because, remedy: MORE_ROOM } };
}

const MORE_ROOM = 'Switch off skills that you do not use, or raise skills.max_context_tokens in config.toml.';

function listNames(lines: readonly Line[], { needed, limit }: CatalogRoom): readonly HostCatalogEntry[] {
  let used = 0;
  return lines.map(({ entry, short }) => {
    const because = `the list needs ${needed} tokens and has ${limit}, which is not even enough for all names`;
    if (used + short > limit) return omit(entry.skill, { because, remedy: MORE_ROOM });
    used += short;
    return { skill: entry.skill, text: '', isListed: true, cut: { because, remedy: MORE_ROOM } };
  });
}

function omit(skill: HostSkill, cut: HostCatalogEntry['cut']): HostCatalogEntry {
  return { skill, text: '', isListed: false, cut };
}

function findRoom(
  table: Readonly<Record<string, unknown>>,
  configured: unknown,
  { window }: CatalogRequest,
): Omit<CatalogRoom, 'needed'> {
  const given = table['max_context_tokens'];
  if (typeof given === 'number' && given > 0)
    return {
      unit: 'tokens',
      limit: Math.min(given, MOST_CONFIGURED_TOKENS),
      because: 'skills.max_context_tokens says so',
    };
  const tokenCount = window ?? (typeof configured === 'number' ? configured : DEFAULT_WINDOW);
  return {
    unit: 'tokens',
    limit: Math.max(1, Math.floor((tokenCount * WINDOW_PERCENT) / 100)),
    because: `${WINDOW_PERCENT} % of a window of ${tokenCount} tokens`,
  };
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
