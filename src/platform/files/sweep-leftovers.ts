import { join } from 'node:path';

import { listDirectory } from './files.ts';
import { isAlive } from './lock.ts';
import { hasPendingChanges, removeTree } from './pending-changes.ts';

export interface SweepOptions {
  readonly agentHome: string;
  /** The file whose lock guards the changes that may need what is there. */
  readonly guard: string;
}

/** Where processes leave things behind when they are killed. */
export interface Leftovers {
  readonly dir: string;
  /** What they are called; the first group is the id of their process. */
  readonly names: RegExp;
}

/** Removes what processes that are gone left behind, unless a change that one of them wrote down may need it. */
export function sweepLeftovers(places: readonly Leftovers[], { agentHome, guard }: SweepOptions): void {
  const left = places.flatMap(findLeftovers);
  // Looked at only after their processes were found dead: from then on none of them writes a change down.
  if (left.length > 0 && !hasPendingChanges(agentHome, guard)) for (const path of left) removeTree(path);
}

function findLeftovers({ dir, names }: Leftovers): readonly string[] {
  const listing = listDirectory(dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries.flatMap(({ name }) => {
    const owner = names.exec(name)?.[1];
    return owner === undefined || isAlive(Number(owner)) ? [] : [join(dir, name)];
  });
}
