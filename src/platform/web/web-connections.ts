import { Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

import type { Environment } from '../environment.ts';
import { readOwnText } from '../files/files.ts';
import type { AddressGuard } from './address-guard.ts';
import type { Proxy } from './find-proxy.ts';

/** Connections that are kept for the next request. */
export interface WebConnections {
  /** How the address is reached: through the proxy, if it serves the address, else directly. */
  optionsFor(url: URL): RequestOptions;
  close(): void;
}

/** More would not be faster, and some servers mind. */
const MOST = 8;
/** How long a proxy may take to open a connection. Until then, nothing else ends the attempt. */
const TUNNEL_MS = 15_000;

export interface ConnectionOptions {
  /** Finds the addresses of a host; by default, as the system does. */
  readonly lookup?: AddressGuard['lookup'] | undefined;
  readonly proxy: Proxy | undefined;
}

export function openWebConnections(
  environment: Pick<Environment, 'variables'>,
  { lookup, proxy }: ConnectionOptions,
): WebConnections {
  const common = { keepAlive: true, maxSockets: MOST, scheduling: 'lifo', ...(lookup && { lookup }) } as const;
  const trust = trusting(environment);
  const plain = new HttpAgent(common);
  const secure = new Agent({ ...common, ...trust });
  // The types of the oldest Node that is supported do not know `proxyEnv`.
  const through = { proxyEnv: { HTTPS_PROXY: proxy?.url } };
  const isUsable = proxy !== undefined && proxy.fault === undefined;
  const proxied = isUsable ? new Agent({ ...common, ...trust, ...through, timeout: TUNNEL_MS }) : undefined;
  return {
    optionsFor(url) {
      if (url.protocol === 'http:') return { agent: plain };
      return { agent: proxied !== undefined && proxy?.serves(url) === true ? proxied : secure };
    },
    close() {
      for (const agent of [plain, secure, proxied]) agent?.destroy();
    },
  };
}

/** Adds the authorities of the user's own files to those of this Node. */
function trusting({ variables }: Pick<Environment, 'variables'>): { readonly secureContext?: SecureContext } {
  const files = [variables['NODE_EXTRA_CA_CERTS'], variables['SSL_CERT_FILE']];
  const own = files.flatMap((file) => {
    const read = file === undefined || file === '' ? undefined : readOwnText(file);
    return read?.ok === true && read.text !== undefined ? [read.text] : [];
  });
  // Made once: with a list, each connection would read all certificates again.
  return own.length === 0
    ? {}
    : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...own] }) };
}
