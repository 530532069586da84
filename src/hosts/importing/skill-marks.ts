import { join } from 'node:path';

import type { ForeignOrigin, ForeignSkill } from '../../model/foreign-skill.ts';
import { parseJson } from '../../model/json.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { listDirectory, realPath } from '../../platform/files/files.ts';
import { readInside } from '../../platform/files/inside.ts';
import { textAt, type Json } from '../history/json-value.ts';
import { flaw, folderOfFile, joinRecords, NO_RECORDS, tidyFolder, type ForeignRecords } from './foreign-records.ts';

/** Looks in the skills of a folder for what openskills and `gh skill` write into them. */
export function readSkillMarks(root: string): ForeignRecords {
  const listing = listDirectory(root);
  if (listing.state !== 'listed') return NO_RECORDS;
  const names = listing.entries.map(({ name }) => name).filter(isFolderName);
  return joinRecords(names.toSorted().map((name) => readMarks(name, join(root, name))));
}

function readMarks(name: string, folder: string): ForeignRecords {
  const real = realPath(folder);
  if (real === undefined) return NO_RECORDS;
  const mark = readInside(real, OPENSKILLS_FILE, { maxBytes: MAX_MARK_BYTES });
  if (mark.ok) return parseOpenskills(Buffer.from(mark.bytes).toString(), { name, folder });
  const manifest = readInside(real, 'SKILL.md', { maxBytes: MAX_SKILL_FILE_BYTES });
  return manifest.ok ? parseGhSkill(manifest.bytes, { name, folder }) : NO_RECORDS;
}

type MarkedFolder = Pick<ForeignSkill, 'name' | 'folder'>;

/** The file that openskills puts into each skill (seen in 1.5.0). */
const OPENSKILLS_FILE = '.openskills.json';
const MAX_MARK_BYTES = 65_536;

export function parseOpenskills(text: string, { name, folder }: MarkedFolder): ForeignRecords {
  const mark = parseJson(text);
  if (typeof mark !== 'object' || mark === null)
    return { skills: [], diagnostics: [flaw(join(folder, OPENSKILLS_FILE), 'it is not an object in JSON')] };
  return { skills: [{ name, tool: 'openskills', folder, from: readOpenskills(mark) }], diagnostics: [] };
}

function readOpenskills(mark: Json): ForeignOrigin | undefined {
  const local = textAt(mark, 'localPath');
  if (textAt(mark, 'sourceType') === 'local') return local === undefined ? undefined : { address: local, path: '' };
  const address = textAt(mark, 'repoUrl');
  return address === undefined ? undefined : { address, path: tidyFolder(textAt(mark, 'subpath') ?? '') };
}

const GH_ADDRESS = 'github-repo';

/** `gh skill` writes where a skill came from into the `metadata` of its frontmatter, and no commit. */
export function parseGhSkill(bytes: Uint8Array, { name, folder }: MarkedFolder): ForeignRecords {
  // Parsing every skill of a folder would take seconds.
  if (!Buffer.from(bytes).includes(GH_ADDRESS)) return NO_RECORDS;
  const parsed = parseSkill(bytes, { dir: folder, file: 'SKILL.md' });
  const metadata = parsed.ok ? parsed.skill.metadata : {};
  const address = textAt(metadata, GH_ADDRESS);
  if (address === undefined) return NO_RECORDS;
  const ref = textAt(metadata, 'github-ref')?.replace(/^refs\/(?:heads|tags)\//, '');
  const from = { address, ref, path: folderOfFile(textAt(metadata, 'github-path') ?? '') };
  return { skills: [{ name, tool: 'gh skill', folder, from }], diagnostics: [] };
}
