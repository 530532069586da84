import { watchResponse } from './watched-response.ts';

/** Questions that are being answered. */
export interface Exchanges {
  /** Answers one; a stream has no end of its own and is not waited for. */
  track(isStream: boolean, answer: () => Promise<Response>): Promise<Response>;
  /** Resolves when every answer was read to its end, or nobody reads it any more. */
  settled(): Promise<void>;
}

export function openExchanges(): Exchanges {
  const open = new Set<Promise<void>>();
  return {
    async track(isStream, answer) {
      if (isStream) return answer();
      const { promise, resolve } = Promise.withResolvers<void>();
      open.add(promise);
      const finish = (): void => {
        open.delete(promise);
        resolve();
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
