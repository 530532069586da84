import type { LiveEvent } from '../../../src/http/wire.ts';
import { ask } from './api.ts';
import { isConnected, refusal, revision } from './connection.ts';
import { fromWire, LOST_CODE } from './wire.ts';

let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Listens for changes until the page is closed, and connects again by itself; calling it again tries at once. */
export function listen(): void {
  clearTimeout(timer);
  source?.close();
  const own = new EventSource('/api/events');
  source = own;
  own.addEventListener('open', () => {
    refusal.value = undefined;
    // Changes may have been missed meanwhile.
    if (!isConnected.value) revision.value += 1;
    isConnected.value = true;
  });
  own.addEventListener('error', () => {
    isConnected.value = false;
    // A browser gives up when the answer is no stream, such as that of a server which has just been started again.
    if (own.readyState !== EventSource.CLOSED) return;
    timer = setTimeout(listen, RETRY_MS);
    void explain();
  });
  own.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const event = fromWire<LiveEvent>(JSON.parse(data));
    if (event.kind === 'skills' || event.kind === 'state') revision.value += 1;
  });
}

const RETRY_MS = 2_000;

/** Keeps the reason of a server that answers, but not this page. */
async function explain(): Promise<void> {
  const answer = await ask('session', {});
  refusal.value = answer.ok || answer.failure.code === LOST_CODE ? undefined : answer.failure;
}
