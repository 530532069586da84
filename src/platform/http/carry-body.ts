const SLICE_BYTES: number = 64 * 1024;

export interface CarryOptions {
  /** Reading ahead pauses while this many bytes wait. */
  readonly maxBytes: number;
  /** Called with a positive number when bytes were produced, and with a negative one when they were taken or dropped. */
  readonly count: (bytes: number) => void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Returns the same response and counts the bytes of its body that were produced and not yet taken. Reads ahead, and gives
 * the body out in small slices, so that reading it shows progress.
 */
export function carryBody(response: Response, { maxBytes, count, signal }: CarryOptions): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const queue = openQueue(count);
  const drop = (): void => {
    queue.close({});
    queue.clear();
    void reader.cancel();
  };
  signal.addEventListener('abort', drop, { once: true });
  let reading: Promise<void> | undefined;
  const readAhead = async (): Promise<void> => {
    while (queue.end() === undefined && queue.size() < maxBytes) {
      const { done, value } = await reader.read();
      if (done) queue.close({});
      else queue.push(value);
    }
  };
  const keepReading = (): void => {
    reading ??= readAhead()
      .catch((error: unknown) => queue.close({ error }))
      .finally(() => {
        reading = undefined;
      });
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        keepReading();
        await queue.filled();
        const slice = queue.take();
        const end = queue.end();
        if (slice !== undefined) controller.enqueue(slice);
        else {
          signal.removeEventListener('abort', drop);
          if (end !== undefined && 'error' in end) controller.error(end.error);
          else controller.close();
        }
      },
      cancel() {
        signal.removeEventListener('abort', drop);
        drop();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

type End = { readonly error?: unknown };

interface ByteQueue {
  size(): number;
  /** Ignored after the end. */
  push(bytes: Uint8Array): void;
  /** The next slice; undefined if there is none. */
  take(): Uint8Array | undefined;
  clear(): void;
  /** Only the first call counts. */
  close(end: End): void;
  end(): End | undefined;
  /** Resolves when there is a slice to take, or the end. */
  filled(): Promise<void>;
}

function openQueue(count: (bytes: number) => void): ByteQueue {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let end: End | undefined;
  let wake = (): void => undefined;
  const change = (bytes: number): void => {
    size += bytes;
    if (bytes !== 0) count(bytes);
  };
  return {
    size: () => size,
    push(bytes) {
      if (end !== undefined) return;
      chunks.push(bytes);
      change(bytes.length);
      wake();
    },
    take() {
      const [first] = chunks;
      if (first === undefined) return undefined;
      const slice = first.subarray(0, SLICE_BYTES);
      if (slice.length === first.length) chunks.shift();
      else chunks[0] = first.subarray(SLICE_BYTES);
      change(-slice.length);
      return slice;
    },
    clear() {
      chunks.length = 0;
      change(-size);
    },
    close(given) {
      end ??= given;
      wake();
    },
    end: () => end,
    filled() {
      if (chunks.length > 0 || end !== undefined) return Promise.resolve();
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
