import { spawn, type ChildProcess } from 'node:child_process';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt, systemCode } from '../errors.ts';

export interface BlobReader {
  read(id: string, maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  close(): Promise<void>;
}

export interface BlobReaderOptions {
  /** The whole command line of `git cat-file --batch`. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Local objects never take this long. */
const PATIENCE_MS = 30_000;

/** Reads objects one at a time through one git process, started on the first read. */
export function openBlobReader(options: BlobReaderOptions): BlobReader {
  let current: Batch | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const readNow = async (id: string, maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>> => {
    if (!/^[0-9a-f]{40}$/.test(id)) return fail('INSTALL_FAILED', 'this is not an object id');
    current ??= startBatch(options);
    const answer = await current.ask(id, maxBytes);
    if (answer.ok) return answer;
    // The rest of this answer must not be mistaken for the next one.
    await current.stop();
    current = undefined;
    return answer;
  };
  return {
    read(id, maxBytes) {
      const answer = last.then(() => readNow(id, maxBytes));
      last = answer;
      return answer;
    },
    async close() {
      await last;
      await current?.stop();
      current = undefined;
    },
  };
}

interface Batch {
  ask(id: string, maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  stop(): Promise<void>;
}

interface Request {
  readonly maxBytes: number;
  readonly settle: (answer: Outcome<{ readonly bytes: Uint8Array }>) => void;
}

function startBatch({ command: [file = '', ...args], cwd, env }: BlobReaderOptions): Batch {
  const child = spawn(file, args, {
    cwd,
    env: { NODE_V8_COVERAGE: undefined, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let request: Request | undefined;
  let received: Buffer[] = [];
  const settle = (answer: Outcome<{ readonly bytes: Uint8Array }>): void => {
    request?.settle(answer);
    request = undefined;
    received = [];
  };
  const giveUp = (): void => settle(fail('INSTALL_FAILED', 'git did not return an object of the repository'));
  for (const stream of [child, child.stdin, child.stdout]) stream.on('error', (error) => failed(error, giveUp));
  child.once('close', giveUp);
  child.stdout.on('data', (bytes: Buffer) => {
    if (request === undefined) return;
    received.push(bytes);
    const answer = parseAnswer(received, request.maxBytes);
    if (answer !== undefined) settle(answer);
  });
  return {
    async ask(id, maxBytes) {
      const answer = new Promise<Outcome<{ readonly bytes: Uint8Array }>>((resolve) => {
        request = { maxBytes, settle: resolve };
      });
      const timer = setTimeout(giveUp, PATIENCE_MS);
      child.stdin.write(`${id}\n`);
      if (child.exitCode !== null || child.signalCode !== null) giveUp();
      return await answer.finally(() => clearTimeout(timer));
    },
    async stop() {
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

/** Parses the answer `<id> blob <size>\n<bytes>\n`; undefined while it is incomplete. */
function parseAnswer(
  received: readonly Buffer[],
  maxBytes: number,
): Outcome<{ readonly bytes: Uint8Array }> | undefined {
  const [first = Buffer.alloc(0)] = received;
  const end = first.indexOf('\n');
  if (end === -1) return undefined;
  const size = /^[0-9a-f]{40} blob (\d+)$/.exec(first.toString('latin1', 0, end))?.[1];
  if (size === undefined) return fail('INSTALL_FAILED', 'this is not a file of the repository');
  if (Number(size) > maxBytes) return fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`);
  const length = received.reduce((sum, bytes) => sum + bytes.length, 0);
  const start = end + 1;
  if (length <= start + Number(size)) return undefined;
  return { ok: true, bytes: Buffer.concat(received).subarray(start, start + Number(size)) };
}
