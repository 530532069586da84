import { describe, expect, test } from 'vitest';

import { openIdentifier, readAddresses } from '../src/access/identify.ts';
import { ROLES, type Role } from '../src/access/roles.ts';
import { isTokenShaped } from '../src/access/tokens.ts';
import type { Database } from '../src/database/database.ts';
import { ROUTES } from '../src/http/all-routes.ts';
import { openDatabase, openTestHub } from './support/hubs.ts';

/**
 * Who may use which route: the least role in the scope `team`. `nobody` is everyone, also without a token; `everywhere` roles
 * count in all scopes only. A route that is missing here fails the tests.
 */
const ACCESS: Readonly<Record<string, Role | 'nobody' | `everywhere ${Role}`>> = {
  'GET /api/v1/search': 'reader',
  'GET /api/v1/skills': 'reader',
  'GET /api/v1/skills/:scope/:name': 'reader',
  'GET /api/v1/skills/:scope/:name/versions/:version': 'reader',
  'GET /api/v1/skills/:scope/:name/versions/:version/archive': 'reader',
  'GET /api/v1/skills/:scope/:name/versions/:version/files/*': 'reader',
  'GET /api/v1/skills/:scope/:name/versions/:version/diff/:other': 'reader',
  'GET /api/v1/skills/:scope/:name/versions': 'publisher',
  'POST /api/v1/skills/:scope/:name/versions': 'publisher',
  'POST /api/v1/skills/:scope/:name/versions/:version/approve': 'reviewer',
  'POST /api/v1/skills/:scope/:name/versions/:version/reject': 'publisher',
  'POST /api/v1/skills/:scope/:name/versions/:version/yank': 'publisher',
  'POST /api/v1/skills/:scope/:name/versions/:version/unyank': 'publisher',
  'PUT /api/v1/skills/:scope/:name/tags/:tag': 'publisher',
  'DELETE /api/v1/skills/:scope/:name/tags/:tag': 'publisher',
  'GET /api/v1/reviews': 'reviewer',
  'GET /api/v1/whoami': 'nobody',
  'GET /api/v1/scopes': 'reader',
  'PUT /api/v1/scopes/:scope': 'owner',
  'GET /api/v1/scopes/:scope/members': 'owner',
  'PUT /api/v1/scopes/:scope/members/:person': 'owner',
  'GET /api/v1/tokens': 'reader',
  'POST /api/v1/tokens': 'owner',
  'DELETE /api/v1/tokens/:id': 'reader',
  'GET /api/v1/log': 'reviewer',
  'POST /api/v1/usage': 'reader',
  'GET /api/v1/usage': 'reader',
  'GET /api/v1/scopes/:scope/usage': 'owner',
  'GET /.well-known/agent-skills/index.json': 'reader',
  'GET /@/:scope/.well-known/agent-skills/index.json': 'reader',
  'GET /healthz': 'nobody',
  'GET /readyz': 'nobody',
  'GET /metrics': 'everywhere reader',
  'GET /api/v1/backup': 'everywhere admin',
  'POST /mcp': 'reader',
  'GET /mcp': 'reader',
  'DELETE /mcp': 'reader',
  'GET /api/v1/openapi.json': 'nobody',
  'GET /api/v1/session': 'nobody',
  'POST /api/v1/session': 'nobody',
  'DELETE /api/v1/session': 'nobody',
  'GET /': 'nobody',
  'GET /skills': 'nobody',
  'GET /skill': 'nobody',
  'GET /reviews': 'nobody',
  'GET /usage': 'nobody',
  'GET /tokens': 'nobody',
  'GET /scopes': 'nobody',
  'GET /log': 'nobody',
  'GET /assets/*': 'nobody',
  'GET /icon.svg': 'nobody',
};

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

test('every route of the hub is in the table of access', () => {
  expect(ROUTES.map(keyOf).sort()).toEqual(Object.keys(ACCESS).sort());
});

