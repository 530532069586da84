import { readdirSync, readFileSync } from 'node:fs';

import { attempt } from '../errors.ts';

/** A process and everything that descends from it; only the process itself if the system does not tell. */
export function findDescendants(pid: number): readonly number[] {
  const found = [pid];
  for (const parent of found) found.push(...listChildren(parent));
  return found;
}

/** Each thread has its own children. */
function listChildren(pid: number): readonly number[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`));
  return (threads.ok ? threads.value : []).flatMap((thread) => {
    const listed = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'));
    return listed.ok ? listed.value.split(' ').filter(Boolean).map(Number) : [];
  });
}
