import { basename, dirname, join } from 'node:path';

import { copyFolder } from '../../catalog/trust.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { isTaken, realPath } from '../../platform/files/files.ts';
import { closeCopy, kindAt, makeFolderInside, makeLink } from '../../platform/files/folders.ts';
import { temporaryPath } from '../../platform/files/leftovers.ts';
import { makeChange, VACANT, inodeAndCtime, type Move } from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { prepareBackup, prepareFile, type FileOptions } from '../../platform/files/replace-file.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { syncPaths } from '../../platform/files/write-folder.ts';
import { renderSyncManifest, sortManifest, type EditedFile, type OwnEntry, type SyncManifest } from './manifest.ts';
import type { FileEdit, PlannedEntry, WholePlan } from './sync-plan.ts';
import type { SyncRequest } from './sync-request.ts';

/** Carries out a plan, completely or not at all: if this process is killed, the next one finishes it. */
export async function applyPlan(
  plan: WholePlan,
  request: SyncRequest,
  { guards, check }: { readonly guards: readonly string[]; readonly check: () => Outcome },
): Promise<Outcome<{ readonly manifest: SyncManifest }>> {
  const { boundary, isCopying, environment, manifestFile } = request;
  const { agentHome } = environment;
  const staging: Staging = {
    boundary,
    isCopying,
    written: [],
    moves: [],
    files: [],
    discard: [],
    prepared: [],
    made: [],
    backups: [],
  };
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
  const written = stageText(staging, manifestFile, renderSyncManifest(manifest), { isPrivate: true });
  const synced = written.ok ? await syncPaths(staging.written) : written;
  if (!synced.ok) return giveUp(staging, synced);
  const { moves, files, discard, prepared } = staging;
  const change = { guards, moves: [...moves, ...files], discard, prepared };
  const made = makeChange(agentHome, change, check);
  return made.ok ? { ok: true, manifest } : made;
}

interface Staging extends Pick<SyncRequest, 'boundary' | 'isCopying'> {
  /** Files and folders to flush to disk. */
  readonly written: string[];
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

function stageRemoval({ moves, discard }: Staging, { path }: OwnEntry): Outcome {
  const trash = temporaryPath(realPath(dirname(path)) ?? dirname(path), 'new');
  moves.push({ kind: 'out', from: path, to: trash, found: inodeAndCtime(path) });
  discard.push(trash);
  return { ok: true };
}

function stageEntry(staging: Staging, entry: PlannedEntry): Outcome {
  const { moves, discard, prepared, boundary } = staging;
  const { path, skill, before } = entry;
  const folder = makeFolderInside(dirname(path), { boundary });
  if (!folder.ok) return folder;
  const to = join(folder.realDir, basename(path));
  if (before === undefined && isTaken(to)) return fail('STORE_FAILED', `${path} exists meanwhile`, { retry: 'now' });
  const staged = temporaryPath(folder.realDir, 'new');
  prepared.push(staged);
  const made = makeContent(staging, entry, staged);
  if (!made.ok) return made;
  const { content } = made;
  const trash = temporaryPath(folder.realDir, 'new');
  const found = inodeAndCtime(to);
  const isSwap = before?.content.kind === 'link' && content.kind === 'link';
  if (before !== undefined && !isSwap) {
    moves.push({ kind: 'out', from: to, to: trash, found });
    discard.push(trash);
  }
  moves.push({ kind: 'in', from: staged, to, found: isSwap ? found : VACANT });
  discard.push(staged);
  staging.made.push({ path, skill, content });
  return { ok: true };
}

/** Makes a link, or a copy where links are not possible. */
function makeContent(
  { isCopying, written }: Staging,
  { dir, target }: PlannedEntry,
  staged: string,
): Outcome<Pick<OwnEntry, 'content'>> {
  const linked = isCopying ? undefined : makeLink(staged, target);
  if (linked?.ok === true) return { ok: true, content: { kind: 'link', target } };
  if (linked?.isRefused === false) return linked;
  written.push(staged);
  const copied = copyFolder(openSkillFolder(dir), staged);
  if (!copied.ok) return copied;
  const closed = closeCopy(staged, [dir, join(dir, 'SKILL.md')]);
  return closed.ok ? { ok: true, content: { kind: 'copy', from: dir, digest: copied.digest } } : closed;
}

function stageFile(staging: Staging, { path, before, after }: FileEdit, plan: WholePlan): Outcome {
  const { boundary, files, moves, discard, prepared } = staging;
  const folder = makeFolderInside(dirname(path), { boundary });
  if (!folder.ok) return folder;
  const target = boundary === undefined ? path : join(folder.realDir, basename(path));
  if (boundary !== undefined && !['missing', 'file'].includes(kindAt(target)))
    return fail('PATH_REFUSED', `${path} is not a regular file, and the project may be a clone`, { moveAway: path });
  const known = plan.before.files.find((file) => file.path === path);
  const isLeft = !plan.after.files.some((file) => file.path === path);
  if (isLeft && known?.backup !== undefined) discard.push(known.backup);
  if (known === undefined && before !== undefined) {
    const saved = prepareBackup(target);
    if (!saved.ok) return saved;
    staging.written.push(saved.prepared);
    prepared.push(saved.prepared);
    moves.push({ kind: 'in', from: saved.prepared, to: saved.to });
    staging.backups.push([path, saved.to]);
  }
  if (after !== undefined) return stageText(staging, target, after);
  const trash = temporaryPath(folder.realDir, 'new');
  files.push({ kind: 'out', from: target, to: trash, found: inodeAndCtime(target) });
  discard.push(trash);
  return { ok: true };
}

function stageText(staging: Staging, path: string, text: string, options?: FileOptions): Outcome {
  const made = prepareFile(path, text, options);
  if (!made.ok) return made;
  const { prepared, target } = made;
  staging.written.push(prepared);
  staging.prepared.push(prepared);
  staging.files.push({ kind: 'in', from: prepared, to: target, found: inodeAndCtime(target) });
  staging.discard.push(prepared);
  return { ok: true };
}
