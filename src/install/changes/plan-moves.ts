import { join } from 'node:path';

import type { LockedSkill } from '../../model/lock.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isTaken } from '../../platform/files/files.ts';
import type { Move, PlannedChange } from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import type { SyncQueue } from '../../platform/files/sync-queue.ts';
import { makeFolder, prepareFile } from '../../platform/files/write-file.ts';
import {
  newPreviousDir,
  openPrevious,
  previousFolder,
  type PreviousVersion,
  type PreviousVersions,
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
  const { sync, state } = context;
  const opened = openPrevious(state.dir);
  if (!opened.ok) return opened;
  const plan: Plan = { folders: [], files: [], discard: [], prepared: [], kept: [], dropped: [], sync };
  const steps = [
    ...changes.map((change) => () => planSkill(plan, change, { ...context, previous: opened.previous })),
    () => planRecord(plan, opened.previous),
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
  /** Versions that are kept for rollback from now on, and those that no longer are. */
  readonly kept: PreviousVersion[];
  readonly dropped: PreviousVersion[];
  readonly sync: SyncQueue;
}

function planFile(plan: Plan, { path, text }: FileText): Outcome {
  const written = prepareFile(path, text, plan.sync);
  if (!written.ok) return written;
  plan.prepared.push(written.prepared);
  plan.files.push({ kind: 'in', from: written.prepared, to: written.target });
  return { ok: true };
}

/** One record lists all previous versions: a file for each would take as long as the skills themselves. */
function planRecord(plan: Plan, previous: PreviousVersions): Outcome {
  if (plan.kept.length === 0 && plan.dropped.length === 0) return { ok: true };
  const text = previous.render({ put: plan.kept, drop: plan.dropped });
  if (text !== undefined) return planFile(plan, { path: previous.file, text });
  plan.discard.push(previous.file);
  return { ok: true };
}

interface SkillContext extends ChangeContext {
  readonly previous: PreviousVersions;
}

function planSkill(
  plan: Plan,
  { name, before, after }: SkillChange,
  { place, state, previous }: SkillContext,
): Outcome {
  const checked = previous.check(name);
  if (!checked.ok) return checked;
  const target = join(place.root, name);
  const dropped = previous.find(name);
  if (dropped !== undefined) plan.dropped.push(dropped);
  if (after === undefined) {
    const trash = state.newPath();
    plan.folders.push({ kind: 'out', from: target, to: trash });
    plan.discard.push(trash, previousFolder(state.dir, name));
    return { ok: true };
  }
  // If this is a rollback, the folder has been moved away by the time it is discarded.
  if (dropped !== undefined) plan.discard.push(dropped.dir);
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
  const made = isTaken(folder) ? undefined : makeFolder(folder);
  if (made?.ok === false) return made;
  if (made !== undefined) plan.prepared.push(folder);
  const dir = newPreviousDir(state.dir, entry.name);
  plan.folders.push({ kind: 'out', from: target, to: dir });
  plan.kept.push({ dir, entry });
  return { ok: true };
}