describe('a request to the hub', () => {
  test('is answered with what its token may read, and anew after a change', async () => {
    const { ask, token, publish } = await openTestHub(await openDatabase());
    for (const scope of ['team', 'other']) await ask('PUT', `/api/v1/scopes/${scope}`, { json: { policy: 'open' } });
    await publish('team', 'pdf-forms');
    await publish('other', 'pdf-pages');
    const [team, other] = await Promise.all(['team', 'other'].map((scope) => token('reader', { scopes: [scope] })));
    const found = async (asking: string | undefined): Promise<readonly string[]> => {
      const { json } = await ask('GET', '/api/v1/search?q=pdf', { token: asking ?? null });
      return (json['results'] as { name: string }[]).map(({ name }) => name).sort();
    };
    for (let again = 0; again < 2; again += 1) {
      expect(await found(team)).toEqual(['pdf-forms']);
      expect(await found(other)).toEqual(['pdf-pages']);
    }
    await publish('team', 'pdf-tables');
    expect(await found(team)).toEqual(['pdf-forms', 'pdf-tables']);
    await ask('POST', '/api/v1/skills/team/pdf-forms/versions/1.0.0/yank', { json: { reason: 'wrong' } });
    expect(await found(team)).toEqual(['pdf-tables']);
    expect(await found(other)).toEqual(['pdf-pages']);
  });

  test('is allowed or refused for every role as the table of access says', async () => {
    const { ask, token, publish } = await openTestHub(await openDatabase());
    for (const scope of ['team', 'other']) await ask('PUT', `/api/v1/scopes/${scope}`, { json: { policy: 'open' } });
    await publish('team', 'pdf');
    const tokens = await Promise.all(
      ROLES.map(async (role) => [role, await token(role, { scopes: role === 'admin' ? null : ['team'] })] as const),
    );
    const foreign = await token('owner', { scopes: ['other'], person: 'stranger' });
    const wrong: string[] = [];
    for (const one of ROUTES) {
      const needed = ACCESS[keyOf(one)] ?? 'admin';
      const path = one.path
        .replace(':scope', 'team')
        .replace(':name', 'pdf')
        .replace(':version', '9.9.9')
        .replace(':other', '9.9.8')
        .replace(':tag', 'none')
        .replace(':person', 'someone')
        .replace(':id', '999999')
        .replace('*', 'SKILL.md');
      // An empty body is wrong for most routes, so that an allowed request changes nothing.
      const options = one.method === 'POST' || one.method === 'PUT' ? { bytes: Buffer.from('{"x":') } : {};
      const statusOf = async (secret: string | null): Promise<number> =>
        (await ask(one.method, path, { token: secret, ...options })).status;
      const none = await statusOf(null);
      if ((needed === 'nobody') !== (none !== 401)) wrong.push(`${keyOf(one)} without a token: ${none}`);
      for (const [role, secret] of tokens) {
        const status = await statusOf(secret);
        if (isExpected(needed, role) !== (status !== 403)) wrong.push(`${keyOf(one)} as ${role}: ${status}`);
      }
      const isScoped = one.path.includes(':scope');
      if (isScoped && (await statusOf(foreign)) !== 403) wrong.push(`${keyOf(one)} as a stranger`);
    }
    expect(wrong).toEqual([]);
  });

  test('is refused if its token is unknown or revoked', async () => {
    const { ask, hub } = await openTestHub(await openDatabase());
    expect(await ask('GET', '/api/v1/skills', { token: 'sphub_wrong' })).toMatchObject({ status: 401 });
    const body = { name: 'ci', person: 'ci', role: 'reader', scopes: null, days: 1 };
    const made = await ask('POST', '/api/v1/tokens', { json: body });
    const { secret, token } = made.json as { secret: string; token: { id: number } };
    expect(await ask('GET', '/api/v1/skills', { token: secret })).toMatchObject({ status: 200 });
    expect(await ask('DELETE', `/api/v1/tokens/${token.id}`)).toMatchObject({ status: 200 });
    expect(await ask('GET', '/api/v1/skills', { token: secret })).toMatchObject({ status: 401 });
    const rows = await hub.database.query<{ hash: Uint8Array }>('SELECT hash FROM tokens');
    expect(rows.every(({ hash }) => !Buffer.from(hash).toString('latin1').includes(secret.slice(6)))).toBe(true);
    const { text } = await ask('GET', '/api/v1/tokens');
    expect(text).not.toContain(secret);
    expect(text).toContain('lastUsedAt');
  });

  test('cannot give a token more rights than its own has', async () => {
    const { ask, token } = await openTestHub(await openDatabase());
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    const owner = await token('owner', { scopes: ['team'] });
    const give = (json: object) =>
      ask('POST', '/api/v1/tokens', { token: owner, json: { name: 'n', person: 'p', ...json } });
    expect(await give({ role: 'publisher', scopes: ['team'] })).toMatchObject({ status: 200 });
    expect(await give({ role: 'publisher', scopes: ['other'] })).toMatchObject({ status: 403 });
    expect(await give({ role: 'reader', scopes: null })).toMatchObject({ status: 403 });
    expect(await give({ role: 'admin', scopes: ['team'] })).toMatchObject({ status: 403 });
  });

  test('of an owner cannot reach tokens of another scope by making a token of the same name', async () => {
    const { ask, token } = await openTestHub(await openDatabase());
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    const owner = await token('owner', { scopes: ['team'], person: 'ann' });
    const given = { name: 'n', person: 'admin', role: 'publisher', scopes: ['team'] };
    const { secret } = (await ask('POST', '/api/v1/tokens', { token: owner, json: given })).json as { secret: string };
    const listed = await ask('GET', '/api/v1/tokens', { token: secret });
    expect(listed.json['tokens']).toMatchObject([{ person: 'admin', scopes: ['team'] }]);
    const { json } = await ask('GET', '/api/v1/tokens');
    const first = (json['tokens'] as { id: number; name: string }[]).find(({ name }) => name === 'first admin');
    expect(await ask('DELETE', `/api/v1/tokens/${first?.id}`, { token: secret })).toMatchObject({ status: 404 });
    expect(await ask('DELETE', `/api/v1/tokens/${first?.id}`, { token: owner })).toMatchObject({ status: 404 });
    const mine = await token('reader', { scopes: ['team'], person: 'bob' });
    const [{ id }] = (await ask('GET', '/api/v1/tokens', { token: mine })).json['tokens'] as [{ id: number }];
    expect(await ask('DELETE', `/api/v1/tokens/${id}`, { token: mine })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/api/v1/skills', { token: mine })).toMatchObject({ status: 401 });
  });

  test('is made in the name that a header gives only if it comes from the address of the proxy', async () => {
    const proxy = { header: 'x-person', addresses: readAddresses('10.1.0.0/16') ?? failing() };
    const { ask } = await openTestHub(await openDatabase(), { proxy });
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    await ask('PUT', '/api/v1/scopes/team/members/ann', { json: { role: 'publisher' } });
    const as = (from: string) => ask('GET', '/api/v1/whoami', { token: null, headers: { 'x-person': 'ann' }, from });
    expect((await as('::ffff:10.1.2.3')).json).toMatchObject({
      person: 'ann',
      grants: [{ scope: 'team', role: 'publisher' }],
    });
    expect((await as('10.2.2.3')).json).toMatchObject({ person: 'nobody', grants: [] });
  });

  test('without a token may read if the hub allows that, and nothing else', async () => {
    const { ask } = await openTestHub(await openDatabase(), { anonymousRead: true });
    expect(await ask('GET', '/api/v1/skills', { token: null })).toMatchObject({ status: 200 });
    expect(await ask('PUT', '/api/v1/scopes/team', { token: null, json: {} })).toMatchObject({ status: 403 });
    expect((await ask('GET', '/api/v1/tokens', { token: null })).json).toMatchObject({ tokens: [] });
  });
});

function isExpected(needed: string, role: Role): boolean {
  if (needed === 'nobody') return true;
  const [, everywhere] = /^everywhere (.+)$/.exec(needed) ?? [];
  if (everywhere !== undefined) return role === 'admin';
  return ROLES.indexOf(role) >= ROLES.findIndex((one) => one === needed);
}

function failing(): never {
  throw new Error('no addresses');
}

describe('a token that the hub has seen', () => {
  const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  const secret = `sphub_${'a'.repeat(43)}`;
  const request = new Request('http://hub.test/', { headers: { authorization: `Bearer ${secret}` } });
  const row = { id: 1, person: 'ann', role: 'reader', scopes: null };

  /** An identifier over a database that answers with this row, until it goes away. */
  function open(left: number | null) {
    const state = { at: 0, isAway: false, asked: 0 };
    const answer = async (sql: string): Promise<readonly never[]> => {
      if (state.isAway) throw away;
      if (sql.startsWith('SELECT')) state.asked += 1;
      return [{ ...row, left }] as unknown as readonly never[];
    };
    const database = { query: answer } as unknown as Database;
    const settings = { anonymousRead: false, proxy: undefined };
    const identifier = openIdentifier(database, settings, { now: () => state.at, onError: () => undefined });
    return { state, status: async () => (await identifier.identify(request, undefined)).ok };
  }

  test('is accepted for an hour without the database, but never longer than it is valid', async () => {
    const [lasting, short] = [open(null), open(600)];
    for (const { state, status } of [lasting, short]) {
      expect(await status()).toBe(true);
      state.isAway = true;
      state.at = 599_000;
      expect(await status()).toBe(true);
      state.at = 601_000;
    }
    expect(await lasting.status()).toBe(true);
    expect(await short.status()).toBe(false);
    lasting.state.at = 3_700_000;
    expect(await lasting.status()).toBe(false);
  });

  test('is looked up again after half a minute; text that cannot be a token never is', async () => {
    const { state, status } = open(null);
    await status();
    await status();
    expect(state.asked).toBe(1);
    state.at = 31_000;
    await status();
    expect(state.asked).toBe(2);
    expect(isTokenShaped('sphub_short')).toBe(false);
    expect(isTokenShaped(secret)).toBe(true);
  });
});

describe('addresses of a proxy', () => {
  test.each(['10.0.0.300', 'host', '10.0.0.0/40', ''])('are refused if they are not IP addresses: %j', (text) => {
    expect(readAddresses(text)).toBeUndefined();
  });
});
