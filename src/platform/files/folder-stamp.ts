import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';

/**
 * A text that changes whenever anything in the folder does: names, contents, permissions, links. Reads no file, so it is
 * much cheaper than a digest. Of packages in `node_modules` it sees only that some were added or removed.
 */
export function stampFolder(dir: string): string {
  const lines: string[] = [];
  const folders = [dir];
  for (const folder of folders) {
    lines.push(stampEntry(folder));
    const names = attempt(() => readdirSync(folder, { withFileTypes: true }));
    for (const entry of names.ok ? names.value.sort(byName) : []) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(path);
      else lines.push(stampEntry(path));
    }
  }
  return lines.join('\n');
}

/** The system sets the change time (ctime) itself, so no program can restore it. */
function stampEntry(path: string): string {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (!stats.ok) return `${path} ${stats.errno}`;
  const { ino, size, mode, mtimeNs, ctimeNs } = stats.value;
  return `${path} ${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
