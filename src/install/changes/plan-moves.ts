import { join } from 'node:path';

import type { LockedSkill } from '../../model/lock.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isTaken, makeFolder, prepareFile } from '../../platform/files/files.ts';
import type { Move, PlannedChange } from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import type { SyncQueue } from '../../platform/files/sync-queue.ts';
import {
  checkPrevious,
  newPreviousDir,
  previousFolder,
  previousRecord,
  readPrevious,
  renderPrevious,
} from './previous-version.ts';
import type { ChangeContext, SkillChange } from './skill-change.ts';

/** A file to write. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

type PlannedMoves = Omit<PlannedChange, 'guards'>;

/** Plans the renames for changes of skills and files, and writes everything they need. On failure, nothing remains. */
export async function planMoves(
  changes: readonly SkillChange[],
  files: readonly FileText[],
  context: ChangeContext,
): Promise<Outcome<PlannedMoves>> {
  const { sync } = context;
  const plan: Plan = { folders: [], files: [], discard: [], prepared: [], sync };
  const steps = [
    ...changes.map((change) => () => planSkill(plan, change, context)),
    ...files.map((file) => () => planFile(plan, file)),
    () => sync.flush(),
  ];
  for (const step of steps) {
    const planned = await step();
    if (planned.ok) continue;
    for (const path of plan.prepared.toReversed()) removeTree(path);
    return planned;
  }
  // Folders come first: until a file is replaced, everything can be undone.
  const moves = [...plan.folders, ...plan.files];
  return { ok: true, moves, discard: plan.discard, prepared: plan.prepared };
}

interface Plan {
  readonly folders: Move[];
  readonly files: Move[];
  readonly discard: string[];
  readonly prepared: string[];
  readonly sync: SyncQueue;
}

function planFile(plan: Plan, { path, text }: FileText): Outcome {
  const written = prepareFile(path, text, plan.sync);
  if (!written.ok) return written;
  plan.prepared.push(written.prepared);
  plan.files.push({ kind: 'in', from: written.prepared, to: written.target });
  return { ok: true };
}

async function planSkill(
  plan: Plan,
  { name, before, after }: SkillChange,
  { place, state }: ChangeContext,
): Promise<Outcome> {
  const checked = checkPrevious(state.dir, name);
  if (!checked.ok) return checked;
  const target = join(place.root, name);
  if (after === undefined) {
    const trash = state.newPath();
    plan.folders.push({ kind: 'out', from: target, to: trash });
    plan.discard.push(trash, previousFolder(state.dir, name));
    return { ok: true };
  }
  const hasPrevious = isTaken(previousFolder(state.dir, name));
  const previous = hasPrevious ? await readPrevious(state.dir, name) : undefined;
  // If this is a rollback, the folder has been moved away by the time it is discarded.
  if (previous !== undefined) plan.discard.push(previous.dir);
  const kept = before !== undefined && isTaken(target) ? keepVersion(plan, before, { target, state }) : checked;
  plan.folders.push({ kind: 'in', from: after.dir, to: target });
  return kept;
}

/** Keeps the version that is replaced for rollback. */
function keepVersion(
  plan: Plan,
  entry: LockedSkill,
  { target, state }: Pick<ChangeContext, 'state'> & { readonly target: string },
): Outcome {
  const folder = previousFolder(state.dir, entry.name);
  if (!isTaken(folder)) plan.prepared.push(folder);
  const made = makeFolder(folder);
  if (!made.ok) return made;
  const dir = newPreviousDir(state.dir, entry.name);
  plan.folders.push({ kind: 'out', from: target, to: dir });
  return planFile(plan, { path: previousRecord(state.dir, entry.name), text: renderPrevious({ dir, entry }) });
}
