import type { ServerContext } from '@modelcontextprotocol/server';

/** Progress messages for one request. */
export interface ProgressReport extends Disposable {
  readonly onOutput: ((text: string) => void) | undefined;
}

/** Limits the rate: a script may print thousands of lines per second. */
const EVERY_MS = 100;
/** Keeps clients with a progress timeout waiting while a script prints nothing. */
const SIGN_OF_LIFE_MS = 5_000;
const MAX_LINE_LENGTH = 200;
/** Characters that affect a terminal or a model without being visible. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Sends the last printed line as progress. Does nothing if the client sent no progress token. */
export function reportProgress({ mcpReq: { _meta, notify } }: ServerContext): ProgressReport {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onOutput: undefined, [Symbol.dispose]: () => undefined };
  let progress = 0;
  let pending: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const send = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // The client may be gone.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const flush = (): void => {
    timer = undefined;
    if (pending !== undefined) send(pending);
    pending = undefined;
  };
  const life = setInterval(() => send('still running'), SIGN_OF_LIFE_MS).unref();
  return {
    onOutput(text) {
      pending = lastLine(text) ?? pending;
      timer ??= setTimeout(flush, EVERY_MS);
    },
    [Symbol.dispose]() {
      clearInterval(life);
      clearTimeout(timer);
    },
  };
}

function lastLine(text: string): string | undefined {
  const line = text.trimEnd().split('\n').at(-1)?.replaceAll(HIDDEN, ' ').trim();
  return line === undefined || line === '' ? undefined : line.slice(0, MAX_LINE_LENGTH);
}
