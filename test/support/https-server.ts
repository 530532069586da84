import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How the answer goes on after its body: it ends, by default; nothing more comes, or the connection is cut. */
  readonly ending?: 'silence' | 'cut';
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/** A real server on loopback. */
export interface TestServer {
  /** `https://localhost:…` */
  readonly url: string;
  readonly port: number;
  /** Variables by which programs trust its certificate. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request that was answered. */
  readonly seen: SeenRequest[];
}

type Given = Answer | undefined;
type Respond = (path: string, request: IncomingMessage) => Given | Promise<Given>;

/** A certificate for localhost and for names that only a proxy finds, made once for all tests of a file. */
let certificate: { readonly key: string; readonly cert: string; readonly file: string } | undefined;

function makeCertificate(): NonNullable<typeof certificate> {
  if (certificate !== undefined) return certificate;
  const { root } = makeTemporaryTree({ 'made-for-tests': '' });
  const [key, file] = [join(root, 'key.pem'), join(root, 'cert.pem')];
  const subject = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,DNS:skills.test,DNS:files.skills.test,IP:127.0.0.1',
  ];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', file], { stdio: 'pipe' });
  certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(file, 'utf8'), file };
  return certificate;
}

/** Serves until the test is over; undefined is answered with 404. ETags are made and honoured. */
export async function serve(respond: Respond, { isPlain = false } = {}): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const given = (await respond(path, request)) ?? { status: 404, body: 'not here' };
    const { etag } = given.headers ?? {};
    const isKnown = etag !== undefined && request.headers['if-none-match'] === etag;
    const status = isKnown ? 304 : (given.status ?? 200);
    seen.push({ path, headers: request.headers, status });
    response.writeHead(status, given.headers);
    if (given.ending === undefined) response.end(isKnown ? '' : given.body);
    else response.write(given.body ?? '', () => given.ending === 'cut' && request.socket.destroy());
  };
  const { key, cert, file } = makeCertificate();
  const listener = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
  const server = isPlain ? createHttp(listener) : createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so that its address is no path.
  const { port } = server.address() as AddressInfo;
  const url = isPlain ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  return { url, port, env: { NODE_EXTRA_CA_CERTS: file }, seen };
}
