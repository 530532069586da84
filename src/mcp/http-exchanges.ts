/** Requests that are being answered. */
export interface Exchanges {
  /** Answers one request. A stream never ends on its own, so `settled` does not wait for it. */
  track(isStream: boolean, answer: () => Promise<Response>): Promise<Response>;
  /** Resolves when every response has been read to its end or abandoned. */
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

/** Returns the same response, and calls `onEnd` when its body was read to the end, failed, or was cancelled. */
export function watchResponse(response: Response, onEnd: () => void): Response {
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
