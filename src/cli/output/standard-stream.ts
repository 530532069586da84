import type { Writable } from 'node:stream';

/** Where output goes. */
export interface StandardStream {
  readonly isTTY: boolean;
  /** Of a terminal. */
  readonly columns?: number | undefined;
  write(chunk: string | Uint8Array): unknown;
  /** Did its reader close the pipe? */
  isClosed(): boolean;
}

/** `process.stdout` or `process.stderr`: a pipe or a file has no `isTTY`, whatever its type says. */
type NodeStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Wraps a stream of Node. `skillplane show | head` closes the pipe early, and that is fine; any other error is rethrown. */
export function openStandardStream(stream: NodeStream): StandardStream {
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    write: (chunk) => isClosed || stream.write(chunk),
    isClosed: () => isClosed,
  };
}
