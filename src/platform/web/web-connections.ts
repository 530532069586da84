import { Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

import type { Environment } from '../environment.ts';
import { readOwnText } from '../files/files.ts';
import type { AddressGuard } from './address-guard.ts';

/** WebConnections that are kept for the next request. */
export interface WebConnections {
  optionsFor(url: URL): RequestOptions;
  close(): void;
}

/** More would not be faster, and some servers mind. */
const MOST = 8;

export function openWebConnections(environment: Environment, { lookup }: AddressGuard): WebConnections {
  const common = { keepAlive: true, maxSockets: MOST, scheduling: 'lifo', lookup } as const;
  const agents = {
    'http:': new HttpAgent(common),
    'https:': new Agent({ ...common, ...trusting(environment) }),
  };
  return {
    optionsFor: ({ protocol }) => ({ agent: protocol === 'http:' ? agents['http:'] : agents['https:'] }),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Adds the authorities of the user's own files to those of this Node. */
function trusting({ variables }: Environment): { readonly secureContext?: SecureContext } {
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
