import type { LiveEvent } from './wire/contract.ts';

/** Tells open pages what changed, as server-sent events. */
export interface LiveEvents {
  /** A stream for one page; undefined if there are too many. */
  open(): Response | undefined;
  send(event: LiveEvent): void;
  /** The number of open pages. */
  count(): number;
  close(): void;
}

const MAX_PAGES = 64;
/** A line now and then shows both sides that the other is there. */
const BEAT_MS = 15_000;

export function openLiveEvents(): LiveEvents {
  const pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const write = (text: string): void => {
    for (const page of pages) page.enqueue(encoder.encode(text));
  };
  const beat = setInterval(() => write(': beat\n\n'), BEAT_MS).unref();
  return {
    open() {
      if (pages.size >= MAX_PAGES) return undefined;
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          pages.add(controller);
          controller.enqueue(encoder.encode('retry: 500\n\n'));
        },
        cancel() {
          if (own !== undefined) pages.delete(own);
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
    },
    send: (event) => write(`data: ${JSON.stringify(event)}\n\n`),
    count: () => pages.size,
    close() {
      clearInterval(beat);
      for (const page of pages) page.close();
      pages.clear();
    },
  };
}
