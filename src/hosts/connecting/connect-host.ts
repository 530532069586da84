import { dirname, join } from 'node:path';

import { editForeignFile, type ForeignText, type ForeignEdit } from '../../config/edit-foreign-file.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import type { Environment } from '../../platform/environment.ts';
import { exists, readOwnText } from '../../platform/files/files.ts';
import { removeEmptyFolders } from '../../platform/files/remove-tree.ts';
import { SERVER_NAME } from '../clients/client-config.ts';
import type { Connection } from '../clients/client-table.ts';
import { HOOKS } from '../hooks/all-hooks.ts';
import type { HookPiece } from '../hooks/host-hook.ts';
import type { Host } from '../host.ts';
import type { ChangedFile } from '../sync/sync-plan.ts';
import { readRecords, writeRecords, type FileRecord } from './connection-record.ts';
import { mentionsUs, putPiece, takeHooks } from './our-hooks.ts';
import { serverEntry } from './server-entry.ts';
import { findChange, undoChanges, type Swap } from './text-change.ts';

export type ConnectPlace = Pick<Environment, 'cwd' | 'home' | 'variables' | 'agentHome'>;

/** How to connect a host. */
export interface ConnectRequest {
  /** How it starts our MCP server; absent: it is left without. */
  readonly server?: Connection | undefined;
  /** The command that answers its hook; absent: it is left without. */
  readonly hook?: readonly string[] | undefined;
  /** Have the hook start a process for each message, even if the host could ask the MCP server. */
  readonly startsProcess?: boolean | undefined;
  /** Have the host tell us of every skill that is used. */
  readonly recordsUse?: boolean | undefined;
}

export interface ConnectOutcome {
  /** The files of the host that are concerned, changed or not. */
  readonly files: readonly ForeignEdit[];
}

/**
 * Writes our MCP server and our hook into the files of a host, which keep their comments and everything else. Connecting
 * again changes only what differs.
 */
export async function connectHost(
  host: Host,
  place: ConnectPlace,
  request: ConnectRequest,
): Promise<Outcome<ConnectOutcome>> {
  const plans = planFiles(host, place, request);
  const known = new Map(readRecords(place.agentHome, host.id).map((record) => [record.path, record]));
  const records = new Map(known);
  const missing = new Map(plans.map(({ path }) => [path, findMissing(dirname(path))]));
  const files: ForeignEdit[] = [];
  for (const plan of plans) {
    const { path, steps } = plan;
    const record = known.get(path);
    const wasThere = record?.wasThere ?? exists(path);
    const folder = record?.folder ?? missing.get(path);
    const edit = async (text: string): Promise<ForeignText> => {
      const made = connectText(text, plan, { record, wasThere });
      if (!made.ok) return made;
      // First, so that a process that is killed leaves nothing that cannot be taken back.
      records.set(path, { path, wasThere, folder, changes: made.changes });
      const kept = [...records.values()].filter(({ changes }) => changes.length > 0);
      const written = writeRecords(place.agentHome, host.id, kept);
      return written.ok ? { ok: true, text: made.text } : written;
    };
    if (steps('').length === 0 && !exists(path)) continue;
    const edited = await editForeignFile(path, edit, { withoutBackup: record !== undefined });
    if (!edited.ok) return edited;
    files.push(edited);
  }
  return { ok: true, files };
}

/** Takes out what connecting put in. A file that nobody else changed is as it was, to the byte; one that we made is gone. */
export async function disconnectHost(host: Host, place: ConnectPlace): Promise<Outcome<ConnectOutcome>> {
  const known = readRecords(place.agentHome, host.id);
  const plans = planFiles(host, place, { server: NOTHING, hook: [] });
  const files: ForeignEdit[] = [];
  // In reverse, so that a folder is empty when the file goes for which it was made.
  for (const plan of plans.toReversed()) {
    const { path } = plan;
    if (!exists(path)) continue;
    const record = known.find((each) => each.path === path);
    const edited = await editForeignFile(path, async (text) => disconnectText(text, plan, record), {
      withoutBackup: true,
    });
    if (!edited.ok) return edited;
    if (record?.folder !== undefined && !exists(path)) removeEmptyFolders(dirname(path), record.folder);
    files.push(edited);
  }
  const forgotten = writeRecords(place.agentHome, host.id, []);
  return forgotten.ok ? { ok: true, files } : forgotten;
}

