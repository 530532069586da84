import { dirname, join } from 'node:path';

import { editForeignFile, type ForeignText, type ForeignEdit } from '../../config/edit-foreign-file.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import type { Environment } from '../../platform/environment.ts';
import { exists, readOwnText } from '../../platform/files/files.ts';
import { withLock } from '../../platform/files/lock.ts';
import { removeEmptyFolders } from '../../platform/files/remove-tree.ts';
import { SERVER_NAME, serverEntry, type Connection } from '../clients/client-config.ts';
import { takeBack, withChange, type ChangedText, type Swap } from '../editing/text-changes.ts';
import type { HookPiece } from '../hooks/host-hook.ts';
import type { KnownHost } from '../host.ts';
import type { ChangedFile } from '../sync/sync-plan.ts';
import { readRecords, recordFile, writeRecords, type FileRecord } from './connection-record.ts';
import { mentionsUs, putPiece, takeHooks } from './our-hooks.ts';

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
 * Adds our MCP server and hook to an agent's settings, whose comments and other content stay. Connecting again changes
 * only differences.
 */
export function connectHost(
  host: KnownHost,
  place: ConnectPlace,
  request: ConnectRequest,
): Promise<Outcome<ConnectOutcome>> {
  return changeFiles(host, place, request);
}

/**
 * Removes what connecting added. A file that nobody else changed is restored byte for byte; one that we created is
 * deleted.
 */
export function disconnectHost(host: KnownHost, place: ConnectPlace): Promise<Outcome<ConnectOutcome>> {
  return changeFiles(host, place, undefined);
}

/** Says what `connectHost` would write, and writes nothing; without a request, what `disconnectHost` would. */
export function planConnection(
  host: KnownHost,
  place: ConnectPlace,
  request?: ConnectRequest,
): Outcome<{ readonly files: readonly ChangedFile[] }> {
  const files: ChangedFile[] = [];
  for (const { path, edit } of listWork(host, place, request)) {
    const read = readOwnText(path);
    if (!read.ok) return read;
    const made = edit(read.text ?? '');
    if (!made.ok) return fail(made.code, `${path}: ${made.message}`, made.next);
    const [before, after] = [read.text ?? '', made.text ?? ''];
    if (made.text !== read.text) files.push({ path, diff: renderDiff(before, after, path.replace(/^\//, '')) });
  }
  return { ok: true, files };
}

/** The records of all hosts are in one file, so one process at a time connects or disconnects. */
function changeFiles(
  host: KnownHost,
  place: ConnectPlace,
  request: ConnectRequest | undefined,
): Promise<Outcome<ConnectOutcome>> {
  const { agentHome } = place;
  const isLeaving = request === undefined;
  return withLock(recordFile(agentHome), async () => {
    const records = new Map(readRecords(agentHome, host.id).map((record) => [record.path, record]));
    const files: ForeignEdit[] = [];
    for (const { path, known, record, edit } of listWork(host, place, request)) {
      const change = async (text: string): Promise<ForeignText> => {
        const made = edit(text);
        if (!made.ok || isLeaving) return made;
        // First, so that a process that is killed leaves nothing that cannot be taken back.
        records.set(path, { ...record, changes: made.changes });
        const kept = [...records.values()].filter(({ changes }) => changes.length > 0);
        const written = writeRecords(agentHome, host.id, kept);
        return written.ok ? made : written;
      };
      const edited = await editForeignFile(path, change, { withoutBackup: isLeaving || known !== undefined });
      if (!edited.ok) return edited;
      if (isLeaving && record.folder !== undefined && !exists(path)) removeEmptyFolders(dirname(path), record.folder);
      files.push(edited);
    }
    const forgotten = isLeaving ? writeRecords(agentHome, host.id, []) : { ok: true as const };
    return forgotten.ok ? { ok: true, files } : forgotten;
  });
}

/** One file of a host that we change. */
interface FileWork {
  readonly path: string;
  /** Our record of it from before. */
  readonly known: FileRecord | undefined;
  readonly record: Omit<FileRecord, 'changes'>;
  /** The new text, undefined if the file is to be removed, and our changes that are in it then. */
  readonly edit: (text: string) => Outcome<{ readonly text: string | undefined; readonly changes: readonly Swap[] }>;
}

/** The files to change, in order; without a request those from which everything of ours is taken out. */
function listWork(host: KnownHost, place: ConnectPlace, request: ConnectRequest | undefined): readonly FileWork[] {
  const records = readRecords(place.agentHome, host.id);
  const plans = planFiles(host, place, request ?? { server: NOTHING, hook: [] });
  // In reverse, so that a folder is empty when the file goes for which it was made.
  const ordered = request === undefined ? plans.toReversed() : plans;
  return ordered.flatMap((plan): readonly FileWork[] => {
    const { path } = plan;
    const [known, isThere] = [records.find((each) => each.path === path), exists(path)];
    if (!isThere && (request === undefined || plan.steps('').length === 0)) return [];
    const wasThere = known?.wasThere ?? isThere;
    const record = { path, wasThere, folder: known?.folder ?? findMissing(dirname(path)) };
    const edit: FileWork['edit'] = (text) =>
      request === undefined ? disconnectText(text, plan, known) : connectText(text, plan, { known, wasThere });
    return [{ path, known, record, edit }];
  });
}

type ChangedFileText = ReturnType<FileWork['edit']>;

function connectText(
  text: string,
  { path, steps, take, takeOld }: FilePlan,
  { known, wasThere }: { readonly known: FileRecord | undefined; readonly wasThere: boolean },
): ChangedFileText {
  const before = known === undefined ? takeOld(text) : takeBack({ path, text }, known.changes, take);
  if (!before.ok) return before;
  let changed: ChangedText = { text: before.text, changes: [] };
  for (const step of steps(text)) {
    const done = step(changed.text);
    if (!done.ok) return done;
    changed = withChange(changed, done.text);
  }
  return { ok: true, changes: changed.changes, text: wasThere ? changed.text : dropEmpty(changed.text) };
}

function disconnectText(
  text: string,
  { path, take, isWhole }: FilePlan,
  known: FileRecord | undefined,
): ChangedFileText {
  const left = takeBack({ path, text }, known?.changes, take);
  if (!left.ok) return left;
  return { ok: true, changes: [], text: isWhole || known?.wasThere === false ? dropEmpty(left.text) : left.text };
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

function planFiles(host: KnownHost, place: ConnectPlace, request: ConnectRequest): readonly FilePlan[] {
  const { server, hook: command, startsProcess = false, recordsUse = false } = request;
  const entry = serverEntry(host.id);
  const serverFile = entry.file(place);
  const { hook } = host;
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

function put(text: string, piece: HookPiece, { id }: KnownHost): Outcome<{ readonly text: string }> {
  if (piece.kind !== 'file') return putPiece(text, piece);
  if (text.trim() === '' || mentionsUs(text, id)) return { ok: true, text: piece.text };
  return fail('CONFIG_INVALID', 'Skillplane did not create this file', { ask: 'user', to: 'Move it away.' });
}

/** The uppermost folder on the way to this one that does not exist. */
function findMissing(folder: string): string | undefined {
  if (exists(folder)) return undefined;
  return findMissing(dirname(folder)) ?? folder;
}
