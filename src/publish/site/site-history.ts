import { join } from 'node:path';

import { parseJson } from '../../model/json.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { INDEX_FILE } from './render-index.ts';
import { folderOf, type SiteVersion } from './site-skill.ts';

/** The versions of one skill that a site has; newest first. */
export type History = readonly SiteVersion[];

/** The file that remembers the versions of a skill. */
export const HISTORY_FILE = 'versions.json';

export function renderHistory(name: string, versions: History): string {
  return `${JSON.stringify({ name, versions }, undefined, 2)}\n`;
}

/** Empty if the skill was never published there. */
export function readHistory(to: string, name: string): Outcome<{ readonly versions: History }> {
  const path = join(to, folderOf(name), HISTORY_FILE);
  const read = readOwnText(path);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, versions: [] };
  const versions = parseVersions(read.text);
  return versions === undefined ? unreadable(path) : { ok: true, versions };
}

/** The names that the index of a site lists; empty without an index. */
export function readListed(to: string): Outcome<{ readonly names: readonly string[] }> {
  const path = join(to, INDEX_FILE);
  const read = readOwnText(path);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, names: [] };
  const skills = fieldOf(parseJson(read.text), 'skills');
  if (!Array.isArray(skills)) return unreadable(path);
  return { ok: true, names: skills.map((entry) => fieldOf(entry, 'name')).filter((name) => typeof name === 'string') };
}

function unreadable(path: string): Failure {
  return fail('STORE_FAILED', `${path} is not as it was published`, 'Restore it, or publish to an empty folder.');
}

function parseVersions(text: string): History | undefined {
  const listed = fieldOf(parseJson(text), 'versions');
  if (!Array.isArray(listed)) return undefined;
  const versions = listed.filter(isVersion);
  return versions.length === listed.length ? versions : undefined;
}

function isVersion(value: unknown): value is SiteVersion {
  const isText = (key: string): boolean => typeof fieldOf(value, key) === 'string';
  const type = fieldOf(value, 'type');
  return (
    ['version', 'file', 'digest', 'skillDigest'].every(isText) &&
    typeof fieldOf(value, 'size') === 'number' &&
    (type === 'archive' || type === 'skill-md')
  );
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
