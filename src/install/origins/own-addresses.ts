import { join } from 'node:path';

import { LOCK_NAME, readLock } from '../../config/lock-file.ts';
import { once } from '../../model/once.ts';
import type { Environment } from '../../platform/environment.ts';

/** Did the user choose this address? */
export type IsOwnAddress = (address: string) => boolean;

/**
 * Distinguishes addresses that the user chose from those that arrive with a clone: the user installed exactly this one
 * for all projects, or trusts its host.
 */
export function openOwnAddresses({ agentHome }: Environment, privateHosts: readonly string[]): IsOwnAddress {
  const hosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  const installed = once((): ReadonlySet<string> => {
    const lock = readLock(join(agentHome, LOCK_NAME));
    const origins = lock.ok ? lock.skills.map(({ origin }) => origin) : [];
    return new Set(origins.flatMap((origin) => [origin.url, ...('artifact' in origin ? [origin.artifact] : [])]));
  });
  return (address) => hosts.has(hostOf(address) ?? '') || installed().has(address);
}

function hostOf(address: string): string | undefined {
  // `user@host:path` is not a URL.
  const url = address.includes('://') ? address : `ssh://${address.replace(':', '/')}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase() : undefined;
}
