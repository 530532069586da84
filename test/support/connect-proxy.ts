import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

export interface ConnectProxy {
  readonly port: number;
  /** `host:port` of every tunnel that was asked for. */
  readonly asked: string[];
  /** The `Proxy-Authorization` headers. */
  readonly authorizations: (string | undefined)[];
}

/** A proxy of the kind that HTTPS_PROXY names. Every host leads to this port of this machine; another status refuses the tunnel, and 0 never answers. */
export async function startConnectProxy(leadsTo: number, { status = 200 } = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer();
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push(url);
    authorizations.push(headers['proxy-authorization']);
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    if (status !== 200) {
      if (status !== 0) socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const onward = connect(leadsTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    sockets.add(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so that its address is no path.
  const { port } = server.address() as AddressInfo;
  return { port, asked, authorizations };
}
