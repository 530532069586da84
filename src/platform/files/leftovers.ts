import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { isOwnerGone, now, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { listDirectory } from './files.ts';
import { removeTree } from './remove-tree.ts';

/**
 * A path for something that is not in its place yet. `tmp` is of use to this process alone; `new` may be part of a recorded
 * change, which another process can finish.
 */
export function temporaryPath(dir: string, kind: 'tmp' | 'new'): string {
  return join(dir, `.skillplane-${uniqueName()}.${kind}`);
}

/** Creates a folder that only its owner can enter, with what `fill` puts there, and returns its real path. */
export function makeTemporaryFolder(parent: string, fill: (dir: string) => void): Outcome<{ readonly dir: string }> {
  const made = attempt(() => {
    mkdirSync(parent, { recursive: true });
    const dir = temporaryPath(realpathSync(parent), 'tmp');
    mkdirSync(dir, { mode: 0o700 });
    fill(dir);
    return dir;
  });
  if (made.ok) return { ok: true, dir: made.value };
  return fail('STORE_FAILED', `a folder in ${parent} could not be created: ${made.message}`);
}

const NAMES = /^\.skillplane-(?<owner>\d+-[0-9a-z]+)\.(?<kind>tmp|new)$/;

/**
 * Removes what killed processes left in these folders: with `isNeeded`, everything unless that is true; without it, only what
 * no other process can need.
 */
export function sweepLeftovers(dirs: Iterable<string>, isNeeded?: () => boolean): void {
  const kinds = isNeeded === undefined ? ['tmp'] : ['tmp', 'new'];
  const left = [...dirs].flatMap((dir) => findLeftovers(dir, kinds));
  // Asked after their processes were found dead: from then on they record no change.
  if (left.length > 0 && isNeeded?.() !== true) for (const path of left) removeTree(path);
}

function findLeftovers(dir: string, kinds: readonly string[]): readonly string[] {
  const listing = listDirectory(dir);
  return (listing.state === 'listed' ? listing.entries : []).flatMap(({ name }) => {
    const { owner, kind = '' } = NAMES.exec(name)?.groups ?? {};
    if (owner === undefined || !kinds.includes(kind)) return [];
    const path = join(dir, name);
    return isOwnerGone(owner, ageOf(path)) ? [path] : [];
  });
}

function ageOf(path: string): number {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? now() - stats.value.mtimeMs : 0;
}
