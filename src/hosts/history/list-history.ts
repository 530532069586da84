import { sep } from 'node:path';

import { listDirectory, readStamp } from '../../platform/files/files.ts';
import type { KnownHost, HostPlace } from '../host.ts';
import type { HistoryFile } from './read-transcript.ts';

/** Every file of a host's history that exists; fewer if it gets late. */
export function listHistory(host: KnownHost, place: HostPlace, isLate: () => boolean): readonly HistoryFile[] {
  const { history } = host;
  if (history.kind === 'lines')
    return listFiles(host.folder(place), history.files, isLate).flatMap((path) => {
      const stamp = isLate() ? undefined : readStamp(path);
      return stamp === undefined ? [] : { path, stamp };
    });
  const path = history.file(place);
  const [stamp, log] = [readStamp(path), readStamp(`${path}-wal`)];
  if (stamp === undefined) return [];
  // New rows are written to the log first.
  const mtimeMs = Math.max(stamp.mtimeMs, log?.mtimeMs ?? 0);
  return [{ path, stamp: { ...stamp, mtimeMs, size: stamp.size + (log?.size ?? 0) } }];
}

/**
 * The files below a folder whose path matches a pattern: one text per part, in which `*` stands for any text. Stops early
 * when it `isLate`.
 */
function listFiles(folder: string, patterns: readonly (readonly string[])[], isLate: () => boolean): readonly string[] {
  const listed = isLate() ? undefined : listDirectory(folder);
  if (listed?.state !== 'listed') return [];
  const tests = patterns.map(([first = '', ...rest]) => ({ matches: toTest(first), rest }));
  const ends = tests.filter(({ rest }) => rest.length === 0).map(({ matches }) => matches);
  const paths: string[] = [];
  for (const { name, kind } of listed.entries) {
    // `join` would look at every character of the path again.
    const path = `${folder}${sep}${name}`;
    if (kind === 'file') {
      if (ends.some((matches) => matches(name))) paths.push(path);
    } else if (kind !== 'other') {
      const deeper = tests.filter(({ matches, rest }) => rest.length > 0 && matches(name)).map(({ rest }) => rest);
      if (deeper.length > 0) paths.push(...listFiles(path, deeper, isLate));
    }
  }
  return paths;
}

/** At most one `*`. */
function toTest(pattern: string): (name: string) => boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return (name) => name === pattern;
  return (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}
