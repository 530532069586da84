import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

import { attempt } from '../errors.ts';
import { exists } from './files.ts';

/** A directory to watch; `names` limits it to entries of these names. It need not exist yet. */
export interface WatchTarget {
  readonly dir: string;
  readonly names?: ReadonlySet<string>;
}

export interface DirectoryWatch {
  /** Watches exactly these directories from now on; true if some were not watched before. */
  update(targets: readonly WatchTarget[]): boolean;
  close(): void;
}

/** How often to look if the system refuses to watch. */
const POLL_MS = 2_000;

/** Calls `onChange` when something in one of the directories may have changed. Keeps no process alive. */
export function watchDirectories(onChange: () => void): DirectoryWatch {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  let poll: NodeJS.Timeout | undefined;

  const open = ({ dir, names }: WatchTarget): FSWatcher | undefined => {
    const opened = attempt(() =>
      watch(dir, { persistent: false }, (_event, name) => {
        if (names === undefined || name === null || names.has(name)) onChange();
      }),
    );
    if (!opened.ok) {
      // Without watches or handles left: polling is slower, but misses nothing.
      if (opened.errno !== 'ENOENT') poll ??= setInterval(onChange, POLL_MS).unref();
      return undefined;
    }
    return opened.value.on('error', onChange);
  };
  const close = (key: string): void => {
    watchers.get(key)?.watcher.close();
    watchers.delete(key);
  };

  return {
    update(targets) {
      const wanted = new Map(targets.map(nearestExisting).map((target) => [keyOf(target), target]));
      let isNew = false;
      for (const key of watchers.keys()) if (!wanted.has(key)) close(key);
      for (const [key, target] of wanted) {
        const identity = identityOf(target.dir);
        // A directory that was removed and created again has the same path, but is another directory.
        if (watchers.has(key) && watchers.get(key)?.identity !== identity) close(key);
        const watcher = watchers.has(key) ? undefined : open(target);
        if (watcher === undefined) continue;
        watchers.set(key, { watcher, identity });
        isNew = true;
      }
      return isNew;
    },
    close() {
      clearInterval(poll);
      for (const key of watchers.keys()) close(key);
    },
  };
}

/** Inodes are reused at once; together with the time of birth they are unique. */
function identityOf(dir: string): string {
  const stats = attempt(() => statSync(dir));
  return stats.ok ? `${stats.value.ino} ${stats.value.birthtimeMs}` : '';
}

/** A missing directory is awaited in its closest existing ancestor. */
function nearestExisting(target: WatchTarget): WatchTarget {
  let { dir } = target;
  let names = target.names;
  while (!exists(dir) && dirname(dir) !== dir) {
    names = new Set([basename(dir)]);
    dir = dirname(dir);
  }
  return names === undefined ? { dir } : { dir, names };
}

function keyOf({ dir, names }: WatchTarget): string {
  return names === undefined ? dir : `${dir}\0${[...names].sort().join('\0')}`;
}
