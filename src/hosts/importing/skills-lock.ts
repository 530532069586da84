import { resolve } from 'node:path';

import type { ForeignOrigin } from '../../model/foreign-skill.ts';
import { parseJson } from '../../model/json.ts';
import { textAt, valueAt, type Json } from '../history/json-value.ts';
import { objectOf } from '../seeing/settings-file.ts';
import { flaw, folderOfFile, readNamed, type ForeignRecords } from './foreign-records.ts';

export interface LockPlace {
  /** The lock's path. */
  readonly file: string;
  /** The folder to which relative addresses of the lock belong. */
  readonly base: string;
  /** The folder of a skill, by its name. */
  readonly folderOf: (name: string) => string;
}

/** Reads the lock of the program `skills`: `.skill-lock.json` of a user, `skills-lock.json` of a project (seen in 1.5.18). */
export function parseSkillsLock(text: string, { file, base, folderOf }: LockPlace): ForeignRecords {
  const entries = valueAt(parseJson(text), 'skills');
  if (typeof entries !== 'object' || entries === null)
    return { skills: [], diagnostics: [flaw(file, 'it is not a lock of the program skills')] };
  return readNamed(file, objectOf(entries), (name, entry) => {
    if (typeof entry !== 'object' || entry === null) return 'its entry is not an object';
    return { name, tool: 'skills', folder: folderOf(name), from: readOrigin(name, entry, base) };
  });
}

function readOrigin(name: string, entry: Json, base: string): ForeignOrigin | undefined {
  const type = textAt(entry, 'sourceType');
  const given = textAt(entry, 'sourceUrl') ?? textAt(entry, 'source');
  if (given === undefined) return undefined;
  const ref = textAt(entry, 'ref');
  // The lock has the address of the file; the site's index, which stands above it, lists its skills by name.
  if (type === 'well-known') return { address: given.replace(/\/\.well-known\/.*$/, ''), path: name };
  const address = type === 'local' ? resolve(base, given) : given;
  const path = folderOfFile(textAt(entry, 'skillPath') ?? '');
  return { address, path, ...(ref !== undefined && { ref }) };
}
