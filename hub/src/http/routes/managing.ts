import { z } from 'zod';

import {
  ANONYMOUS,
  EVERY_SCOPE,
  includesRole,
  mayEverywhere,
  mayIn,
  ROLES,
  type Identity,
  type Role,
} from '../../access/roles.ts';
import { createToken, getToken, listTokens, revokeToken, type TokenInfo } from '../../access/tokens.ts';
import { refuse } from '../../refusal.ts';
import { listLog, writeLog } from '../../store/log.ts';
import { findScope, listMembers, listScopes, POLICIES, saveScope, setMember } from '../../store/scopes.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Route } from '../route.ts';

const NoQuery = z.object({});
const ScopeName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a scope is a lower-case name such as platform-team');
const RoleName = z.enum(ROLES);
const MAX_PERSON = 200;

/** Scopes, people, tokens and the log. */
export const MANAGING: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/whoami',
    access: { kind: 'public' },
    summary: 'Who you are here, and your roles',
    query: NoQuery,
    answer: async ({ identity: { person, grants } }) => ({ ok: true, person, grants }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/scopes',
    access: { kind: 'any', role: 'reader' },
    summary: 'The scopes that you may read, and their policies',
    query: NoQuery,
    answer: async ({ hub, identity }) => {
      const readable = scopesOf(identity);
      const scopes = await listScopes(hub.database);
      return { ok: true as const, scopes: scopes.filter(({ name }) => readable === undefined || readable.has(name)) };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/scopes/:scope',
    access: { kind: 'scope', role: 'owner' },
    summary: 'Change the policy of a scope; an admin also creates scopes this way',
    query: NoQuery,
    // Strict: a name such as `..` turns the address of a member into that of its scope.
    body: z.strictObject({
      policy: z.enum(POLICIES).default('audited'),
      failOn: z.enum(['low', 'medium', 'high', 'critical']).default('critical'),
    }),
    answer: async ({ hub, identity, params: { scope: text = '' }, body }) => {
      const name = ScopeName.safeParse(text);
      if (!name.success) return refuse('BAD_REQUEST', 'a scope is a lower-case name such as platform-team');
      const scope = { name: name.data, ...body };
      const before = await findScope(hub.database, scope.name);
      if (before === undefined && !mayEverywhere(identity, 'admin'))
        return refuse('FORBIDDEN', `there is no scope @${scope.name}, and only an admin creates scopes`);
      await hub.database.transaction(async (queries) => {
        await saveScope(queries, scope);
        const action = before === undefined ? 'create-scope' : 'change-scope';
        await writeLog(queries, { actor: identity.person, action, scope: scope.name, detail: body });
      });
      return { ok: true as const, scope };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/scopes/:scope/members',
    access: { kind: 'scope', role: 'owner' },
    summary: 'Roles of people that a proxy signs in',
    query: NoQuery,
    answer: async ({ hub, params: { scope = '' } }) => ({ ok: true, members: await listMembers(hub.database, scope) }),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/scopes/:scope/members/:person',
    access: { kind: 'scope', role: 'owner' },
    summary: 'Give a person a role in a scope (`*` is every scope), or take it away with null',
    query: NoQuery,
    body: z.object({ role: RoleName.nullable() }),
    answer: async ({ hub, identity, params: { scope = '', person = '' }, body: { role } }) => {
      if (person.length > MAX_PERSON) return refuse('BAD_REQUEST', `a person’s name has at most ${MAX_PERSON} letters`);
      if (role === 'admin' && scope !== EVERY_SCOPE) return refuse('BAD_REQUEST', 'an admin is one of every scope, *');
      if (role === 'admin' && !mayEverywhere(identity, 'admin'))
        return refuse('FORBIDDEN', 'only an admin makes admins');
      if (scope !== EVERY_SCOPE && (await findScope(hub.database, scope)) === undefined)
        return refuse('NOT_FOUND', `there is no scope @${scope}`);
      await hub.database.transaction(async (queries) => {
        await setMember(queries, scope, { person, role });
        await writeLog(queries, { actor: identity.person, action: 'grant', scope, detail: { person, role } });
      });
      await hub.followed.catchUp();
      return { ok: true as const, person, role };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/tokens',
    access: { kind: 'any', role: 'reader' },
    summary: 'The tokens that you could revoke: your own, and those in scopes that you own',
    query: NoQuery,
    answer: async ({ hub, identity }) => {
      const tokens = await listTokens(hub.database);
      return { ok: true as const, tokens: tokens.filter((token) => mayRevoke(identity, token)) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/tokens',
    access: { kind: 'any', role: 'owner' },
    summary: 'Make a token. Its secret is in the answer, and nowhere else',
    query: NoQuery,
    body: z.object({
      name: z.string().min(1).max(100),
      person: z.string().min(1).max(MAX_PERSON),
      role: RoleName,
      scopes: z.array(ScopeName).min(1).max(100).nullable().default(null),
      days: z.number().int().min(1).max(3_650).nullable().default(90),
    }),
    answer: async ({ hub, identity, body }) => {
      if (!mayGive(identity, body)) return refuse('FORBIDDEN', 'you can give no more than you may do yourself');
      return hub.database.transaction(async (queries) => {
        const made = await createToken(queries, { ...body, createdBy: identity.person });
        const { id, name, person, role, scopes } = made.token;
        const detail = { id, name, person, role, scopes };
        await writeLog(queries, { actor: identity.person, action: 'create-token', detail });
        return { ok: true as const, ...made };
      });
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/tokens/:id',
    access: { kind: 'any', role: 'reader' },
    summary: 'Revoke a token',
    query: NoQuery,
    answer: async ({ hub, identity, params: { id: text = '' } }) => {
      const token = /^\d{1,15}$/.test(text) ? await getToken(hub.database, Number(text)) : undefined;
      if (token === undefined || !mayRevoke(identity, token)) return refuse('NOT_FOUND', `there is no token ${text}`);
      await hub.database.transaction(async (queries) => {
        await revokeToken(queries, token.id);
        const detail = { id: token.id, name: token.name, person: token.person };
        await writeLog(queries, { actor: identity.person, action: 'revoke-token', detail });
      });
      hub.identifier.forget();
      await hub.followed.catchUp();
      return { ok: true as const };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/log',
    access: { kind: 'any', role: 'reviewer' },
    summary: 'Every act, the newest first',
    query: z.object({
      scope: z.string().optional(),
      before: z.coerce.number().int().optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    answer: async ({ hub, identity, query: { scope, ...query } }) => {
      const grants = identity.grants.filter(({ role }) => includesRole(role, 'reviewer'));
      const scopes = scopesOf({ ...identity, grants }, scope);
      return {
        ok: true as const,
        log: await listLog(hub.database, { ...query, scopes: scopes === undefined ? null : [...scopes] }),
      };
    },
  }),
];

interface WantedRights {
  readonly role: Role;
  readonly scopes: readonly string[] | null;
}

/** An admin's rights are those of every scope. */
function mayGive(identity: Identity, { role, scopes }: WantedRights): boolean {
  if (role === 'admin' || scopes === null) return mayEverywhere(identity, role === 'admin' ? 'admin' : 'owner');
  return scopes.every((scope) => mayIn(identity, 'owner', scope));
}

/**
 * One's own, and whatever one could have made. A token counts as one's own if it can do no more than what one showed: an owner can
 * give tokens to any name, and that must not reach the tokens which this name has elsewhere.
 */
function mayRevoke(identity: Identity, token: TokenInfo): boolean {
  if (mayGive(identity, token)) return true;
  const scopes = token.scopes ?? [EVERY_SCOPE];
  const isOwn = identity !== ANONYMOUS && token.person === identity.person;
  return isOwn && scopes.every((scope) => mayIn(identity, token.role, scope));
}
