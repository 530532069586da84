/** Roles from the least to the most. Each may do what those before it may. */
export const ROLES = ['reader', 'publisher', 'reviewer', 'owner', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A role in one scope, or in every scope (`*`). */
export interface Grant {
  readonly scope: string;
  readonly role: Role;
}

export const EVERY_SCOPE = '*';

/** Who asks. */
export interface Identity {
  readonly person: string;
  readonly grants: readonly Grant[];
  /** The token that was shown; undefined for people that a proxy signs in, and for anonymous readers. */
  readonly token: number | undefined;
}

export const ANONYMOUS: Identity = {
  person: 'anonymous',
  grants: [{ scope: EVERY_SCOPE, role: 'reader' }],
  token: undefined,
};

/** Someone who may use public routes alone. */
export const NOBODY: Identity = { person: 'nobody', grants: [], token: undefined };

export function includesRole(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}

/** Does the identity have this role in the scope? */
export function mayIn({ grants }: Identity, role: Role, scope: string): boolean {
  return grants.some(
    (grant) => (grant.scope === EVERY_SCOPE || grant.scope === scope) && includesRole(grant.role, role),
  );
}

/** Does the identity have this role in any scope? */
export function mayAnywhere({ grants }: Identity, role: Role): boolean {
  return grants.some((grant) => includesRole(grant.role, role));
}

/** Does the identity have this role in every scope, also in those that do not exist yet? */
export function mayEverywhere(identity: Identity, role: Role): boolean {
  return mayIn(identity, role, EVERY_SCOPE);
}
