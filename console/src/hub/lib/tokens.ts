import type { TokenAnswer } from '../../../../hub/src/http/wire.ts';

/** Does the token no longer work? */
export function isOver({ revokedAt, expiresAt }: TokenAnswer): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) < Date.now());
}
