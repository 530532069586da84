import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, request as askOnward, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, isIP, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { openAddressGuard } from '../web/address-guard.ts';
import type { Variables } from './script-environment.ts';

/** The only way out of a script's own network: a proxy of ours that leads to a few hosts. */
export interface HostGate {
  /** A folder that the script must see. */
  readonly dir: string;
  /** Starts a command so that it finds the gate at the address that `variables` name. */
  readonly wrap: (command: readonly string[]) => readonly string[];
  readonly variables: Variables;
  /** The hosts that were asked for and refused, in this order. */
  readonly refused: () => readonly string[];
  readonly close: () => void;
}

export interface HostGateOptions {
  /** Names such as `api.github.com`, `*.example.org` (every host below it) and `localhost:8080`; a port limits the entry to it. */
  readonly hosts: readonly string[];
  /** Hosts that may resolve to private addresses. IP addresses and `localhost` in `hosts` may as well. */
  readonly privateHosts: readonly string[];
  /** The Node.js that runs the inner end. */
  readonly node: string;
}

/** The proxy's port inside the sandbox network, which is otherwise empty. */
const PORT = 3_128;
/** More are named in no message. */
const MOST_REFUSED = 20;

/** Opens a gate in this folder, which is created. Close it when the script has ended. */
export async function openHostGate(dir: string, options: HostGateOptions): Promise<Outcome<HostGate>> {
  const faulty = options.hosts.find((host) => parseHost(host) === undefined);
  if (faulty !== undefined)
    return fail('SCRIPT_FAILED', `"${faulty}" is not a host`, {
      give: 'network',
      as: ['api.github.com', '*.example.org'],
    });
  const allowed = options.hosts.flatMap((host) => parseHost(host) ?? []);
  const refused = new Set<string>();
  const open = new Set<{ destroy(): unknown }>();
  const judge = (host: string, port: number): LookupFunction | undefined => {
    const entry = allowed.find((one) => isAllowed(one, host, port));
    if (entry === undefined) {
      if (refused.size < MOST_REFUSED) refused.add(host);
      return undefined;
    }
    const isTyped = isIP(host) !== 0 || host === 'localhost' || options.privateHosts.includes(host);
    return openAddressGuard(isTyped ? host : undefined).lookup;
  };
  const server = createServer((request, response) => passOn(request, response, judge));
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('connect', (request, socket, head) => {
    const onward = tunnel(request, socket, { head, judge });
    if (onward === undefined) return;
    open.add(onward);
    onward.once('close', () => open.delete(onward));
  });
  const path = join(dir, 'socket');
  const made = attempt(() => mkdirSync(dir, { mode: 0o755 }));
  const problem = made.ok ? await listen(server, path) : made.message;
  // Root starts scripts as another user; the parent folder is closed to everyone else.
  const opened = problem === undefined ? attempt(() => chmodSync(path, 0o666)) : undefined;
  if (problem !== undefined || opened?.ok !== true) return fail('STORE_FAILED', `${path}: ${problem ?? 'not made'}`);
  return {
    ok: true,
    dir,
    wrap: (command) => [options.node, '-e', INNER_END, '--', path, String(PORT), ...command],
    variables: proxyVariables(allowed),
    refused: () => [...refused],
    close() {
      server.close();
      for (const one of open) one.destroy();
    },
  };
}

function listen(server: ReturnType<typeof createServer>, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(error.message));
    server.listen(path, () => resolve(undefined));
    server.unref();
  });
}

const ADDRESS = `http://127.0.0.1:${PORT}`;
/** Names of the script's own machine, in whose network it may talk to itself. */
const ITSELF = ['localhost', '127.0.0.1', '::1'];

/** Read by curl, git, Python, pip, npm and others; the last one by Node.js. A name that is allowed is that of our machine. */
function proxyVariables(allowed: readonly AllowedHost[]): Variables {
  const direct = ITSELF.filter((itself) => !allowed.some(({ name }) => name === itself)).join(',');
  return {
    ...Object.fromEntries(['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, ADDRESS])),
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Runs in the sandbox: leads the port to the socket, runs the command, and ends as it ends. */
const INNER_END = `
const { connect, createServer } = require('node:net');
const [path, port, file, ...args] = process.argv.slice(1);
createServer((inner) => {
  const outer = connect(path);
  inner.on('error', () => outer.destroy()).pipe(outer);
  outer.on('error', () => inner.destroy()).pipe(inner);
}).listen(Number(port), '127.0.0.1', () => {
  const child = require('node:child_process').spawn(file, args, { stdio: 'inherit' });
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));
});`;

interface AllowedHost {
  readonly name: string;
  /** Every host below it, too, but not it itself. */
  readonly isBelow: boolean;
  readonly port: number | undefined;
}

function parseHost(text: string): AllowedHost | undefined {
  const [, below, name, port] =
    /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name: bare(name), isBelow: below !== undefined, port: port === undefined ? undefined : Number(port) };
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function isAllowed({ name, isBelow, port }: AllowedHost, host: string, asked: number): boolean {
  return (port === undefined || port === asked) && (isBelow ? host.endsWith(`.${name}`) : host === name);
}

type Judge = (host: string, port: number) => LookupFunction | undefined;

const REFUSED = 'The script may not use this host.\n';

/** An HTTPS connection, or any other. */
function tunnel(
  { url = '' }: IncomingMessage,
  inner: Duplex,
  { head, judge }: { readonly head: Buffer; readonly judge: Judge },
): Duplex | undefined {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(url) ?? [];
  const lookup = judge(bare(host), Number(port));
  inner.on('error', () => inner.destroy());
  if (lookup === undefined) {
    inner.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${REFUSED.length}\r\n\r\n${REFUSED}`);
    return undefined;
  }
  const outer = connect({ host: bare(host), port: Number(port), lookup }, () => {
    inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
    outer.write(head);
    outer.pipe(inner).pipe(outer);
  });
  let isOpen = false;
  outer.once('connect', () => (isOpen = true));
  outer.on('error', () => (isOpen ? inner.destroy() : inner.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')));
  inner.once('close', () => outer.destroy());
  return outer;
}

/** A plain HTTP request. */
function passOn(request: IncomingMessage, response: ServerResponse, judge: Judge): void {
  const target = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
  const isPlain = target?.protocol === 'http:';
  const lookup = isPlain ? judge(bare(target.hostname), Number(target.port || 80)) : undefined;
  if (target === undefined || lookup === undefined) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(REFUSED);
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers;
  const onward = askOnward(
    target,
    { method: request.method, headers: { ...headers, host: target.host }, lookup },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
