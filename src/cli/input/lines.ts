/** A line of a stream, or why it cannot be read. */
export type Line = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

export interface LineOptions {
  /** Longer lines are discarded as they arrive. */
  readonly maxBytes: number;
  /** Stops reading at once, even in the middle of a line. */
  readonly signal: AbortSignal;
}

const NEWLINE = 10;

/** Yields the lines of a stream as they arrive. The last needs no line end; a line that is not UTF-8 is reported. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: LineOptions,
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Line => {
    const line = size > maxBytes ? tooLong(size) : decode(Buffer.concat(parts));
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of untilAborted(stream, signal)) {
    const bytes = Buffer.from(chunk);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      add(bytes.subarray(from, end));
      yield take();
      if (signal.aborted) return;
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  if (size > 0 && !signal.aborted) yield take();
}

async function* untilAborted(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  const aborted = new Promise<{ readonly done: true }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true }), { once: true });
  });
  while (!signal.aborted) {
    const next = await Promise.race([chunks.next(), aborted]);
    if (next.done === true) return;
    yield next.value;
  }
}

function tooLong(size: number): Line {
  return { ok: false, problem: `the line has ${size} bytes` };
}

function decode(bytes: Buffer): Line {
  const text = bytes.toString();
  // Invalid UTF-8 does not survive the way to text and back.
  return bytes.equals(Buffer.from(text)) ? { ok: true, text } : { ok: false, problem: 'the line is not UTF-8' };
}
