import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { exists, readOwnBytes, readOwnText } from '../../platform/files/files.ts';
import { writeWhole } from '../../platform/files/write-file.ts';
import { GENERATOR } from './page-frame.ts';
import type { SiteFile } from './plan-version.ts';
import { HISTORY_FILE } from './site-history.ts';
import { folderOf } from './site-skill.ts';

/** Writes the files that differ, in the given order, each whole. Returns their paths, sorted. */
export function writeSite(
  to: string,
  files: readonly SiteFile[],
  dryRun: boolean,
): Outcome<{ readonly paths: readonly string[] }> {
  const changed = files.filter(({ path, content }) => {
    const present = readOwnBytes(join(to, path));
    return present === undefined || !present.equals(Buffer.from(content));
  });
  for (const { path, content } of dryRun ? [] : changed) {
    const written = writeWhole(join(to, path), content);
    if (!written.ok) return written;
  }
  return { ok: true, paths: changed.map(({ path }) => path).sort() };
}

/** Fails if the folder holds a page or an index that another program or a person wrote. */
export function findStranger(
  to: string,
  { names, noPages }: { readonly names: readonly string[]; readonly noPages: boolean },
): Failure | undefined {
  const foreign = names.find((name) => !exists(join(to, folderOf(name), HISTORY_FILE)));
  if (foreign !== undefined)
    return fail(
      'ALREADY_EXISTS',
      `the index in ${to} lists ${foreign}, which was not published by Skillplane`,
      'Publish to another folder.',
    );
  const page = noPages ? undefined : readOwnText(join(to, 'index.html'));
  if (page?.ok === true && page.text !== undefined && !page.text.includes(GENERATOR))
    return fail(
      'ALREADY_EXISTS',
      `${join(to, 'index.html')} was not written by Skillplane`,
      'Publish to another folder, or add `noPages` to leave it as it is.',
    );
  return undefined;
}
