import { VERSION } from 'skillplane';
import { z } from 'zod';

import { changeTokenOf, endSession, readSession, startSession } from '../../access/browser-session.ts';
import { ANONYMOUS, NOBODY, type Identity } from '../../access/roles.ts';
import type { Hub } from '../../hub.ts';
import { route, type Route } from '../route.ts';

const NoQuery = z.object({});
const PATH = '/api/v1/session';

/** Signing in with a browser. */
export const SESSION: readonly Route[] = [
  route({
    method: 'GET',
    path: PATH,
    access: { kind: 'public' },
    summary: 'Who this browser is signed in as, and the token that its changes must carry',
    query: NoQuery,
    answer: async ({ hub, identity, request }) => {
      const session = readSession(request);
      if (session !== undefined && identity === NOBODY) {
        // Its token is no longer good, or cannot be checked; the answer says which.
        const found = await hub.identifier.identify(request, undefined);
        if (!found.ok) return found;
      }
      return { ok: true, ...describeSession(hub, identity, session) };
    },
  }),
  route({
    method: 'POST',
    path: PATH,
    access: { kind: 'public' },
    summary: 'Sign a browser in: the token becomes a cookie that scripts and other sites never get',
    query: NoQuery,
    body: z.object({ token: z.string().trim().min(1).max(200) }),
    answer: async ({ hub, request, body: { token } }) => {
      const asked = new Request(request.url, { headers: { authorization: `Bearer ${token}` } });
      const found = await hub.identifier.identify(asked, undefined);
      if (!found.ok) return found;
      return withCookie(
        { ok: true, ...describeSession(hub, found.identity, token) },
        startSession(request, token, hub.settings.publicUrl),
      );
    },
  }),
  route({
    method: 'DELETE',
    path: PATH,
    access: { kind: 'public' },
    summary: 'Sign a browser out',
    query: NoQuery,
    answer: async ({ hub, request }) => withCookie({ ok: true }, endSession(request, hub.settings.publicUrl)),
  }),
];

function withCookie(answer: object, cookie: string): Response {
  return Response.json(answer, { headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } });
}

function describeSession({ settings }: Hub, identity: Identity, session: string | undefined): object {
  const { person, grants } = identity;
  return {
    person: identity === NOBODY ? null : person,
    grants,
    isAnonymous: identity === ANONYMOUS,
    changeToken: session === undefined ? null : changeTokenOf(session),
    publicUrl: settings.publicUrl ?? null,
    version: VERSION,
  };
}
