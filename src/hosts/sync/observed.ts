import { basename, dirname, join } from 'node:path';

import type { AgentId } from '../../model/agents.ts';
import { decodeStrictly } from '../../parse/decode.ts';
import { digestFolder } from '../../parse/digest.ts';
import {
  isInside,
  listDirectory,
  readOwnBytes,
  readOwnText,
  realPath,
  type EntryKind,
} from '../../platform/files/files.ts';
import { readLink } from '../../platform/files/folders.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { hostOf } from '../all-hosts.ts';
import type { HostPlace, NoSwitchFile, SwitchFile, SyncScope } from '../host.ts';
import type { HostSkill, SwitchState } from '../seeing/host-skill.ts';
import { readWalked } from '../seeing/read-walked.ts';

/** The disk as sync finds it: everything is read once, when it is first needed. */
export interface Observed {
  folder(path: string): ObservedFolder;
  host(id: AgentId): ObservedHost;
  /** The text of a settings file, or why it cannot be read; the text is undefined if there is no file. */
  text(path: string): { readonly text: string | undefined; readonly fault?: string };
  /** Of a skill's folder; undefined if it has none. */
  digest(dir: string): string | undefined;
}

export interface ObservedFolder {
  readonly path: string;
  /** Without links; undefined if there is no folder. */
  readonly real: string | undefined;
  readonly entries: ReadonlyMap<string, ObservedEntry>;
}

export interface ObservedEntry {
  readonly kind: EntryKind;
  /** The text of a link. */
  readonly target?: string | undefined;
  /** The folder that it is or leads to, without links; undefined for a file or a dangling link. */
  readonly dir: string | undefined;
}

export interface ObservedHost {
  readonly id: AgentId;
  readonly title: string;
  /** Where entries for it go. */
  readonly folder: string;
  /** Every folder that it reads. */
  readonly roots: readonly ObservedFolder[];
  /** How many levels below a root it finds skills. */
  readonly depth: number;
  readonly reserved: readonly string[];
  readonly countsLinks: boolean;
  readonly switchFile: SwitchFile | NoSwitchFile;
  /** A skill as the host reads it below an entry of this name. */
  read(file: string, entry: string): HostSkill;
  /** The state in which its switches hold a skill now. */
  stateOf(skill: HostSkill): SwitchState | undefined;
}

export function observe(place: HostPlace, scope: SyncScope): Observed {
  const folder = remember(readFolder);
  const observed: Observed = {
    folder,
    host: remember((id: AgentId) => observeHost(id, place, { scope, folder })),
    text: remember(readText),
    digest: remember((dir: string) => {
      const digested = digestFolder(openSkillFolder(dir));
      return digested.ok ? digested.digest : undefined;
    }),
  };
  return observed;
}

function remember<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

function readFolder(path: string): ObservedFolder {
  const real = realPath(path);
  const listing = real === undefined ? undefined : listDirectory(real);
  const entries = listing?.state === 'listed' ? listing.entries : [];
  return {
    path,
    real: listing?.state === 'listed' ? real : undefined,
    entries: new Map(entries.map(({ name, kind }) => [name, readEntry(join(real ?? path, name), kind)])),
  };
}

function readEntry(path: string, kind: EntryKind): ObservedEntry {
  if (kind === 'directory') return { kind, dir: path };
  return kind === 'link' ? { kind, target: readLink(path), dir: realPath(path) } : { kind, dir: undefined };
}

function readText(path: string): ReturnType<Observed['text']> {
  const read = readOwnText(path);
  if (!read.ok) return { text: undefined, fault: read.message };
  const isText = read.text === undefined || decodeStrictly(readOwnBytes(path) ?? Buffer.of()) !== undefined;
  return isText ? { text: read.text } : { text: undefined, fault: 'it is not valid UTF-8' };
}

function observeHost(
  id: AgentId,
  place: HostPlace,
  { scope, folder }: { readonly scope: SyncScope; readonly folder: (path: string) => ObservedFolder },
): ObservedHost {
  const host = hostOf(id);
  const { reading } = host;
  const switches = host.switch.read(place);
  const roots = host.roots(place);
  return {
    id,
    title: host.title,
    folder: host.shownIn(place, scope),
    roots: [...new Set(roots.map(({ path }) => path))].map(folder),
    depth: reading.depth,
    reserved: host.reserved,
    countsLinks: host.countsLinks === true,
    switchFile: host.switch.file(place, scope),
    read(file, entry) {
      const dir = join(dirname(dirname(file)), entry);
      const root = { path: dirname(dir), level: scope, use: 'shared' } as const;
      return readWalked({ dir, file: join(dir, basename(file)), realFile: file }, root, reading);
    },
    stateOf: (skill) => switches.stateOf(skill),
  };
}

/** The names under which a host comes across a folder below its roots. `isLeftOut` passes over single entries. */
export function listSightings(
  host: Pick<ObservedHost, 'roots' | 'depth'>,
  dir: string,
  isLeftOut: (path: string) => boolean = () => false,
): readonly string[] {
  const names = host.roots.flatMap(({ path, real, entries }) => {
    if (real === undefined) return [];
    const direct = [...entries].filter(([name, entry]) => entry.dir === dir && !isLeftOut(join(path, name)));
    const isNested = direct.length === 0 && dirname(dir) !== real && isInsideUpTo(dir, real, host.depth);
    return [...direct.map(([name]) => name), ...(isNested ? [basename(dir)] : [])];
  });
  return [...new Set(names)];
}

/** Does the folder lie below the root, no deeper than this many levels? */
export function isInsideUpTo(dir: string, root: string, depth: number): boolean {
  return dir !== root && isInside(dir, root) && dir.slice(root.length + 1).split(/[/\\]/).length <= depth;
}
