import type { Failure, Outcome } from '../../model/outcome.ts';
import { breathe } from '../../platform/clock.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { syncFolders } from '../../platform/files/staging-folder.ts';
import { FEW_LEFT, type SyncQueue } from '../../platform/files/sync-queue.ts';
import { countCores } from '../../platform/process/cores.ts';
import type { Thread } from '../../platform/process/thread.ts';
import type { FetchedSkill } from './stage-skill.ts';
import type { StageRequest } from './stage-thread.ts';
import { stageTree } from './stage-tree.ts';

/** Writes skills to their staging folders while the caller reads and audits the next ones. */
export interface Stager extends AsyncDisposable {
  add(skill: UnwrittenSkill): Promise<void>;
  /**
   * Waits until all that was added is written and, but for a few files that `sync` is flushing, on disk. The failures of single
   * skills, of which nothing remains, are by staging folder.
   */
  flush(): Promise<Outcome<{ readonly failed: ReadonlyMap<string, Failure> }>>;
}

/** A skill in memory, and the folder to write it to. */
type UnwrittenSkill = Pick<FetchedSkill, 'dir' | 'contents'>;

export interface StagerOptions {
  /** Flushes what is written here. */
  readonly sync: SyncQueue;
  /** From so many skills on, a thread is started. */
  readonly many?: number;
  /** The program of the thread. */
  readonly program?: URL;
}

/** With fewer skills, the start of a thread takes longer than it saves. */
const MANY_SKILLS = 400;

/** More than this is not left to the thread but written here, so that both are done at the same time. */
const MAX_AHEAD = 16;
const MAX_AHEAD_BYTES: number = 4 * 1024 * 1024;
/** Files are held for a moment only. */
const YOUNG_MB = 4;

/** Creating files takes as long as auditing them: of many skills, a thread writes some. */
export async function openStager(
  count: number,
  { sync, many = MANY_SKILLS, program = PROGRAM }: StagerOptions,
): Promise<Stager> {
  const thread = count >= many && countCores() > 1 ? await startThread(program) : undefined;
  const failed = new Map<string, Failure>();
  const writtenThere: string[] = [];
  const writing = new Set<Promise<void>>();
  let bytesAhead = 0;

  function note(into: string, staged: Outcome): void {
    if (!staged.ok) failed.set(into, staged);
  }
  function writeHere({ dir, contents }: UnwrittenSkill): void {
    note(dir, stageTree({ contents }, { into: dir, sync }));
  }
  async function writeThere(there: Thread, skill: UnwrittenSkill): Promise<void> {
    const { dir, contents } = skill;
    const answer = await ask(there, { into: dir, contents: contents.map(withOwnBytes) });
    if (answer !== undefined) {
      writtenThere.push(dir);
      return note(dir, answer);
    }
    removeTree(dir);
    writeHere(skill);
  }
  async function flushThere(): Promise<Outcome> {
    const dirs = writtenThere.splice(0).filter((dir) => !failed.has(dir));
    if (thread === undefined || dirs.length === 0) return { ok: true };
    return (await ask(thread, 'flush')) ?? syncFolders(dirs);
  }
  return {
    async add(skill) {
      const bytes = sizeOf(skill);
      const isBusy = (): boolean => writing.size >= MAX_AHEAD || bytesAhead + bytes > MAX_AHEAD_BYTES;
      // Its answers may have arrived already.
      if (thread !== undefined && isBusy()) await breathe();
      if (thread === undefined || thread.isOver || isBusy()) return writeHere(skill);
      bytesAhead += bytes;
      const written = writeThere(thread, skill).finally(() => {
        writing.delete(written);
        bytesAhead -= bytes;
      });
      writing.add(written);
    },
    async flush() {
      await Promise.all(writing);
      const [here, there] = [await sync.flush(FEW_LEFT), await flushThere()];
      if (!here.ok) return here;
      return there.ok ? { ok: true, failed: new Map(failed) } : there;
    },
    async [Symbol.asyncDispose]() {
      await thread?.close();
    },
  };
}

const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './stage-thread.ts' : './stage-thread.js', import.meta.url);

/** Lazy: few installations need one. */
async function startThread(program: URL): Promise<Thread | undefined> {
  const { Thread } = await import('../../platform/process/thread.ts');
  return Thread.start(program, { youngMb: YOUNG_MB });
}

/** Undefined if the thread has failed. */
async function ask(thread: Thread, request: StageRequest): Promise<Outcome | undefined> {
  const asked = await thread.ask(request, new AbortController().signal);
  // Our own program answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return asked.ok ? (asked.answer as Outcome) : undefined;
}

function sizeOf({ contents }: UnwrittenSkill): number {
  return contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** A message takes the whole buffer along, of which the bytes may be a small part. */
function withOwnBytes<T extends { readonly bytes: Uint8Array }>(file: T): T {
  return file.bytes.buffer.byteLength === file.bytes.byteLength
    ? file
    : { ...file, bytes: Uint8Array.from(file.bytes) };
}
