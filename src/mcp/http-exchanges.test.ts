import { expect, test } from 'vitest';

import { openExchanges } from './http-exchanges.ts';

test('exchanges are settled once each client has read its answer or has hung up', async () => {
  const exchanges = openExchanges();
  const client = new AbortController();
  const never = new Promise<Response>(() => undefined);
  void exchanges.track('call', client.signal, () => never);
  const answer = await exchanges.track('call', new AbortController().signal, async () => new Response('read'));
  let isSettled = false;
  const settled = exchanges.settled().then(() => (isSettled = true));
  client.abort();
  expect(isSettled).toBe(false);
  expect(await answer.text()).toBe('read');
  expect(await settled).toBe(true);
});
