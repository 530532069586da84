import { fstatSync, writeSync } from 'node:fs';

/** Where output goes. */
export interface StandardStream {
  readonly isTTY: boolean;
  /** Of a terminal. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(chunk: string | Uint8Array): unknown;
  /** Did its reader close the pipe? */
  isClosed(): boolean;
}

/**
 * Opens stdout or stderr. A terminal is the stream of Node; pipes and files are written to directly, since Node's streams take
 * longer to load than most commands to answer.
 */
export function openStandardStream(name: 'stdout' | 'stderr'): StandardStream {
  return mayBeTerminal(DESCRIPTORS[name]) ? fromStream(process[name]) : openDescriptor(name);
}

/** Wraps a stream of Node. `skillplane show | head` closes the pipe early, and that is fine; any other error is rethrown. */
export function fromStream(stream: NodeJS.WriteStream): StandardStream {
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (chunk) => stream.write(chunk),
    isClosed: () => isClosed,
  };
}

function openDescriptor(name: 'stdout' | 'stderr'): StandardStream {
  let isClosed = false;
  let stream: StandardStream | undefined;
  const write = (chunk: string | Uint8Array): void => {
    let rest = Buffer.from(chunk);
    while (!isClosed && stream === undefined && rest.length > 0) {
      const written = tryWrite(DESCRIPTORS[name], rest);
      if (written === 'closed') isClosed = true;
      else if (written === 'busy') stream = fromStream(process[name]);
      else rest = rest.subarray(written);
    }
    stream?.write(rest);
  };
  return { isTTY: false, write, isClosed: () => isClosed || stream?.isClosed() === true };
}

/** How many bytes were written. A pipe is busy if another process made it one that does not wait: Node's stream waits for it. */
function tryWrite(descriptor: number, bytes: Uint8Array): number | 'closed' | 'busy' {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (isCode(error, 'EPIPE')) return 'closed';
    if (isCode(error, 'EAGAIN')) return 'busy';
    throw error;
  }
}

/** A descriptor that is closed is left to Node, too. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch (error) {
    if (isCode(error, 'EBADF')) return true;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
