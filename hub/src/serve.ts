import { isLoopback, listenHttp, LOOPBACK_HOSTS, type HttpListener } from 'skillplane/http';

import { openApp } from './http/app.ts';
import type { Hub } from './hub.ts';

export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
}

/** Archives may take longer to arrive than a page. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Serves a hub. Throws if the address cannot be used. */
export async function serveHub(hub: Hub, { port, host }: ServeOptions): Promise<HttpListener> {
  const app = openApp(hub);
  const names = listNames(host, hub.settings.publicUrl);
  const hasOurName = remembering((given) => names === undefined || names.has(hostnameOf(`http://${given}`)));
  const answer: typeof app = async (request, client) =>
    hasOurName(request.headers.get('host') ?? '') ? app(request, client) : Response.json(WRONG_NAME, { status: 403 });
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
 * The names that clients may use for a hub that only this machine, or a proxy on it, can reach; undefined: any. A web page can
 * give its own name our address (DNS rebinding), and its browser would then let it read whatever needs no token.
 */
function listNames(host: string, publicUrl: string | undefined): ReadonlySet<string> | undefined {
  if (!isLoopback(host)) return undefined;
  return new Set([...LOOPBACK_HOSTS, host, ...(publicUrl === undefined ? [] : [hostnameOf(publicUrl)])]);
}

/** Clients come by the same few names again and again. */
function remembering(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const verdict = known.get(name) ?? judge(name);
    if (known.size < MOST_NAMES) known.set(name, verdict);
    return verdict;
  };
}

const MOST_NAMES = 100;

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

const WRONG_NAME = {
  ok: false,
  code: 'FORBIDDEN',
  message: 'this hub does not have the name in the Host header',
  hint: 'Behind a proxy, name its address with --public-url.',
};
