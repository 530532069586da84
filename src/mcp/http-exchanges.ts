import { setImmediate as nextTurn } from 'node:timers/promises';

/** A `stream` never ends on its own. The answer to a `reading` may have many bytes, so they are produced one by one. */
export type ExchangeKind = 'stream' | 'call' | 'reading';

/** Requests that are being answered. */
export interface Exchanges {
  /** Answers one request; `signal` aborts when its client hangs up, and may then get no answer. */
  track(kind: ExchangeKind, signal: AbortSignal, answer: () => Promise<Response>): Promise<Response>;
  /** Resolves when every response has been read to its end or abandoned; does not wait for streams. */
  settled(): Promise<void>;
}

export function openExchanges(): Exchanges {
  const open = new Set<Promise<void>>();
  const turns = openTurns();
  return {
    async track(kind, signal, answer) {
      if (kind === 'stream') return answer();
      const { promise, resolve } = Promise.withResolvers<void>();
      open.add(promise);
      const leave = (): void => {
        open.delete(promise);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      const release = kind === 'reading' ? await turns.take() : () => undefined;
      const finish = (): void => {
        release();
        leave();
      };
      try {
        return watchResponse(await answer(), finish);
      } catch (error) {
        finish();
        throw error;
      }
    },
    async settled() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

interface Turns {
  /** Waits for its turn. Call the result to end it; further calls do nothing. */
  take(): Promise<() => void>;
}

/** Connections that can be accepted between two turns. */
const ACCEPTED = 64;

function openTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    async take() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = last;
      last = promise;
      await before;
      // Lets other clients be heard and answers go out between two turns. Node accepts one connection at a time.
      for (let accepted = 0; accepted < ACCEPTED; accepted += 1) await nextTurn();
      return resolve;
    },
  };
}

/** Returns the same response, and calls `onEnd` when its body was read to the end, failed, or was cancelled. */
function watchResponse(response: Response, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
