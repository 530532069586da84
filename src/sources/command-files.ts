import { basename, dirname, join } from 'node:path';

import type { SkillsConfig } from '../model/config.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import type { SourceRoot } from '../model/source.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { normalizeText } from '../parse/frontmatter.ts';
import { readFrontmatter } from '../parse/read-frontmatter.ts';
import type { Environment } from '../platform/environment.ts';
import { isBelow, listDirectory, realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { resolveSources } from './resolve.ts';

/** A command that a person wrote for an agent, such as `.claude/commands/review.md`. */
export interface CommandFile {
  /** The file's name without `.md`. */
  readonly name: string;
  readonly description: string;
  /** True if the file announces arguments. */
  readonly isDeclared: boolean;
  readonly body: string;
  readonly path: string;
  readonly level: 'project' | 'user';
}

/** The most files that are read from one folder. */
const MAX_FILES = 500;

/**
 * The commands in the `commands` folders that stand beside the `skills` folders of agents whose sources are on. Sorted by
 * name; of two with one name, that of the source with the higher priority counts. Files that cannot be read are left out.
 */
export function findCommandFiles(config: SkillsConfig, environment: Environment): readonly CommandFile[] {
  const found = new Map<string, CommandFile>();
  for (const root of resolveSources(config, environment).roots.filter(hasCommands))
    for (const command of readFolder(root)) if (!found.has(command.name)) found.set(command.name, command);
  return [...found.values()].sort((a, b) => compareText(a.name, b.name));
}

/** Only folders of agents: `./skills` has no agent's folder around it, and custom directories may be anywhere. */
function hasCommands({ path, layout, level, group }: SourceRoot): boolean {
  if (layout !== 'skills' || level === 'bundled' || group === 'Custom' || group === 'Plugin') return false;
  return basename(path) === 'skills' && (level === 'user' || basename(dirname(path)).startsWith('.'));
}

function readFolder({ path, level, boundary }: SourceRoot): readonly CommandFile[] {
  const dir = join(dirname(path), 'commands');
  const realDir = realPath(dir);
  const realBoundary = boundary === undefined ? undefined : realPath(boundary);
  if (realDir === undefined || (realBoundary !== undefined && !isBelow(realDir, realBoundary))) return [];
  const listing = listDirectory(realDir);
  if (listing.state !== 'listed') return [];
  return listing.entries
    .filter(({ name, kind }) => NAME.test(name) && (kind === 'file' || kind === 'link'))
    .slice(0, MAX_FILES)
    .flatMap(({ name }) => {
      const read = readInside(realDir, name, { maxBytes: MAX_SKILL_FILE_BYTES });
      const text = read.ok ? decodeStrictly(read.bytes) : undefined;
      if (text === undefined) return [];
      return parseCommand(text, { path: join(dir, name), level: level === 'project' ? 'project' : 'user' });
    });
}

/** Names that can be typed after a slash; `skill:` begins our own commands. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u;

function parseCommand(text: string, place: Pick<CommandFile, 'path' | 'level'>): CommandFile {
  const { map, split } = readFrontmatter(normalizeText(text));
  const given = map?.get('description');
  const firstLine = split.body.split('\n').find((line) => line.trim() !== '') ?? '';
  return {
    ...place,
    name: basename(place.path, '.md'),
    description: typeof given === 'string' && given !== '' ? given : firstLine.replace(/^#+ */, ''),
    isDeclared: map?.has('argument-hint') === true || map?.has('arguments') === true,
    body: split.body,
  };
}
