import { BlockList, isIP } from 'node:net';

import type { Database } from '../database/database.ts';
import { refuse } from '../refusal.ts';
import { listGrants } from '../store/scopes.ts';
import { readBearer, readSession } from './browser-session.ts';
import { openKnownIdentities, unknownToken, type FoundIdentity } from './known-identities.ts';
import { ANONYMOUS } from './roles.ts';
import { findIdentity, hashToken, isTokenShaped, touchToken } from './tokens.ts';

export interface IdentitySettings {
  /** May everyone read who can reach the hub? */
  readonly anonymousRead: boolean;
  /** A proxy that signs people in: the header it sets, and its own addresses. The header counts from nowhere else. */
  readonly proxy: { readonly header: string; readonly addresses: BlockList } | undefined;
}

/** Says who asks. */
export interface Identifier {
  identify(request: Request, remoteAddress: string | undefined): Promise<FoundIdentity>;
  /** Forgets everyone, because rights have changed. */
  forget(): void;
}

export interface IdentifierOptions {
  /** Milliseconds that only grow, also when the clock of the machine is set. */
  readonly now?: (() => number) | undefined;
  readonly onError: (error: unknown) => void;
}

/** How often the last use of a token is written down. */
const TOUCH_MS = 60_000;

export function openIdentifier(
  database: Database,
  { anonymousRead, proxy }: IdentitySettings,
  { now = () => performance.now(), onError }: IdentifierOptions,
): Identifier {
  const known = openKnownIdentities(now);
  const touched = new Map<number, number>();
  const touch = (token: number | undefined): void => {
    if (token === undefined || now() - (touched.get(token) ?? -Infinity) < TOUCH_MS) return;
    touched.set(token, now());
    touchToken(database, token).catch(onError);
  };
  const identifyToken = async (secret: string): Promise<FoundIdentity> => {
    if (!isTokenShaped(secret)) return unknownToken();
    const key = Buffer.from(hashToken(secret)).toString('base64');
    const found = await known.find(key, () => findIdentity(database, secret));
    if (found.ok) touch(found.identity.token);
    return found;
  };
  const identifyPerson = async (person: string): Promise<FoundIdentity> =>
    known.find(`person ${person}`, async () => {
      const grants = await listGrants(database, person);
      return { person, grants, token: undefined, validMs: Infinity };
    });
  return {
    async identify(request, remoteAddress) {
      const secret = readBearer(request) ?? readSession(request);
      if (secret !== undefined) return identifyToken(secret);
      const person = proxy && isFrom(remoteAddress, proxy.addresses) ? request.headers.get(proxy.header) : null;
      if (person !== null && person !== undefined && person !== '') return identifyPerson(person);
      if (anonymousRead) return { ok: true, identity: ANONYMOUS };
      return refuse('UNAUTHENTICATED', 'this hub needs a token', { advice: 'Log in with `skillplane login`.' });
    },
    forget: () => known.forget(),
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
