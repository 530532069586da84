import { BlockList, isIP } from 'node:net';

import { decodePercent } from '../../model/address.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';

/** The proxy that the user's variables name. */
export interface Proxy {
  /** Its address, without name and password. */
  readonly url: string;
  /** Its host and port, for people. */
  readonly display: string;
  /** The `Proxy-Authorization` header for its name and password. */
  readonly authorization: string | undefined;
  /** Why it cannot be used. */
  readonly fault: Failure | undefined;
  /** Does the connection to this address go through the proxy? */
  serves(target: URL): boolean;
}

/**
 * Reads `https_proxy` and `all_proxy`, and the hosts that `no_proxy` excepts; names in small letters count before those in capitals.
 * `no_proxy` lists hosts (with all hosts below them), addresses and networks such as `10.0.0.0/8`, each with a port if it is meant;
 * `*` means all. This machine itself is always reached directly.
 */
export function findProxy({ variables }: Pick<Environment, 'variables'>): Proxy | undefined {
  const read = (name: string): string => variables[name] || variables[name.toUpperCase()] || '';
  const given = (read('https_proxy') || read('all_proxy')).trim();
  if (given === '') return undefined;
  const url = given.includes('://') ? given : `http://${given}`;
  const isExcepted = parseExceptions(read('no_proxy'));
  return {
    ...parseProxy(url),
    serves: (target) => target.protocol === 'https:' && !isLoopback(target.hostname) && !isExcepted(target),
  };
}

const SETTING: NextStep = {
  ask: 'user',
  to: 'Fix the variable HTTPS_PROXY or ALL_PROXY; NO_PROXY lists hosts that need none.',
};

function parseProxy(text: string): Omit<Proxy, 'serves'> {
  if (!URL.canParse(text)) {
    const fault = fail('CONFIG_INVALID', 'the address of the proxy is not valid', SETTING);
    return { url: '', display: 'of your settings', authorization: undefined, fault };
  }
  const { protocol, host, username, password } = new URL(text);
  const known = [username, password].map((part) => decodePercent(part) ?? part).join(':');
  const message = `unsupported proxy type ${protocol}; use http or https`;
  return {
    url: `${protocol}//${host}`,
    display: host,
    authorization: known === ':' ? undefined : `Basic ${Buffer.from(known).toString('base64')}`,
    fault: /^https?:$/.test(protocol) ? undefined : fail('CONFIG_INVALID', message, SETTING),
  };
}

function isLoopback(host: string): boolean {
  return /^(?:.*\.)?localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(host);
}

type IsExcepted = (target: URL) => boolean;

function parseExceptions(list: string): IsExcepted {
  const tests = list
    .toLowerCase()
    .split(/[\s,]+/)
    .flatMap((entry) => (entry === '' ? [] : [parseException(entry)]));
  return (target) => tests.some((test) => test(target));
}

function parseException(entry: string): IsExcepted {
  if (entry === '*') return () => true;
  const network = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(entry);
  if (network !== null) return parseNetwork(network[1] ?? '', Number(network[2]));
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const name = bare(host.replace(/^\*?\./, ''));
  return (target) => {
    const own = bare(target.hostname);
    const isHost = own === name || (isIP(own) === 0 && own.endsWith(`.${name}`));
    return name !== '' && isHost && (port === undefined || port === (target.port || '443'));
  };
}

function parseNetwork(start: string, bits: number): IsExcepted {
  const family = familyOf(start);
  if (family === undefined || bits > (family === 'ipv4' ? 32 : 128)) return () => false;
  const list = new BlockList();
  list.addSubnet(start, bits, family);
  return ({ hostname }) => {
    const own = bare(hostname);
    return familyOf(own) === family && list.check(own, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** Without the brackets of an IPv6 address. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
