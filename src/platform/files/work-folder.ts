import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isInside, isPlainDirectory, isTaken, listDirectory, realPath } from './files.ts';
import { temporaryPath } from './leftovers.ts';
import { removeFile } from './remove-tree.ts';

/** Our own folder next to the skills, on their file system: for files being written and for previous versions. */
export interface WorkFolder {
  readonly dir: string;
  /** A free path in the folder. What is left there when this process ends is swept away later. */
  newPath(): string;
  /** Removes the folder, and the parents that were created with it, if they are empty. */
  tidy(): void;
}

/** The prefix of folders of previous versions. */
export const KEPT = 'previous-';

const NAME = '.skillplane';

/**
 * Creates the folder in `root`, and `root` itself if needed. In a project, which is the `boundary`, no link may lead out of it;
 * without one, only the owner can enter what is created.
 */
export function openWorkFolder(root: string, boundary?: string): Outcome<{ readonly folder: WorkFolder }> {
  const dir = join(root, NAME);
  const mode = boundary === undefined ? 0o700 : 0o777;
  const made = attempt(() => mkdirSync(root, { recursive: true, mode }));
  if (!made.ok) return fail('STORE_FAILED', `${root} could not be created: ${made.message}`);
  const tidy = (): void => {
    removeUnused(dir, mode);
    removeEmpty(root, made.value);
  };
  const opened = findWayOut(root, boundary) ?? makeIgnored(dir, mode);
  if (opened.ok) return { ok: true, folder: { dir, newPath: () => temporaryPath(dir, 'new'), tidy } };
  tidy();
  return opened;
}

function findWayOut(root: string, boundary: string | undefined): Outcome<never> | undefined {
  if (boundary === undefined) return undefined;
  const [real, limit] = [realPath(root) ?? root, realPath(boundary) ?? boundary];
  return real !== limit && isInside(real, limit)
    ? undefined
    : fail('PATH_REFUSED', `${root} is a link that leaves the project, to ${real}`);
}

/** Git ignores it: in a project, it would be committed. */
function makeIgnored(dir: string, mode: number): Outcome {
  if (isTaken(dir) && !isPlainDirectory(dir)) return fail('PATH_REFUSED', `${dir} is not a folder`, { moveAway: dir });
  const ignore = join(dir, '.gitignore');
  const made = attempt(() => {
    mkdirSync(dir, { recursive: true, mode });
    // Never overwrites a file or follows a link.
    writeFileSync(ignore, '*\n', { flag: 'wx', mode: mode & 0o666 });
  });
  if (made.ok || made.errno === 'EEXIST') return { ok: true };
  return fail('STORE_FAILED', `${dir} could not be created: ${made.message}`);
}

/** Another process may be about to use it: removes it only if it is empty, and restores it if it was not after all. */
function removeUnused(dir: string, mode: number): void {
  if (!isPlainDirectory(dir)) return;
  // Stops at the first that holds a version: then the folder stays anyway.
  if (!namesIn(dir).every((name) => !name.startsWith(KEPT) || attempt(() => rmdirSync(join(dir, name))).ok)) return;
  const names = namesIn(dir);
  if (names.length !== 1 || names[0] !== '.gitignore') return;
  removeFile(join(dir, '.gitignore'));
  if (!attempt(() => rmdirSync(dir)).ok && isPlainDirectory(dir)) makeIgnored(dir, mode);
}

/** `first` is the topmost folder that was created, if any. */
function removeEmpty(root: string, first: string | undefined): void {
  if (first === undefined) return;
  for (let path = root; path.startsWith(first); path = dirname(path)) if (!attempt(() => rmdirSync(path)).ok) return;
}

function namesIn(dir: string): readonly string[] {
  const listing = listDirectory(dir);
  return listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
}
