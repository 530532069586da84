import type { Readable, Writable } from 'node:stream';

import type { StandardStream } from './output/standard-stream.ts';

/** Everything that the command line takes from the process that it runs in; a test passes its own. */
export interface Io {
  /** Opened when it is first used, which takes a while. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  /** Where a person can be asked; undefined unless stdin and stderr are terminals. */
  readonly terminal: Terminal | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The words that start this program again. */
  readonly program: readonly string[];
  readonly signals: Signals;
  /** Milliseconds since the program started. */
  elapsedMs(): number;
  /** Reserves stdout for a protocol: all other output goes to stderr from now on. */
  takeOutput(): Promise<Writable>;
  /** Exits immediately, without waiting for running work. */
  exit(code: number): void;
}

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Where signals arrive; one that nothing listens for has its usual effect. */
export interface Signals {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}
