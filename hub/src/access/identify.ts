import { BlockList, isIP } from 'node:net';

import { isConnectionLoss, type Database } from '../database/database.ts';
import { refuse, type Result } from '../refusal.ts';
import { listGrants } from '../store/scopes.ts';
import { ANONYMOUS, type Identity } from './roles.ts';
import { findIdentity, hashToken, touchToken } from './tokens.ts';

export interface IdentitySettings {
  /** May everyone read who can reach the hub? */
  readonly anonymousRead: boolean;
  /** A proxy that signs people in: the header it sets, and its own addresses. The header counts from nowhere else. */
  readonly proxy: { readonly header: string; readonly addresses: BlockList } | undefined;
}

/** Says who asks. */
export interface Identifier {
  identify(request: Request, remoteAddress: string | undefined): Promise<Result<{ readonly identity: Identity }>>;
  /** Forgets everyone, because rights have changed. */
  forget(): void;
}

interface Known {
  readonly identity: Identity;
  readonly at: number;
}

/** How long a known identity counts without asking the database again; a change of rights ends it at once. */
const FRESH_MS = 30_000;
/** How long it counts while the database does not answer, so that readers can go on reading. */
const STALE_MS = 60 * 60_000;
/** How often the last use of a token is written down. */
const TOUCH_MS = 60_000;
const MAX_KNOWN = 10_000;

export function openIdentifier(
  database: Database,
  { anonymousRead, proxy }: IdentitySettings,
  { now, onError }: { readonly now: () => number; readonly onError: (error: unknown) => void },
): Identifier {
  const known = new Map<string, Known>();
  const touched = new Map<number, number>();
  const touch = (token: number | undefined): void => {
    if (token === undefined || now() - (touched.get(token) ?? 0) < TOUCH_MS) return;
    touched.set(token, now());
    touchToken(database, token).catch(onError);
  };
  const remember = async (
    key: string,
    find: () => Promise<Identity | undefined>,
  ): Promise<Result<{ readonly identity: Identity }>> => {
    const before = known.get(key);
    if (before !== undefined && now() - before.at < FRESH_MS) return { ok: true, identity: before.identity };
    try {
      const identity = await find();
      if (identity === undefined) {
        known.delete(key);
        return refuse('UNAUTHENTICATED', 'the token is unknown, expired or revoked', {
          hint: 'Ask an owner for a new one.',
        });
      }
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, { identity, at: now() });
      return { ok: true, identity };
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      if (before !== undefined && now() - before.at < STALE_MS) return { ok: true, identity: before.identity };
      return refuse('UNAVAILABLE', 'the hub cannot reach its database, so it cannot check your token', {
        hint: 'Try again in a moment.',
      });
    }
  };
  return {
    async identify(request, remoteAddress) {
      const secret = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      if (secret !== undefined) {
        const key = Buffer.from(hashToken(secret)).toString('base64');
        const found = await remember(key, () => findIdentity(database, secret));
        if (found.ok) touch(found.identity.token);
        return found;
      }
      const person = proxy && isFrom(remoteAddress, proxy.addresses) ? request.headers.get(proxy.header) : null;
      if (person !== null && person !== undefined && person !== '')
        return remember(`person ${person}`, async () => ({
          person,
          grants: await listGrants(database, person),
          token: undefined,
        }));
      if (anonymousRead) return { ok: true, identity: ANONYMOUS };
      return refuse('UNAUTHENTICATED', 'this hub needs a token', { hint: 'Log in with `skillplane login`.' });
    },
    forget: () => known.clear(),
  };
}

function isFrom(address: string | undefined, addresses: BlockList): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/, '');
  return addresses.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Reads addresses such as `10.0.0.5` and networks such as `10.0.0.0/8`, separated by commas; undefined if one is neither. */
export function readAddresses(text: string): BlockList | undefined {
  const list = new BlockList();
  for (const part of text.split(',').map((word) => word.trim())) {
    const [address = '', bits] = part.split('/');
    const family = isIP(address);
    if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (Number(bits ?? 0) > (family === 6 ? 128 : 32)) return undefined;
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}
