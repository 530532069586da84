import { basename, dirname, join } from 'node:path';

import type { ConfigReading } from '../config/read-config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { once } from '../model/once.ts';
import { compareText } from '../model/order.ts';
import type { SourceRoot } from '../model/source.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { normalizeText, readFrontmatter } from '../parse/frontmatter.ts';
import type { Environment } from '../platform/environment.ts';
import { isInside, listDirectory, realPath } from '../platform/files/files.ts';
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

export interface CommandFiles {
  /** Sorted by name. */
  readonly commands: readonly CommandFile[];
  /** Why other files in these folders give no command, and the flaws of those that do. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Skills that were scanned, with the configuration of the scan: a store or an engine. */
export interface ScannedSkills {
  readonly environment: Environment;
  readonly catalog: () => { readonly reading: ConfigReading };
}

/**
 * Reads the commands in the `commands` folders that stand beside the `skills` folders of agents whose sources are on. Of two
 * with one name, that of the source with the higher priority counts. Finds none if a setting switches them off.
 */
export function discoverCommandFiles({ environment, catalog }: ScannedSkills): CommandFiles {
  const { config } = catalog().reading;
  if (!config.enabled || !config.enableCommandFiles) return { commands: [], diagnostics: [] };
  const found = new Map<string, CommandFile>();
  const diagnostics: Diagnostic[] = [];
  for (const root of resolveSources(config, environment).roots.filter(hasCommands)) {
    const folder = readFolder(root);
    diagnostics.push(...folder.diagnostics);
    for (const command of folder.commands) {
      const winner = found.get(command.name);
      if (winner === undefined) found.set(command.name, command);
      else diagnostics.push(flaw('SHADOWED', command.path, `${winner.path} has the same name and comes first`));
    }
  }
  return { commands: [...found.values()].sort((a, b) => compareText(a.name, b.name)), diagnostics };
}

/** Only folders of agents: `./skills` has no agent's folder around it, and custom directories may be anywhere. */
function hasCommands({ path, layout, level, group }: SourceRoot): boolean {
  if (layout !== 'skills' || level === 'bundled' || group === 'Custom' || group === 'Plugin') return false;
  return basename(path) === 'skills' && (level === 'user' || basename(dirname(path)).startsWith('.'));
}

/** The most files that are read from one folder. */
const MAX_FILES = 500;

function readFolder({ path, level, boundary }: SourceRoot): CommandFiles {
  const dir = join(dirname(path), 'commands');
  const realDir = realPath(dir);
  const realBoundary = boundary === undefined ? undefined : realPath(boundary);
  if (realDir === undefined) return { commands: [], diagnostics: [] };
  if (realBoundary !== undefined && (realDir === realBoundary || !isInside(realDir, realBoundary)))
    return { commands: [], diagnostics: [flaw('LINK_REFUSED', dir, 'it is a link that leaves the project')] };
  const listing = listDirectory(realDir);
  if (listing.state !== 'listed') {
    const reason = listing.state === 'unreadable' ? listing.reason : 'it is not a folder';
    return { commands: [], diagnostics: [flaw('SOURCE_UNREADABLE', dir, reason)] };
  }
  const seen = listing.entries.filter(({ name }) => !name.startsWith('.'));
  const names = seen.flatMap(({ name, kind }) => (name.endsWith('.md') && kind !== 'directory' ? [name] : []));
  const commands: CommandFile[] = [];
  const diagnostics = seen
    .filter(({ kind }) => kind === 'directory')
    .map(({ name }) => flaw('MISPLACED_SKILL', join(dir, name), 'commands in folders of their own are not offered'));
  for (const name of names.slice(0, MAX_FILES)) {
    const place: Place = { path: join(dir, name), level: level === 'project' ? 'project' : 'user' };
    const read = readCommand(realDir, name, place);
    commands.push(...('command' in read ? [read.command] : []));
    diagnostics.push(...read.diagnostics);
  }
  if (names.length > MAX_FILES)
    diagnostics.push(flaw('SCAN_LIMIT', dir, `of its ${names.length} files, only the first ${MAX_FILES} are read`));
  return { commands, diagnostics };
}

type Place = Pick<CommandFile, 'path' | 'level'>;

interface CommandReading {
  readonly command?: CommandFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** Names that can be typed after a slash; `skill:` begins our own commands. */
const commandName = once(() => /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u);

function readCommand(realDir: string, name: string, place: Place): CommandReading {
  const refuse = (code: Diagnostic['code'], message: string): CommandReading => ({
    diagnostics: [flaw(code, place.path, message)],
  });
  if (!commandName().test(name))
    return refuse('INVALID_NAME', 'it is no command: rename it to letters, digits, dots, hyphens and underscores');
  const read = readInside(realDir, name, { maxBytes: MAX_SKILL_FILE_BYTES, within: 'its folder' });
  if (!read.ok) return refuse('FILE_UNREADABLE', read.message);
  const text = decodeStrictly(read.bytes);
  if (text === undefined) return refuse('INVALID_ENCODING', 'it is not valid UTF-8; save it as UTF-8');
  return parseCommand(text, place);
}

function parseCommand(text: string, place: Place): CommandReading {
  const { map, split, faults, isRecovered } = readFrontmatter(normalizeText(text));
  const given = map?.get('description');
  const firstLine = split.body.split('\n').find((line) => line.trim() !== '') ?? '';
  const command = {
    ...place,
    name: basename(place.path, '.md'),
    description: typeof given === 'string' && given !== '' ? given : firstLine.replace(/^#+ */, ''),
    isDeclared: map?.has('argument-hint') === true || map?.has('arguments') === true,
    body: split.body,
  };
  const [fault] = faults;
  if (fault === undefined) return { command, diagnostics: [] };
  const message = `its frontmatter is invalid YAML${isRecovered ? ', read as intended' : ' and is not used'}: ${fault.message}`;
  const code = isRecovered ? 'YAML_RECOVERED' : 'YAML_INVALID';
  return { command, diagnostics: [{ ...flaw(code, place.path, message), line: fault.line }] };
}

function flaw(code: Diagnostic['code'], path: string, message: string): Diagnostic {
  return { code, severity: code === 'SHADOWED' || code === 'MISPLACED_SKILL' ? 'info' : 'warning', path, message };
}
