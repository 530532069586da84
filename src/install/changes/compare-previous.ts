import { join } from 'node:path';

import type { LockedSkill } from '../../model/lock.ts';
import type { Outcome } from '../../model/outcome.ts';
import { compareWithDisk, diffVersions, type FileChange } from './compare-files.ts';
import { openPrevious } from './previous-version.ts';
import type { ChangeContext } from './skill-change.ts';

/** The version that an installed skill had before. */
export interface PreviousSkill {
  readonly entry: LockedSkill;
  /** The changes that a rollback would make. */
  readonly changes: readonly FileChange[];
  /** The same line by line. */
  readonly diff: string;
}

/** Compares the version that `rollback` would switch to, if one is kept, with the files that are installed. */
export async function comparePrevious(
  name: string,
  { place, state }: Pick<ChangeContext, 'place' | 'state'>,
): Promise<Outcome<{ readonly previous: PreviousSkill | undefined }>> {
  const opened = openPrevious(state.dir);
  if (!opened.ok) return opened;
  const kept = opened.previous.find(name);
  if (kept === undefined) return { ok: true, previous: undefined };
  const dir = join(place.root, name);
  const changes = compareWithDisk(kept.entry, dir).map(({ path, kind }) => ({ path, kind: TURNED[kind] }));
  return { ok: true, previous: { entry: kept.entry, changes, diff: diffVersions(dir, kept.dir, changes) } };
}

/** Compared the other way round. */
const TURNED = { added: 'removed', removed: 'added', changed: 'changed', mode: 'mode' } as const;
