import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { now } from '../clock.ts';
import { attempt } from '../errors.ts';
import { TICK_MS } from './stamp.ts';

/**
 * A text that changes whenever anything in the folder does: names, contents, permissions, links. Reads no file, so it is
 * much cheaper than a digest. Of packages in `node_modules` it sees only that some were added or removed.
 */
export function stampFolder(dir: string): string {
  return listStamps(dir, { leaveOut: 'node_modules' })
    .map(({ line }) => line)
    .join('\n');
}

/** The same with all packages; undefined if anything changed so recently that a further change might keep the stamp. */
export function stampSettledFolder(dir: string): string | undefined {
  const stamps = listStamps(dir);
  const last = now() - TICK_MS;
  return stamps.some(({ changedMs }) => changedMs > last) ? undefined : stamps.map(({ line }) => line).join('\n');
}

interface EntryStamp {
  readonly line: string;
  readonly changedMs: number;
}

function listStamps(dir: string, { leaveOut }: { readonly leaveOut?: string } = {}): readonly EntryStamp[] {
  const lines: EntryStamp[] = [];
  const folders = [dir];
  for (const folder of folders) {
    lines.push(stampEntry(folder));
    const names = attempt(() => readdirSync(folder, { withFileTypes: true }));
    for (const entry of names.ok ? names.value.sort(byName) : []) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== leaveOut) folders.push(path);
      else lines.push(stampEntry(path));
    }
  }
  return lines;
}

/** The system sets the change time (ctime) itself, so no program can restore it. */
function stampEntry(path: string): EntryStamp {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (!stats.ok) return { line: `${path} ${stats.errno}`, changedMs: 0 };
  const { ino, size, mode, mtimeNs, ctimeNs } = stats.value;
  return { line: `${path} ${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`, changedMs: Number(ctimeNs) / 1e6 };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
