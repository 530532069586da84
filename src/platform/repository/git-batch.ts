import { spawn, type ChildProcess } from 'node:child_process';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt, systemCode } from '../errors.ts';

export interface BatchCommand {
  /** The whole command line of `git cat-file --batch`. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A blob of a repository. The bytes are shared by all who read it. */
export type BlobContent = Outcome<{ readonly bytes: Uint8Array }>;

/** The side that asks. Answers come in the order of the questions. */
export interface BatchEvents {
  /** The most bytes of the next answer; undefined if none is due. */
  readonly limit: () => number | undefined;
  /** After a failure, this process answers nothing more. */
  readonly receive: (answer: BlobContent) => void;
}

/** One process of `git cat-file --batch`. */
export interface Batch {
  ask(ids: readonly string[]): void;
  stop(): Promise<void>;
}

/** Local objects never take this long. */
const PATIENCE_MS = 30_000;
const SILENT = fail('INSTALL_FAILED', 'git did not return an object of the repository');

export function startBatch({ command: [file = '', ...args], cwd, env }: BatchCommand, events: BatchEvents): Batch {
  const child = spawn(file, args, {
    cwd,
    env: { NODE_V8_COVERAGE: undefined, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const parser = openParser();
  let isDone = false;
  const timer = setTimeout(giveUp, PATIENCE_MS);
  function giveUp(): void {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    events.receive(SILENT);
  }
  function readAnswers(): void {
    for (let limit = events.limit(); !isDone && limit !== undefined; limit = events.limit()) {
      const answer = parser.next(limit);
      if (answer === undefined) break;
      isDone = !answer.ok;
      events.receive(answer);
    }
    if (isDone || events.limit() === undefined) clearTimeout(timer);
    else timer.refresh();
  }
  for (const stream of [child, child.stdin, child.stdout]) stream.on('error', (error) => failed(error, giveUp));
  child.once('close', giveUp);
  child.stdout.on('data', (bytes: Buffer) => {
    parser.add(bytes);
    readAnswers();
  });
  return {
    ask(ids) {
      if (isDone) return;
      child.stdin.write(`${ids.join('\n')}\n`);
      timer.refresh();
    },
    async stop() {
      isDone = true;
      clearTimeout(timer);
      kill(child);
      await gone;
    },
  };
}

function failed(error: Error, giveUp: () => void): void {
  if (systemCode(error) === undefined) throw error;
  giveUp();
}

function kill(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
  else attempt(() => process.kill(-pid, 'SIGKILL'));
}

interface AnswerParser {
  add(bytes: Buffer): void;
  /** The next answer; undefined while it is incomplete. */
  next(maxBytes: number): BlobContent | undefined;
}

/** Parses answers of the form `<id> blob <size>\n<bytes>\n`. */
function openParser(): AnswerParser {
  let received: Buffer[] = [];
  let length = 0;
  /** Fewer bytes than this hold no whole answer. */
  let needed = 0;
  return {
    add(bytes) {
      received.push(bytes);
      length += bytes.length;
    },
    next(maxBytes) {
      if (length === 0 || length < needed) return undefined;
      const all = received.length === 1 ? (received[0] ?? NOTHING) : Buffer.concat(received);
      received = [all];
      const end = all.indexOf('\n');
      if (end === -1) return undefined;
      const size = /^[0-9a-f]{40} blob (\d+)$/.exec(all.toString('latin1', 0, end))?.[1];
      if (size === undefined) return fail('INSTALL_FAILED', 'this is not a file of the repository');
      if (Number(size) > maxBytes) return fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`);
      const [start, stop] = [end + 1, end + 1 + Number(size)];
      needed = stop + 1;
      if (length < needed) return undefined;
      received = [all.subarray(needed)];
      length -= needed;
      needed = 0;
      // A copy, so that a small blob does not keep all that was received with it.
      return { ok: true, bytes: Uint8Array.prototype.slice.call(all, start, stop) };
    },
  };
}

const NOTHING = Buffer.alloc(0);
