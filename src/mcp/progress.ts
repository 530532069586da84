import type { ServerContext } from '@modelcontextprotocol/server';

/** A client that wants to hear of progress, and of the last line that was printed. */
export interface ProgressReport extends Disposable {
  readonly onOutput: ((text: string) => void) | undefined;
}

/** A script may print thousands of lines a second; nobody reads more than a few. */
const EVERY_MS = 100;
/** Clients that wait for progress before they give up hear that a silent script still runs. */
const SIGN_OF_LIFE_MS = 5_000;
const MAX_LINE_LENGTH = 200;
/** What a terminal or a model would act on without a person seeing it. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Tells the client of one request how far it is; does nothing for a client that gave no progress token. */
export function reportProgress({ mcpReq: { _meta, notify } }: ServerContext): ProgressReport {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onOutput: undefined, [Symbol.dispose]: () => undefined };
  let progress = 0;
  let pending: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const send = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // Nobody waits for a message to a client that is gone.
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
