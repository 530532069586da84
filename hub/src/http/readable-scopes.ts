import { EVERY_SCOPE, includesRole, type Identity } from '../access/roles.ts';

/** The scopes that someone may read, only this one if one is asked for; undefined if that is every scope. */
export function scopesOf({ grants }: Identity, asked?: string): ReadonlySet<string> | undefined {
  const readable = grants.filter(({ role }) => includesRole(role, 'reader')).map(({ scope }) => scope);
  const wanted = asked?.replace(/^@/, '');
  if (readable.includes(EVERY_SCOPE)) return wanted === undefined ? undefined : new Set([wanted]);
  return new Set(wanted === undefined ? readable : readable.filter((scope) => scope === wanted));
}
