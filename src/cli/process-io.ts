import type { Io, Terminal } from './io.ts';
import { openStandardStream } from './output/standard-stream.ts';

const [STDIN, STDERR] = [0, 2];

/** The process that runs this code. */
export function openProcess(): Io {
  return {
    get stdin() {
      return process.stdin;
    },
    stdout: openStandardStream(process.stdout),
    stderr: openStandardStream(process.stderr),
    get terminal() {
      // Lazy: loading it, or asking `process.stdin`, would delay every command.
      const { isatty } = process.getBuiltinModule('node:tty');
      return [STDIN, STDERR].every((descriptor) => isatty(descriptor)) ? TERMINAL : undefined;
    },
    env: process.env,
    get cwd() {
      return process.cwd();
    },
    program: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
    signals: process,
    elapsedMs: () => performance.now(),
    takeOutput: async () => (await import('./output/protocol-output.ts')).takeOutput(),
    // oxlint-disable-next-line unicorn/no-process-exit
    exit: (code) => process.exit(code),
  };
}

const TERMINAL: Terminal = {
  get input() {
    return process.stdin;
  },
  get output() {
    return process.stderr;
  },
};
