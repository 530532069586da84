import { spawn } from 'node:child_process';

import { fail, type Outcome } from '../../model/outcome.ts';
import { systemCode } from '../errors.ts';
import type { Git } from './git-command.ts';
import type { TreeEntry, TreeEntryKind } from './repository.ts';

const LISTING_TIMEOUT_MS = 60_000;
/** Enough for some hundred thousand files. */
const MAX_LISTING_BYTES: number = 48 * 1024 * 1024;

/** Lists all files of a commit. */
export async function listCommit(
  git: Git,
  commit: string,
): Promise<Outcome<{ readonly entries: readonly TreeEntry[] }>> {
  const listed = await git.run(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], {
    maxOutputBytes: MAX_LISTING_BYTES,
    timeoutMs: LISTING_TIMEOUT_MS,
  });
  if (listed.ended === 'output') return fail('INSTALL_FAILED', 'the repository has too many files');
  if (listed.ended !== 'exited' || listed.exitCode !== 0)
    return fail('INSTALL_FAILED', 'git could not list the files of the repository');
  return { ok: true, entries: listed.stdout.split('\0').slice(0, -1).map(parseEntry) };
}

/** Parses `<mode> <type> <id> <size>\t<path>`; spaces precede the size. */
function parseEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/);
  const kind = KINDS[mode] ?? 'other';
  return {
    path: line.slice(tab + 1),
    kind,
    executable: mode === '100755',
    size: kind === 'file' ? Number(size) : 0,
    id,
  };
}

const KINDS: Readonly<Record<string, TreeEntryKind>> = {
  '100644': 'file',
  '100755': 'file',
  '120000': 'link',
  '160000': 'submodule',
};

/** Reads files of a listing, one after another. */
export interface FileReader {
  read(file: Pick<TreeEntry, 'id' | 'size'>): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  /** Reads that are not answered yet fail. */
  close(): Promise<void>;
}

/** Local objects never take this long. */
const PATIENCE_MS = 30_000;

/** Starts one `git cat-file --batch`, which ends when it is closed, and with this process. */
export function openFileReader(git: Git): FileReader {
  const [program = '', ...args] = git.command(['cat-file', '--batch']);
  const child = spawn(program, args, {
    cwd: git.dir,
    env: git.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  for (const source of [child, child.stdin]) source.on('error', expectSystemError);
  const chunks: AsyncIterator<Buffer, undefined> = child.stdout[Symbol.asyncIterator]();
  const kill = (): void => void child.kill('SIGKILL');
  let last: Promise<unknown> = Promise.resolve();

  async function readNext({ id, size }: Pick<TreeEntry, 'id' | 'size'>): Promise<Uint8Array | undefined> {
    const heading = `${id} blob ${size}\n`;
    const parts: Buffer[] = [];
    let missing = heading.length + size + 1;
    const timer = setTimeout(kill, PATIENCE_MS);
    child.stdin.write(`${id}\n`);
    while (missing > 0) {
      const part = await nextPart(chunks);
      if (part === undefined) break;
      parts.push(part);
      missing -= part.length;
      if (!heading.startsWith(parts[0]?.toString('latin1', 0, heading.length) ?? '')) break;
    }
    clearTimeout(timer);
    if (missing === 0) return new Uint8Array(Buffer.concat(parts).subarray(heading.length, heading.length + size));
    // The rest of an invalid answer must not be read as the next file.
    kill();
    return undefined;
  }
  return {
    async read(file) {
      const reading = last.then(() => readNext(file));
      last = reading;
      const bytes = await reading;
      return bytes === undefined
        ? fail('INSTALL_FAILED', 'git did not return a file of the repository')
        : { ok: true, bytes };
    },
    close() {
      kill();
      return gone;
    },
  };
}

/** Undefined if there is no more. */
async function nextPart(chunks: AsyncIterator<Buffer, undefined>): Promise<Buffer | undefined> {
  try {
    return (await chunks.next()).value;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Its output ends then, too, which is noticed there. */
function expectSystemError(error: Error): void {
  if (systemCode(error) === undefined) throw error;
}
