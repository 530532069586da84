import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenProxy extends Disposable {
  readonly url: string;
}

/** Forwards every request to `url` with these headers added, for clients that cannot send them. */
export async function startTokenProxy(url: string, headers: Readonly<Record<string, string>>): Promise<TokenProxy> {
  const { pathname } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '' } = incoming;
    const asked = request(new URL(path, url), { method, headers: { ...incoming.headers, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
