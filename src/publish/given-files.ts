import { judgeTree } from '../install/staging/judge-tree.ts';
import type { RefusedEntry } from '../model/folder.ts';
import { MAX_PLUGIN_FILE_BYTES } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { FileContent } from '../parse/digest.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { listInside } from '../platform/files/list-inside.ts';

/** The files of a skill that others are given. */
export interface GivenFiles {
  readonly files: readonly FileContent[];
  /** Entries that are left out on purpose. */
  readonly leftOut: readonly RefusedEntry[];
}

/** Data of version control and of systems, which are no part of a skill. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '__MACOSX',
  '__pycache__',
]);

/** Reads every file of a skill's folder. Fails if one could not be installed anywhere: a link, a name that clashes, a size. */
export function readGivenFiles(dir: string): Outcome<GivenFiles> {
  const realDir = realPath(dir) ?? dir;
  const listed = listInside(realDir, { leaveOut: LEFT_OUT });
  const leftOut = listed.refused.filter(({ kind }) => kind === 'left-out');
  const refused = listed.refused.filter((entry) => !leftOut.includes(entry));
  if (refused.length > 0) return refuse(dir, refused);
  const { faults } = judgeTree(listed.files.map((file) => ({ ...file, kind: 'file', id: file.path })));
  if (faults.length > 0) return refuse(dir, faults);
  const files: FileContent[] = [];
  for (const { path, executable } of listed.files) {
    const read = readInside(realDir, path, { maxBytes: MAX_PLUGIN_FILE_BYTES });
    if (!read.ok) return fail(read.code, `${dir}: ${path}: ${read.message}`);
    files.push({ path, executable, bytes: read.bytes });
  }
  return { ok: true, files, leftOut };
}

function refuse(dir: string, entries: readonly Pick<RefusedEntry, 'path' | 'reason'>[]): Failure {
  const named = entries.map(({ path, reason }) => (path === '' ? reason : `${JSON.stringify(path)} ${reason}`));
  return fail('PATH_REFUSED', `cannot publish ${dir}: ${listSome(named, { most: 5, separator: '; ' })}`, {
    advice: 'Only regular files with portable names can be published. Remove or rename these.',
  });
}
