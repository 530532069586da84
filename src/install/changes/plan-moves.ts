import { dirname, join } from 'node:path';

import { renderLock } from '../../config/lock-file.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { exists, isPlainDirectory, isTaken, listDirectory } from '../../platform/files/files.ts';
import { makeFolderInside } from '../../platform/files/folders.ts';
import type { Move, PlannedChange } from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { prepareFile } from '../../platform/files/replace-file.ts';
import { syncPaths } from '../../platform/files/write-folder.ts';
import { accountFiles, skillDirectory } from '../install-place.ts';
import { lastVersion, previousFolder, versionPaths } from './previous-version.ts';
import type { ChangeContext, SkillChange } from './skill-change.ts';

/** A file to write. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

/** Plans the renames for changes of skills and files, and writes everything they need. On failure, nothing remains. */
export async function planMoves(
  changes: readonly SkillChange[],
  files: readonly FileText[],
  context: ChangeContext,
): Promise<Outcome<{ readonly change: PlannedChange }>> {
  const plan: Plan = { moves: [], discard: [], prepared: [], context };
  // Folders come first: until a file is replaced, everything can be undone.
  const steps = [
    ...changes.map((change) => () => planSkill(plan, change)),
    ...files.map((file) => () => planFile(plan, file)),
    () => syncPaths(plan.prepared),
  ];
  for (const step of steps) {
    const planned = await step();
    if (planned.ok) continue;
    for (const path of plan.prepared.toReversed()) removeTree(path);
    return planned;
  }
  const { moves, discard, prepared } = plan;
  return { ok: true, change: { guards: accountFiles(context.place), moves, discard, prepared } };
}

interface Plan {
  readonly moves: Move[];
  readonly discard: string[];
  readonly prepared: string[];
  readonly context: ChangeContext;
}

/** Only the user can read their files; those of a project are for everyone who works in it. */
function isUsers({ place }: ChangeContext): boolean {
  return place.scope === 'user';
}

function planFile({ moves, prepared, context }: Plan, { path, text }: FileText): Outcome {
  const written = prepareFile(path, text, { isPrivate: isUsers(context) && !isTaken(path) });
  if (!written.ok) return written;
  prepared.push(written.prepared);
  moves.push({ kind: 'in', from: written.prepared, to: written.target });
  return { ok: true };
}

function planSkill(plan: Plan, { name, before, after }: SkillChange): Outcome {
  const { moves, discard, context } = plan;
  const { place, work } = context;
  const target = skillDirectory(place, name, before);
  const previous = previousFolder(work.dir, name);
  if (isTaken(previous) && !isPlainDirectory(previous))
    return fail('PATH_REFUSED', `${previous} is not a folder`, { moveAway: previous });
  if (after === undefined) {
    const trash = work.newPath();
    moves.push({ kind: 'out', from: target, to: trash });
    discard.push(trash, previous);
    return { ok: true };
  }
  const root = dirname(target);
  const made = exists(root) ? undefined : makeFolderInside(root, { boundary: place.boundary });
  if (made?.ok === false) return made;
  // If this is a rollback, the files have been moved away by the time their folder is discarded.
  const listing = listDirectory(previous);
  if (listing.state === 'listed') discard.push(...listing.entries.map((entry) => join(previous, entry.name)));
  const planned: Outcome = before !== undefined && isTaken(target) ? planPrevious(plan, before, target) : { ok: true };
  moves.push({ kind: 'in', from: after.dir, to: target });
  return planned;
}

/** Plans to keep the version that is replaced for rollback: its entry, then its files. */
function planPrevious({ moves, prepared, context }: Plan, entry: LockedSkill, target: string): Outcome {
  const { work } = context;
  const previous = previousFolder(work.dir, entry.name);
  const made = isTaken(previous) ? undefined : makeFolderInside(previous, { isPrivate: isUsers(context) });
  if (made?.ok === false) return made;
  if (made !== undefined) prepared.push(previous);
  // Written to the work folder, where the leftovers of killed processes are swept away.
  const written = prepareFile(join(work.dir, 'entry.yaml'), renderLock([entry]), { isPrivate: isUsers(context) });
  if (!written.ok) return written;
  prepared.push(written.prepared);
  const { dir, entryFile } = versionPaths(previous, lastVersion(previous) + 1);
  moves.push({ kind: 'in', from: written.prepared, to: entryFile }, { kind: 'out', from: target, to: dir });
  return { ok: true };
}
