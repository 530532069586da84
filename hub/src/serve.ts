import { isIP } from 'node:net';

import { listenHttp, LOOPBACK_HOSTS, type HttpListener } from 'skillplane/internal';

import { openApp } from './http/app.ts';
import type { Hub } from './hub.ts';

export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** More names that clients may use for the hub. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Archives may take longer to arrive than a page. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Serves a hub. Throws if the address cannot be used. */
export async function serveHub(hub: Hub, options: ServeOptions): Promise<HttpListener> {
  const { port, host } = options;
  const app = openApp(hub);
  const isOurName = openNames(options, hub.settings.publicUrl);
  const answer: typeof app = async (request, client) =>
    isOurName(request.headers.get('host') ?? '') ? app(request, client) : Response.json(WRONG_NAME, { status: 403 });
  const started = await listenHttp(answer, {
    port,
    host,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxConnections: MAX_CONNECTIONS,
    refuse: (status, message) => Response.json({ ok: false, code: 'BAD_REQUEST', message }, { status }),
    onError: hub.onError,
  });
  if (!started.ok) throw new Error(started.message);
  return started.listener;
}

const MAX_CONNECTIONS = 2_048;

/**
 * Tells whether clients may use a name for the hub: its own address, that of its public URL, and the allowed ones. A web page can
 * give its own name our address (DNS rebinding), and its browser would then let it read whatever needs no token. No page can do
 * so with an IP address, so that a hub that listens on all addresses answers to each.
 */
function openNames(
  { host, allowedHosts = [] }: ServeOptions,
  publicUrl: string | undefined,
): (given: string) => boolean {
  const urls = [host, ...allowedHosts].map((name) => `http://${isIP(name) === 6 ? `[${name}]` : name}`);
  const names = new Set([...LOOPBACK_HOSTS, ...[...urls, publicUrl ?? ''].map(hostnameOf)]);
  const isEverywhere = /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);
  return (given) => {
    const name = hostnameOf(`http://${given}`);
    if (name === '') return false;
    return names.has(name) || (isEverywhere && isIP(name.replaceAll(/[[\]]/g, '')) !== 0);
  };
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

const WRONG_NAME = {
  ok: false,
  code: 'FORBIDDEN',
  message: 'this hub does not have the name in the Host header',
  advice: 'Name the address that people use with --public-url, and other names of the hub with --allow-host.',
};
