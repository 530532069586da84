import { useEffect, useRef, useState } from 'preact/hooks';

import type { Progress } from '../../../src/http/wire.ts';
import type { Jobs } from './answers.ts';
import { run } from './api.ts';
import type { Answer } from './wire.ts';

/** Long work that a page started. */
export interface RunningJob<K extends keyof Jobs> {
  /** Undefined while it does not run. */
  readonly progress: Progress | undefined;
  /** Starts it and resolves to its result. */
  readonly start: (input: Jobs[K]['input']) => Promise<Answer<Jobs[K]['output']>>;
  readonly cancel: () => void;
}

/** Runs one job at a time; leaving the page cancels it. */
export function useJob<K extends keyof Jobs>(path: K): RunningJob<K> {
  const [progress, setProgress] = useState<Progress>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  return {
    progress,
    async start(input) {
      stop.current?.abort();
      const own = new AbortController();
      stop.current = own;
      setProgress({ step: 'Starting' });
      const answer = await run(path, input, { signal: own.signal, onProgress: setProgress });
      if (stop.current === own) setProgress(undefined);
      return answer;
    },
    cancel: () => stop.current?.abort(),
  };
}
