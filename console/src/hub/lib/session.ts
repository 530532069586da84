import { signal } from '@preact/signals';

import type { SessionAnswer, WireRole } from '../../../../hub/src/http/wire.ts';

/** Who is signed in; undefined before the hub has said so, and after it no longer knows the token. */
export const session = signal<SessionAnswer | undefined>(undefined);

/** Since when the hub answers from memory, because its database is away. */
export const staleSince = signal<string | undefined>(undefined);

/** From the least to the most; each may do what those before it may. */
export const ROLE_NAMES: readonly WireRole[] = ['reader', 'publisher', 'reviewer', 'owner', 'admin'];

/** Each role with the rights that it adds to those before it. */
export const ROLE_MEANINGS: Readonly<Record<WireRole, string>> = {
  reader: 'reader: search, read, install',
  publisher: 'publisher: also publish',
  reviewer: 'reviewer: also approve and reject',
  owner: 'owner: also policy, roles, tokens',
  admin: 'admin: everything, everywhere',
};

function includes(has: WireRole, needs: WireRole): boolean {
  return ROLE_NAMES.indexOf(has) >= ROLE_NAMES.indexOf(needs);
}

/** Has the person this role in the scope? */
export function mayIn(role: WireRole, scope: string): boolean {
  return grants().some((grant) => (grant.scope === '*' || grant.scope === scope) && includes(grant.role, role));
}

/** Has the person this role in any scope? */
export function mayAnywhere(role: WireRole): boolean {
  return grants().some((grant) => includes(grant.role, role));
}

/** Has the person this role in every scope? */
export function mayEverywhere(role: WireRole): boolean {
  return mayIn(role, '*');
}

function grants(): SessionAnswer['grants'] {
  return session.value?.grants ?? [];
}
