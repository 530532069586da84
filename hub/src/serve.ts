import { listenHttp, type HttpListener } from 'skillplane/http';

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
  const started = await listenHttp(openApp(hub), {
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
