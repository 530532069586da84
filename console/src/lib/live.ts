import type { LiveEvent } from '../../../src/http/wire.ts';
import { isConnected, revision } from './connection.ts';
import { fromWire } from './wire.ts';

/** Listens for changes until the page is closed; the browser connects again by itself. */
export function listen(): void {
  const source = new EventSource('/api/events');
  source.addEventListener('open', () => {
    // Changes may have been missed meanwhile.
    if (!isConnected.value) revision.value += 1;
    isConnected.value = true;
  });
  source.addEventListener('error', () => {
    isConnected.value = false;
    // A browser gives up when the answer is no stream, such as that of a server which has just been started again.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  });
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const event = fromWire<LiveEvent>(JSON.parse(data));
    if (event.kind === 'skills' || event.kind === 'state') revision.value += 1;
  });
}

const RETRY_MS = 2_000;
