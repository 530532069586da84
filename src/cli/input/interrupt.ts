import type { Io } from '../io.ts';

/** Aborts on the first interrupt, or when the terminal is closed, so that the command can end in order. A second one kills the process. */
export function listenForInterrupt({ signals }: Pick<Io, 'signals'>): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of SIGNALS) signals.once(signal, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) signals.off(signal, stop);
    },
  };
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
