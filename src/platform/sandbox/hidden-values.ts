import type { OutputStream } from '../process/captured-output.ts';
import type { Variables } from './script-environment.ts';

/** Replaces the values of variables in the output of a script by their names. */
export interface HiddenValues {
  readonly hide: (text: string) => string;
  /** For output in pieces: a value may begin in one and end in the next, so the end of a piece can wait for that. */
  readonly pass: (stream: OutputStream, text: string) => void;
  /** Passes on what waits. */
  readonly end: () => void;
}

/** Shorter values would hide ordinary words. */
const SHORTEST = 8;

export function openHiddenValues(
  variables: Variables,
  onOutput: (stream: OutputStream, text: string) => void,
): HiddenValues {
  const secrets = Object.entries(variables)
    .filter(([, value]) => value.length >= SHORTEST)
    // A value that contains another one is replaced first.
    .toSorted(([, a], [, b]) => b.length - a.length);
  const hide = (text: string): string =>
    secrets.reduce((hidden, [name, value]) => hidden.replaceAll(value, `[${name}]`), text);
  const waiting: Record<OutputStream, string> = { stdout: '', stderr: '' };
  const tell = (stream: OutputStream, text: string): void => {
    if (text !== '') onOutput(stream, text);
  };
  return {
    hide,
    pass(stream, text) {
      const all = hide(waiting[stream] + text);
      const keep = Math.max(0, ...secrets.map(([, value]) => overlap(all, value)));
      waiting[stream] = all.slice(all.length - keep);
      tell(stream, all.slice(0, all.length - keep));
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        tell(stream, waiting[stream]);
        waiting[stream] = '';
      }
    },
  };
}

/** How much of the end of a text could be the beginning of a value. */
function overlap(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}
