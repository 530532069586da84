import { connect, createServer, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

/** Spreads connections over replicas, one after the other, and knows nothing of what they carry. */
export interface Balancer {
  readonly url: string;
  /** The addresses of the replicas that get new connections. */
  replicas: readonly string[];
}

export async function openBalancer(): Promise<Balancer> {
  const state: { url: string; replicas: readonly string[] } = { url: '', replicas: [] };
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((incoming) => {
    turn += 1;
    const replica = state.replicas[turn % Math.max(1, state.replicas.length)] ?? 'http://127.0.0.1:1';
    const outgoing = connect(Number(new URL(replica).port), '127.0.0.1');
    // The end of either side is the end of the other; a client that sees it asks again.
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  state.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return state;
}
