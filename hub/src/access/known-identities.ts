import { LRUCache } from 'lru-cache';

import { isConnectionLoss } from '../database/database.ts';
import { refuse, type Refusal, type Result } from '../refusal.ts';
import type { Identity } from './roles.ts';
import type { TokenIdentity } from './tokens.ts';

/** Identities that were looked up lately. They outlast a database that is away, for a while. */
export interface KnownIdentities {
  /** The identity of this key, looked up if it is not known or no longer fresh. */
  find(key: string, lookUp: () => Promise<TokenIdentity | undefined>): Promise<FoundIdentity>;
  forget(): void;
}

export type FoundIdentity = Result<{ readonly identity: Identity }>;

interface Known {
  readonly identity: Identity;
  readonly at: number;
  /** How long after that it counts at most. */
  readonly validMs: number;
}

/** How long a known identity counts without asking the database again; a change of rights ends it at once. */
const FRESH_MS = 30_000;
/** How long it counts while the database does not answer, so that readers can go on reading. */
const STALE_MS = 60 * 60_000;
const MAX_KNOWN = 10_000;

export function openKnownIdentities(now: () => number): KnownIdentities {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  const findKnown = (key: string, ms: number): FoundIdentity | undefined => {
    const found = known.get(key);
    const isValid = found !== undefined && now() - found.at < Math.min(ms, found.validMs);
    return isValid ? { ok: true, identity: found.identity } : undefined;
  };
  const remember = (key: string, { validMs, ...identity }: TokenIdentity): FoundIdentity => {
    known.set(key, { identity, at: now(), validMs });
    return { ok: true, identity };
  };
  return {
    async find(key, lookUp) {
      const fresh = findKnown(key, FRESH_MS);
      if (fresh !== undefined) return fresh;
      try {
        const found = await lookUp();
        if (found !== undefined) return remember(key, found);
        known.delete(key);
        return unknownToken();
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        return findKnown(key, STALE_MS) ?? cannotCheck();
      }
    },
    forget: () => known.clear(),
  };
}

export function unknownToken(): Refusal {
  return refuse('UNAUTHENTICATED', 'the token is unknown, expired or revoked', {
    advice: 'Ask an owner for a new one.',
  });
}

function cannotCheck(): Refusal {
  return refuse('UNAVAILABLE', 'the hub cannot reach its database, so it cannot check your token', {
    advice: 'Try again in a moment.',
  });
}
