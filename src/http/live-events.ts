import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';

import type { LiveEvent } from './wire.ts';

/** Tells open pages what changed, as server-sent events. */
export interface LiveEvents {
  /** A stream for one page; undefined if there are too many. */
  open(context: Context): Response | undefined;
  send(event: LiveEvent): void;
  /** The number of open pages. */
  count(): number;
  close(): void;
}

const MAX_PAGES = 64;
/** A line now and then shows both sides that the other is there. */
const BEAT_MS = 15_000;

export function openLiveEvents(): LiveEvents {
  /** Each page, and how to end its stream. */
  const pages = new Map<SSEStreamingApi, () => void>();
  const beat = setInterval(() => {
    for (const page of pages.keys()) void page.write(': beat\n\n');
  }, BEAT_MS).unref();
  return {
    open(context) {
      if (pages.size >= MAX_PAGES) return undefined;
      return streamSSE(context, async (page) => {
        const gone = new Promise<void>((end) => pages.set(page, end));
        page.onAbort(() => pages.get(page)?.());
        void page.write('retry: 500\n\n');
        await gone;
        pages.delete(page);
      });
    },
    send(event) {
      for (const page of pages.keys()) void page.writeSSE({ data: JSON.stringify(event) });
    },
    count: () => pages.size,
    close() {
      clearInterval(beat);
      for (const end of pages.values()) end();
    },
  };
}