/** Says what `connectHost` would write, and writes nothing; without a request, what `disconnectHost` would. */
export function planConnection(
  host: Host,
  place: ConnectPlace,
  request?: ConnectRequest,
): Outcome<{ readonly files: readonly ChangedFile[] }> {
  const records = readRecords(place.agentHome, host.id);
  const files: ChangedFile[] = [];
  for (const plan of planFiles(host, place, request ?? { server: NOTHING, hook: [] })) {
    const { path, steps } = plan;
    const isThere = exists(path);
    if (!isThere && (request === undefined || steps('').length === 0)) continue;
    const read = readOwnText(path);
    if (!read.ok) return read;
    const text = read.text ?? '';
    const record = records.find((each) => each.path === path);
    const made =
      request === undefined
        ? disconnectText(text, plan, record)
        : connectText(text, plan, { record, wasThere: record?.wasThere ?? isThere });
    if (!made.ok) return fail(made.code, `${path}: ${made.message}`, made.hint);
    if (made.text !== read.text) files.push({ path, diff: renderDiff(text, made.text ?? '', path.replace(/^\//, '')) });
  }
  return { ok: true, files };
}

interface KnownFile {
  readonly record: FileRecord | undefined;
  readonly wasThere: boolean;
}

function connectText(
  text: string,
  { steps, take, takeOld }: FilePlan,
  { record, wasThere }: KnownFile,
): Outcome<{ readonly text: string | undefined; readonly changes: readonly Swap[] }> {
  const before = record === undefined ? takeOld(text) : takeOut(text, record, take);
  if (!before.ok) return before;
  const made = applyAll(before.text, steps(text));
  return made.ok ? { ...made, text: wasThere ? made.text : dropEmpty(made.text) } : made;
}

function disconnectText(text: string, { take, isWhole }: FilePlan, record: FileRecord | undefined): ForeignText {
  const left = takeOut(text, record, take);
  if (!left.ok) return left;
  return { ok: true, text: isWhole || record?.wasThere === false ? dropEmpty(left.text) : left.text };
}

/** A file in which nothing is left. */
function dropEmpty(text: string): string | undefined {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text) ? undefined : text;
}

const NOTHING: Connection = { kind: 'stdio', command: '', args: [] };

type Edit = (text: string) => Outcome<{ readonly text: string }>;

/** The work on one file. */
interface FilePlan {
  readonly path: string;
  /** Puts everything in; `given` is the text with what was there before. */
  readonly steps: (given: string) => readonly Edit[];
  /** Takes out whatever is ours in it, however it came there. */
  readonly take: Edit;
  /** Takes out hooks of ours alone. An entry of our server that a person made is theirs. */
  readonly takeOld: Edit;
  /** Is all of the file ours? */
  readonly isWhole: boolean;
}

function planFiles(host: Host, place: ConnectPlace, request: ConnectRequest): readonly FilePlan[] {
  const { server, hook: command, startsProcess = false, recordsUse = false } = request;
  const entry = serverEntry(host.id);
  const serverFile = entry.file(place);
  const hook = HOOKS[host.id];
  const asksServer = hook.canAskServer && server !== undefined && !startsProcess;
  const call = { command: command ?? [], server: asksServer ? SERVER_NAME : undefined, recordsUse };
  const pieces = hook.pieces({ ...call, recordsUse: true });
  const wanted = command === undefined ? [] : hook.pieces(call);
  const files = new Set([serverFile, ...pieces.map(({ file }) => join(host.folder(place), file))]);
  return [...files].map((path): FilePlan => {
    const isHere = ({ file }: HookPiece): boolean => join(host.folder(place), file) === path;
    const isServer = path === serverFile;
    const isWhole = pieces.some((piece) => isHere(piece) && piece.kind === 'file');
    const takeOld: Edit = (text) => (pieces.some(isHere) && !isWhole ? takeHooks(text, host.id) : { ok: true, text });
    return {
      path,
      isWhole,
      takeOld,
      steps: (given) => [
        ...(isServer && server !== undefined ? [(text: string) => entry.put(text, server, entry.find(given))] : []),
        ...wanted.filter(isHere).map(
          (piece): Edit =>
            (text) =>
              put(text, piece, host),
        ),
      ],
      take: (text) => {
        if (isWhole) return { ok: true, text: mentionsUs(text, host.id) ? '' : text };
        const hooks = takeOld(text);
        return hooks.ok && isServer ? entry.take(hooks.text) : hooks;
      },
    };
  });
}

function put(text: string, piece: HookPiece, { id }: Host): Outcome<{ readonly text: string }> {
  if (piece.kind !== 'file') return putPiece(text, piece);
  if (text.trim() === '' || mentionsUs(text, id)) return { ok: true, text: piece.text };
  return fail('CONFIG_INVALID', 'it is a file that somebody else made', 'Move it away.');
}

/** By what we remember of it, else by what is recognised. */
function takeOut(text: string, record: FileRecord | undefined, take: Edit): Outcome<{ readonly text: string }> {
  const undone = record === undefined ? undefined : undoChanges(text, record.changes);
  return undone === undefined ? take(text) : { ok: true, text: undone };
}

function applyAll(
  text: string,
  steps: readonly Edit[],
): Outcome<{ readonly text: string; readonly changes: readonly Swap[] }> {
  const changes: Swap[] = [];
  let edited = text;
  for (const step of steps) {
    const done = step(edited);
    if (!done.ok) return done;
    if (done.text !== edited) changes.push(findChange(edited, done.text));
    edited = done.text;
  }
  return { ok: true, text: edited, changes };
}

/** The uppermost folder on the way to this one that does not exist. */
function findMissing(folder: string): string | undefined {
  if (exists(folder)) return undefined;
  return findMissing(dirname(folder)) ?? folder;
}
