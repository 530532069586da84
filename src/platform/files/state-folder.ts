import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isBelow, isPlainDirectory, isTaken, listDirectory, realPath, removeFile } from './files.ts';

/** A folder of our own among skills, on the same file system as they: what is being written, and what was before. */
export interface StateFolder {
  readonly dir: string;
  /** A path in it where nothing is; what is there when our process is gone is swept away. */
  newPath(): string;
  /** Removes the folder, and those above it that came with it, where they are empty. */
  tidy(): void;
}

/** The folders of versions that are kept in a state folder. */
export function listKept(dir: string): readonly string[] {
  const listing = listDirectory(dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries.flatMap(({ name, kind }) => (kind === 'directory' && name.startsWith(KEPT) ? [join(dir, name)] : []));
}

/** What `newPath` gives, and what fetching calls its own folders. */
export const STAGED_NAMES: RegExp = /^(?:fetch-)?(\d+)-[0-9a-z]+$/;

/** How folders of versions that are kept begin; an empty one holds none, and goes. */
export const KEPT = 'previous-';

const NAME = '.skillplane';

/** Makes the folder in `root`, which is made too; neither may be a link that leads out of `boundary`. */
export function openStateFolder(root: string, boundary?: string): Outcome<{ readonly folder: StateFolder }> {
  const dir = join(root, NAME);
  const made = attempt(() => mkdirSync(root, { recursive: true }));
  if (!made.ok) return fail('STORE_FAILED', `${root} could not be made: ${made.message}`);
  const tidy = (): void => {
    removePrivate(dir);
    removeEmpty(root, made.value);
  };
  const opened = findWayOut(root, boundary) ?? makePrivate(dir);
  if (opened.ok) return { ok: true, folder: { dir, newPath: () => join(dir, uniqueName()), tidy } };
  tidy();
  return opened;
}

function findWayOut(root: string, boundary: string | undefined): Outcome<never> | undefined {
  if (boundary === undefined) return undefined;
  const [real, limit] = [realPath(root) ?? root, realPath(boundary) ?? boundary];
  return isBelow(real, limit)
    ? undefined
    : fail('PATH_REFUSED', `${root} is a link that leaves the project, to ${real}`);
}

function makePrivate(dir: string): Outcome {
  if (isTaken(dir) && !isPlainDirectory(dir)) return fail('PATH_REFUSED', `${dir} is not a folder; move it away`);
  const ignore = join(dir, '.gitignore');
  const made = attempt(() => {
    mkdirSync(dir, { recursive: true });
    // Not over one that is there, nor through a link that somebody left.
    writeFileSync(ignore, '*\n', { flag: 'wx' });
  });
  if (made.ok || made.errno === 'EEXIST') return { ok: true };
  return fail('STORE_FAILED', `${dir} could not be made: ${made.message}`);
}

/** Others may be about to use it: only an empty folder goes, and what is not empty after all is put right again. */
function removePrivate(dir: string): void {
  if (!isPlainDirectory(dir)) return;
  for (const kept of listKept(dir)) attempt(() => rmdirSync(kept));
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  if (names.length !== 1 || names[0] !== '.gitignore') return;
  removeFile(join(dir, '.gitignore'));
  if (!attempt(() => rmdirSync(dir)).ok && isPlainDirectory(dir)) makePrivate(dir);
}

/** `first` is the uppermost folder that was made, if any was. */
function removeEmpty(root: string, first: string | undefined): void {
  if (first === undefined) return;
  for (let path = root; path.startsWith(first); path = dirname(path)) if (!attempt(() => rmdirSync(path)).ok) return;
}
