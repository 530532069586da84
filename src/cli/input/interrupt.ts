/** Aborts on the first interrupt, or when the terminal is closed, so that the command can end in order. A second one kills the process. */
export function listenForInterrupt(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isInterrupted = false;

/** Remembers that a person typed Ctrl-C at a question. The command then ends as if the answer was no. */
export function noteInterrupt(): void {
  isInterrupted = true;
}

/** The exit code of a command: 130, as of a program that Ctrl-C ended, if a person interrupted a question. */
export function exitCodeOf(code: number): number {
  return isInterrupted ? INTERRUPTED : code;
}

const INTERRUPTED = 130;
