import { readStamp } from '../../platform/files/files.ts';
import type { Host, HostPlace } from '../host.ts';
import { listFiles } from './list-files.ts';
import type { FileToRead } from './read-file.ts';

/** Every file of a host's history that exists; fewer if it gets late. */
export function listHistory(
  host: Host,
  place: HostPlace,
  isLate: () => boolean,
): readonly Omit<FileToRead, 'reading'>[] {
  const { history } = host;
  if (history.kind === 'lines')
    return listFiles(host.folder(place), history.files, isLate).flatMap((path) => {
      const stamp = isLate() ? undefined : readStamp(path);
      return stamp === undefined ? [] : [{ path, stamp }];
    });
  const path = history.file(place);
  const [stamp, log] = [readStamp(path), readStamp(`${path}-wal`)];
  if (stamp === undefined) return [];
  // New rows are in the log first.
  const mtimeMs = Math.max(stamp.mtimeMs, log?.mtimeMs ?? 0);
  return [{ path, stamp: { ...stamp, mtimeMs, size: stamp.size + (log?.size ?? 0) } }];
}
