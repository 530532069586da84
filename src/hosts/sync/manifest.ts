import { join } from 'node:path';

import { AGENT_IDS, type AgentId } from '../../model/agents.ts';
import { parseJson } from '../../model/json.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { sha256Of } from '../../parse/digest.ts';
import { readOwnText } from '../../platform/files/files.ts';
import type { ForeignEntry } from '../editing/foreign-entry.ts';
import type { Swap } from '../editing/text-changes.ts';
import type { SyncScope } from '../host.ts';

/** Everything that sync made, for one scope. It touches nothing else. */
export interface SyncManifest {
  /** The hosts that are kept in step. */
  readonly hosts: readonly AgentId[];
  readonly entries: readonly OwnEntry[];
  readonly switches: readonly OwnSwitch[];
  /** The settings files that hold our switches. */
  readonly files: readonly EditedFile[];
  /** Folders that were made for entries and files, outermost first. They are removed again if they are empty. */
  readonly folders: readonly string[];
}

/** A link or a copy in a folder of hosts. */
export interface OwnEntry {
  readonly path: string;
  readonly skill: string;
  readonly content: { readonly kind: 'link'; readonly target: string } | OwnCopy;
}

export interface OwnCopy {
  readonly kind: 'copy';
  /** The folder that was copied. */
  readonly from: string;
  readonly digest: string;
}

/** A switch in a settings file of a host. */
export interface OwnSwitch {
  readonly host: AgentId;
  readonly skill: string;
  readonly file: string;
  readonly entry: ForeignEntry;
}

export interface EditedFile {
  readonly path: string;
  /** False if there was no such file. */
  readonly existed: boolean;
  /** Our changes of it, the first one first. Absent in manifests of earlier versions. */
  readonly changes?: readonly Swap[] | undefined;
  /** The copy that was made before the first change. */
  readonly backup?: string | undefined;
}

export const EMPTY_MANIFEST: SyncManifest = {
  hosts: [],
  entries: [],
  switches: [],
  files: [],
  folders: [],
};

/** The same in the order in which it is written. */
export function sortManifest(manifest: SyncManifest): SyncManifest {
  const byText =
    <T>(textOf: (item: T) => string) =>
    (a: T, b: T): number =>
      compareText(textOf(a), textOf(b));
  return {
    hosts: AGENT_IDS.filter((id) => manifest.hosts.includes(id)),
    entries: [...manifest.entries].sort(byText(({ path }) => path)),
    switches: [...manifest.switches].sort(
      byText(({ file, skill, host, entry }) => JSON.stringify([file, skill, host, entry])),
    ),
    files: [...manifest.files].sort(byText(({ path }) => path)),
    folders: [...new Set(manifest.folders)].sort(),
  };
}

/** The manifest of the user, or of a project. It lies in the user's own folder: a clone cannot bring one. */
export function manifestFile(agentHome: string, scope: SyncScope, project: string): string {
  const name =
    scope === 'user' ? 'user' : `project-${sha256Of(project).slice('sha256:'.length, 'sha256:'.length + 16)}`;
  return join(syncFolder(agentHome), `${name}.json`);
}

export function syncFolder(agentHome: string): string {
  return join(agentHome, 'sync');
}

const FORMAT = 1;

export function renderSyncManifest(manifest: SyncManifest): string {
  return `${JSON.stringify({ version: FORMAT, ...manifest }, undefined, 2)}\n`;
}

/** Reads a manifest; there is an empty one if nothing was synced yet. */
export function readSyncManifest(
  file: string,
): Outcome<{ readonly manifest: SyncManifest; readonly isThere: boolean }> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, manifest: EMPTY_MANIFEST, isThere: false };
  const content = parseJson(read.text);
  if (!isManifest(content))
    return fail('STORE_FAILED', `${file} cannot be read as the list of what sync made`, {
      ask: 'user',
      to: 'Restore it from a backup; without it, sync cannot tell its own entries from those of others.',
    });
  const { hosts, entries, switches, files, folders } = content;
  return { ok: true, manifest: { hosts, entries, switches, files, folders }, isThere: true };
}

function isManifest(value: unknown): value is SyncManifest {
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== FORMAT) return false;
  if (!('hosts' in value && 'entries' in value && 'switches' in value)) return false;
  if (!('files' in value && 'folders' in value)) return false;
  const { hosts, entries, switches, files, folders } = value;
  return (
    isListOf(hosts, (host) => AGENT_IDS.some((id) => id === host)) &&
    isListOf(entries, (entry) => hasTexts(entry, ['path', 'skill']) && hasObject(entry, 'content')) &&
    isListOf(switches, (entry) => hasTexts(entry, ['host', 'skill', 'file']) && hasObject(entry, 'entry')) &&
    isListOf(files, (file) => hasTexts(file, ['path'])) &&
    isListOf(folders, isText)
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function hasTexts(value: unknown, keys: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && keys.every((key) => isText(Reflect.get(value, key)));
}

function hasObject(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, key) === 'object';
}
