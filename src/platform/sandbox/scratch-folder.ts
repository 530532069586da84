import { lchownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { isOwnerGone, now, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { walkTree } from '../files/copy-tree.ts';
import { listDirectory } from '../files/files.ts';
import { removeTree } from '../files/remove-tree.ts';
import { isPickedUser } from './picked-user.ts';

/** A private folder for one run of a script, or for a toolset while it is loaded. */
export interface ScratchFolder {
  /** Closed to other users. The sandbox does not show it, so its script cannot open it, whatever it does to `dir`. */
  readonly root: string;
  /** The folder in it where its script works, unless it works in a folder of the user. */
  readonly dir: string;
  /** The folder in it for the caches and temporary files of programs. */
  readonly home: string;
  /** A free path in it for a copy of the skill. */
  readonly skillDir: string;
  /** Makes another user the owner of all but the copy of the skill; only root can, and not on every file system. */
  readonly giveTo: (user: number) => boolean;
  /** Removes the folder with everything in it. */
  readonly dispose: () => void;
}

/** Makes a folder in `parent`, and removes those of programs that have ended. For root, others should be able to reach it. */
export function makeScratchFolder(parent: string): Outcome<ScratchFolder> {
  const made = attempt(() => {
    mkdirSync(parent, { recursive: true });
    sweepScratchFolders(parent);
    const root = join(realpathSync(parent), `skillplane-run-${uniqueName()}`);
    mkdirSync(root, { mode: 0o700 });
    for (const name of ['work', 'home']) mkdirSync(join(root, name), { mode: 0o700 });
    return root;
  });
  if (!made.ok) return fail('STORE_FAILED', `a folder in ${parent} could not be created: ${made.message}`);
  const root = made.value;
  const [dir, home] = [join(root, 'work'), join(root, 'home')];
  return {
    ok: true,
    root,
    dir,
    home,
    skillDir: join(root, 'skill'),
    giveTo: (user) =>
      attempt(() => {
        for (const entry of walkTree(dir)) if (entry !== undefined) lchownSync(join(dir, entry.path), user, user);
        for (const path of [home, root]) lchownSync(path, user, user);
      }).ok,
    dispose: () => void removeTree(root),
  };
}

const NAMES = /^skillplane-run-(\d+-[0-9a-z]+)$/;

function sweepScratchFolders(parent: string): void {
  const listing = listDirectory(parent);
  for (const { name, kind } of listing.state === 'listed' ? listing.entries : []) {
    const owner = kind === 'directory' ? NAMES.exec(name)?.[1] : undefined;
    const root = join(parent, name);
    const stats = owner === undefined ? undefined : attempt(() => lstatSync(root));
    if (owner === undefined || stats?.ok !== true || !isOurs(stats.value.uid)) continue;
    if (isOwnerGone(owner, now() - stats.value.mtimeMs)) removeTree(root);
  }
}

/** Others may have put a folder of this name there. */
function isOurs(user: number): boolean {
  return user === process.getuid?.() || (process.getuid?.() === 0 && isPickedUser(user));
}
