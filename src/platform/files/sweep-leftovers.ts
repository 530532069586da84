import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { isOwnerGone, now } from '../clock.ts';
import { attempt } from '../errors.ts';
import { listDirectory } from './files.ts';
import { hasPendingChanges } from './pending-changes.ts';
import { removeTree } from './remove-tree.ts';

export interface SweepOptions {
  readonly agentHome: string;
  /** The file whose lock guards the changes that may still need the leftovers. */
  readonly guard: string;
}

/** A place where killed processes leave files behind. */
export interface Leftovers {
  readonly dir: string;
  /** The first group is the `uniqueName` of the process that made it. */
  readonly names: RegExp;
}

/** Removes what dead processes left behind, unless one of their recorded changes may still need it. */
export function sweepLeftovers(places: readonly Leftovers[], { agentHome, guard }: SweepOptions): void {
  const left = places.flatMap(findLeftovers);
  // Checked after their processes were found dead: from then on they record no change.
  if (left.length > 0 && !hasPendingChanges(agentHome, guard)) for (const path of left) removeTree(path);
}

function findLeftovers({ dir, names }: Leftovers): readonly string[] {
  const listing = listDirectory(dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries.flatMap(({ name }) => {
    const owner = names.exec(name)?.[1];
    const path = join(dir, name);
    return owner === undefined || !isOwnerGone(owner, ageOf(path)) ? [] : [path];
  });
}

function ageOf(path: string): number {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? now() - stats.value.mtimeMs : 0;
}
