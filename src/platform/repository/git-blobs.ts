import { fail, type Failure } from '../../model/outcome.ts';
import { startBatch, type Batch, type BatchCommand, type BatchEvents, type BlobContent } from './git-batch.ts';

export interface BlobReader {
  read(id: string, maxBytes: number): Promise<BlobContent>;
  /** Reads small blobs ahead, in this order, so that git reads while we work and neither waits for the other. */
  expect(blobs: readonly ExpectedBlob[]): void;
  /** Reads that are not answered yet fail. */
  close(): Promise<void>;
}

export interface ExpectedBlob {
  readonly id: string;
  readonly size: number;
}

interface Request {
  readonly id: string;
  readonly maxBytes: number;
  readonly settle: (answer: BlobContent) => void;
}

/** So many objects are asked for at once: git then reads while we work, and waits for us rarely. */
const AT_ONCE = 64;
/** Small blobs are kept: skills are found, written and audited from the same bytes. */
const MAX_KEPT_BLOB = 64 * 1024;
const MAX_KEPT: number = 32 * 1024 * 1024;

/** Reads objects through one git process, which is started at once. Each small one is read once. */
export function openBlobReader(command: BatchCommand): BlobReader {
  const waiting: Request[] = [];
  const asked: Request[] = [];
  const kept = openKept();
  const ahead = new Map<string, Promise<BlobContent>>();
  const events: BatchEvents = { limit: () => asked[0]?.maxBytes, receive };
  let batch: Batch | undefined = startBatch(command, events);
  let isClosed = false;

  function pump(): void {
    if (isClosed || asked.length > AT_ONCE / 2 || waiting.length === 0) return;
    const next = waiting.splice(0, AT_ONCE - asked.length);
    asked.push(...next);
    batch ??= startBatch(command, events);
    batch.ask(next.map(({ id }) => id));
  }
  function receive(answer: BlobContent): void {
    const request = asked.shift();
    if (answer.ok && request !== undefined) kept.add(request.id, answer.bytes);
    if (!answer.ok) {
      // The rest of a bad answer must not be mistaken for the next one.
      void batch?.stop();
      batch = undefined;
      waiting.unshift(...asked.splice(0));
    }
    request?.settle(answer);
    pump();
  }
  function request(id: string, maxBytes: number): Promise<BlobContent> {
    const answer = Promise.withResolvers<BlobContent>();
    // One message asks for all that is requested at the same time.
    if (waiting.length === 0) queueMicrotask(pump);
    waiting.push({ id, maxBytes, settle: answer.resolve });
    return answer.promise;
  }
  return {
    async read(id, maxBytes) {
      if (isClosed || !OBJECT_ID.test(id)) return fail('INSTALL_FAILED', 'this is not an object id');
      await ahead.get(id);
      ahead.delete(id);
      const bytes = kept.find(id);
      if (bytes !== undefined)
        return bytes.length > maxBytes
          ? fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`)
          : { ok: true, bytes };
      return isClosed ? CLOSED : request(id, maxBytes);
    },
    expect(blobs) {
      let room = kept.room();
      for (const { id, size } of blobs) {
        if (isClosed || !OBJECT_ID.test(id) || kept.find(id) !== undefined || ahead.has(id)) continue;
        if (size > MAX_KEPT_BLOB || size > room) continue;
        room -= size;
        ahead.set(id, request(id, MAX_KEPT_BLOB));
      }
    },
    async close() {
      isClosed = true;
      for (const { settle } of [...asked.splice(0), ...waiting.splice(0)]) settle(CLOSED);
      await batch?.stop();
    },
  };
}

const OBJECT_ID = /^[0-9a-f]{40}$/;
const CLOSED: Failure = fail('INSTALL_FAILED', 'the repository was closed');

interface KeptBlobs {
  find(id: string): Uint8Array | undefined;
  /** How many more bytes can be kept. */
  room(): number;
  add(id: string, bytes: Uint8Array): void;
}

function openKept(): KeptBlobs {
  const kept = new Map<string, Uint8Array>();
  let left = MAX_KEPT;
  return {
    find: (id) => kept.get(id),
    room: () => left,
    add(id, bytes) {
      if (bytes.length > MAX_KEPT_BLOB || bytes.length > left || kept.has(id)) return;
      left -= bytes.length;
      kept.set(id, bytes);
    },
  };
}
