import { basename, dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { digestFolder } from '../../parse/digest.ts';
import { uniqueName } from '../../platform/clock.ts';
import { isTaken, realPath } from '../../platform/files/files.ts';
import { makeLink } from '../../platform/files/links.ts';
import { makeChange, VACANT, stampPlace, type Move } from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { makeStagingFolder } from '../../platform/files/staging-folder.ts';
import { openSyncQueue, type SyncQueue } from '../../platform/files/sync-queue.ts';
import { makeFolder, prepareBackup, prepareFile } from '../../platform/files/write-file.ts';
import { kindAt, makeFolderInside } from '../../platform/files/write-inside.ts';
import {
  renderSyncManifest,
  sortManifest,
  syncFolder,
  type EditedFile,
  type OwnEntry,
  type SyncManifest,
} from './manifest.ts';
import type { FileEdit, PlannedEntry, WholePlan } from './sync-plan.ts';

export interface ApplyContext {
  readonly agentHome: string;
  /** The project, if its folders are synced: no link in it may lead out of it. */
  readonly boundary: string | undefined;
  readonly isCopying: boolean;
  /** The files whose locks are held. */
  readonly guards: readonly string[];
  readonly check: () => Outcome;
}

/** Carries out a plan, completely or not at all: if this process is killed, the next one finishes it. */
export async function applyPlan(
  plan: WholePlan,
  context: ApplyContext,
): Promise<Outcome<{ readonly manifest: SyncManifest }>> {
  using sync = openSyncQueue();
  const staging: Staging = { ...context, sync, moves: [], files: [], discard: [], prepared: [], made: [], backups: [] };
  const steps = [
    ...plan.removed.map((entry) => () => stageRemoval(staging, entry)),
    ...plan.added.map((entry) => () => stageEntry(staging, entry)),
    ...plan.edits.map((edit) => () => stageFile(staging, edit, plan)),
  ];
  for (const step of steps) {
    const staged = step();
    if (!staged.ok) return giveUp(staging, staged);
  }
  const backups = new Map(staging.backups);
  const withBackup = (file: EditedFile): EditedFile =>
    backups.has(file.path) ? { ...file, backup: backups.get(file.path) } : file;
  const manifest = sortManifest({
    ...plan.after,
    entries: [...plan.after.entries, ...staging.made],
    files: plan.after.files.map(withBackup),
  });
  const written = stageText(staging, plan.manifestFile, renderSyncManifest(manifest));
  const flushed = written.ok ? await sync.flush() : written;
  if (!flushed.ok) return giveUp(staging, flushed);
  const { moves, files, discard, prepared } = staging;
  const change = { guards: context.guards, moves: [...moves, ...files], discard, prepared };
  const made = makeChange(context.agentHome, change, context.check);
  return made.ok ? { ok: true, manifest } : made;
}

interface Staging extends ApplyContext {
  readonly sync: SyncQueue;
  readonly moves: Move[];
  readonly files: Move[];
  readonly discard: string[];
  readonly prepared: string[];
  readonly made: OwnEntry[];
  readonly backups: (readonly [path: string, backup: string])[];
}

function giveUp<T extends Outcome<never>>({ prepared }: Staging, failure: T): T {
  for (const path of prepared) removeTree(path);
  return failure;
}

/** A path of this change alone, beside the others in the folder. */
function newPath(dir: string): string {
  return join(dir, `.skillplane-${uniqueName()}.new`);
}

function stageRemoval({ moves, discard }: Staging, { path, kept }: OwnEntry): Outcome {
  const trash = newPath(realPath(dirname(path)) ?? dirname(path));
  moves.push({ kind: 'out', from: path, to: trash, found: stampPlace(path) });
  discard.push(trash);
  if (kept !== undefined) moves.push({ kind: 'in', from: kept, to: path, found: VACANT });
  return { ok: true };
}

function stageEntry(staging: Staging, entry: PlannedEntry): Outcome {
  const { moves, discard, prepared, agentHome, boundary } = staging;
  const { path, skill, before, replaces } = entry;
  const folder = openFolder(dirname(path), boundary);
  if (!folder.ok) return folder;
  const to = join(folder.realDir, basename(path));
  if (replaces === 'nothing' && isTaken(to)) return fail('STORE_FAILED', `${path} exists meanwhile`, 'Try again.');
  const staged = newPath(folder.realDir);
  prepared.push(staged);
  const made = makeContent(staging, entry, staged);
  if (!made.ok) return made;
  const { content } = made;
  const trash = newPath(folder.realDir);
  const found = stampPlace(to);
  const isSwap = replaces === 'ours' && before?.content.kind === 'link' && content.kind === 'link';
  if (replaces === 'ours' && !isSwap) {
    moves.push({ kind: 'out', from: to, to: trash, found });
    discard.push(trash);
  }
  let { kept } = before ?? {};
  if (replaces === 'given') {
    kept = join(syncFolder(agentHome), REPLACED, uniqueName());
    const opened = makeFolder(dirname(kept));
    if (!opened.ok) return opened;
    moves.push({ kind: 'out', from: to, to: kept, found });
  }
  moves.push({ kind: 'in', from: staged, to, found: isSwap ? found : VACANT });
  discard.push(staged);
  staging.made.push({ path, skill, content, ...(kept === undefined ? {} : { kept }) });
  return { ok: true };
}

/** Where entries are kept that ours replaced. */
export const REPLACED = 'kept';

/** Makes a link, or a copy where links are not possible. */
function makeContent(
  { isCopying, sync }: Staging,
  { dir, target }: PlannedEntry,
  staged: string,
): Outcome<Pick<OwnEntry, 'content'>> {
  const linked = isCopying ? undefined : makeLink(staged, target);
  if (linked?.ok === true) return { ok: true, content: { kind: 'link', target } };
  if (linked?.isRefused === false) return linked;
  const opened = makeStagingFolder(staged, sync);
  if (!opened.ok) return opened;
  const copied = digestFolder(openSkillFolder(dir), ({ path, executable }, bytes) =>
    opened.folder.write({ path, executable, bytes }),
  );
  return copied.ok ? { ok: true, content: { kind: 'copy', from: dir, digest: copied.digest } } : copied;
}

function stageFile(staging: Staging, { path, before, after }: FileEdit, plan: WholePlan): Outcome {
  const { boundary, files, moves, discard, prepared } = staging;
  const folder = openFolder(dirname(path), boundary);
  if (!folder.ok) return folder;
  const target = boundary === undefined ? path : join(folder.realDir, basename(path));
  if (boundary !== undefined && !['missing', 'file'].includes(kindAt(target)))
    return fail('PATH_REFUSED', `${path} is not a regular file, and the project may be a clone`, 'Move it away.');
  const known = plan.before.files.find((file) => file.path === path);
  const isLeft = !plan.after.files.some((file) => file.path === path);
  if (isLeft && known?.backup !== undefined) discard.push(known.backup);
  if (known === undefined && before !== undefined) {
    const saved = prepareBackup(target);
    if (!saved.ok) return saved;
    prepared.push(saved.prepared);
    moves.push({ kind: 'in', from: saved.prepared, to: saved.to });
    staging.backups.push([path, saved.to]);
  }
  if (after !== undefined) return stageText(staging, target, after);
  const trash = newPath(folder.realDir);
  files.push({ kind: 'out', from: target, to: trash, found: stampPlace(target) });
  discard.push(trash);
  return { ok: true };
}

function stageText({ files, discard, prepared, sync }: Staging, path: string, text: string): Outcome {
  const written = prepareFile(path, text, sync);
  if (!written.ok) return written;
  prepared.push(written.prepared);
  files.push({ kind: 'in', from: written.prepared, to: written.target, found: stampPlace(written.target) });
  discard.push(written.prepared);
  return { ok: true };
}

function openFolder(path: string, boundary: string | undefined): Outcome<{ readonly realDir: string }> {
  return makeFolderInside(path, boundary);
}
