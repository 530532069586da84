import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import type { NextStep } from '../../model/next-step.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { systemCode } from '../errors.ts';
import { classifyAddress, type AddressClass } from './address-class.ts';

/** Decides to which machines a typed address may lead. */
export interface AddressGuard {
  /**
   * Throws a `RefusedAddress` if this host must not be reached. Names are checked when resolved. A proxy resolves names
   * itself, so they are also resolved here first; unknown names are left to the proxy.
   */
  check(host: string, options?: { readonly isProxied?: boolean }): Promise<void>;
  /**
   * Resolves a name once and refuses it if any address must not be reached, so that the answer cannot change
   * afterwards.
   */
  readonly lookup: LookupFunction;
}

/** An address leads to a machine that only this one can reach. */
export class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS';
  readonly next: NextStep;
  constructor(host: string, address: string, next: NextStep) {
    super(`it leads to ${host}, which is inside your network (${address})`);
    this.next = next;
  }
}

/**
 * The typed host may have any address. Every other host must have a public one, or one of a class that the typed host has.
 * Without a typed host, because no person typed the address, all must be public.
 */
export function openAddressGuard(typed: string | undefined): AddressGuard {
  const typedHost = typed === undefined ? undefined : bare(typed);
  let learned: Promise<ReadonlySet<AddressClass>> | undefined;
  const judge = async (host: string, addresses: readonly string[]): Promise<void> => {
    if (bare(host) === typedHost || findPrivate(addresses) === undefined) return;
    learned ??= typedHost === undefined ? Promise.resolve(new Set()) : classesOf(typedHost);
    const refused = findPrivate(addresses, await learned);
    if (refused === undefined) return;
    throw new RefusedAddress(
      host,
      refused,
      typed === undefined ? allowHost(host) : { ask: 'user', to: 'Use that address itself if you trust it.' },
    );
  };
  return {
    async check(host, { isProxied = false } = {}) {
      if (isIP(bare(host)) !== 0) await judge(host, [bare(host)]);
      else if (isProxied && bare(host) !== typedHost) await judge(host, await addressesOf(host));
    },
    lookup(host, options, callback) {
      const look = async (): Promise<void> => {
        try {
          const found = await lookUp(host, { ...options, all: true });
          await judge(
            host,
            found.map(({ address }) => address),
          );
          const [first] = found;
          if (options.all === true) callback(null, found);
          else callback(null, first?.address ?? '', first?.family ?? 0);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          callback(error, '', 0);
        }
      };
      void look();
    },
  };
}

/**
 * The addresses of a host that no person typed, for a program that looks it up once more; none if it is not known here.
 * Fails unless all of them are public.
 */
export async function findPublicAddresses(host: string): Promise<Outcome<{ readonly addresses: readonly string[] }>> {
  const addresses = isIP(bare(host)) === 0 ? await addressesOf(bare(host)) : [bare(host)];
  const refused = findPrivate(addresses);
  if (refused === undefined) return { ok: true, addresses };
  const { message, next } = new RefusedAddress(host, refused, allowHost(host));
  return fail('PATH_REFUSED', message, next);
}

function findPrivate(addresses: readonly string[], allowed?: ReadonlySet<AddressClass>): string | undefined {
  return addresses.find((address) => {
    const found = classifyAddress(address);
    return found !== 'public' && allowed?.has(found) !== true;
  });
}

/** No person typed this address, so the user must trust its host. */
function allowHost(host: string): NextStep {
  return { set: 'privateHosts', add: bare(host) };
}

async function classesOf(host: string): Promise<ReadonlySet<AddressClass>> {
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  return new Set(addresses.map(classifyAddress));
}

/** Empty for a host that this machine cannot look up. */
async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookUp(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

/** Without the brackets of an IPv6 address. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}
