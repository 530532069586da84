import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The requests, in order. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[];
}

export interface GitServerOptions {
  /** May answer instead of git; returns true if it did. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Speaks the protocol of old servers, which do not serve single commits. */
  readonly isOld?: boolean;
}

const BACKEND = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');

/** Serves the repositories in a folder over HTTP with git's own backend until the test ends. */
export function serveGit(root: string, { before, isOld = false }: GitServerOptions = {}): Promise<TestServer> {
  return serve((request, response) => {
    if (before?.(request, response) === true) return;
    const { pathname, search } = new URL(request.url ?? '/', 'http://x');
    const child = spawn(BACKEND, [], {
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        REMOTE_ADDR: '127.0.0.1',
        ...(isOld ? {} : { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => chunks.push(bytes));
    child.once('close', () => answer(Buffer.concat(chunks), response));
  });
}

function answer(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const headers = output.toString('latin1', 0, end).split('\r\n');
  response.statusCode = 200;
  for (const header of headers) {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? [];
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else if (name !== '') response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}

export async function serve(listener: RequestListener): Promise<TestServer> {
  const requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    listener(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Accepts connections and never answers; each connection counts as a request. */
export async function serveSilence(): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  const server = createTcpServer((socket) => {
    requests.push({ path: '', authorization: undefined });
    sockets.add(socket.on('error', () => undefined));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
