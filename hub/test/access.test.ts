import { describe, expect, test } from 'vitest';

import { readAddresses } from '../src/access/identify.ts';
import { ROLES, type Role } from '../src/access/roles.ts';
import { ROUTES } from '../src/http/all-routes.ts';
import { describeDatabases, openTestHub } from './support/hubs.ts';

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
};

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

test('every route is in the table of access, and no other', () => {
  expect(ROUTES.map(keyOf).sort()).toEqual(Object.keys(ACCESS).sort());
});

describeDatabases('access', (databases) => {
  test('every route answers every role as the table says', async () => {
    const { ask, token, publish } = await openTestHub(await databases.open());
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

  test('a token that is unknown, expired or revoked is none', async () => {
    const { ask, hub } = await openTestHub(await databases.open());
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

  test('nobody gives more than they may do themselves', async () => {
    const { ask, token } = await openTestHub(await databases.open());
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    const owner = await token('owner', { scopes: ['team'] });
    const give = (json: object) =>
      ask('POST', '/api/v1/tokens', { token: owner, json: { name: 'n', person: 'p', ...json } });
    expect(await give({ role: 'publisher', scopes: ['team'] })).toMatchObject({ status: 200 });
    expect(await give({ role: 'publisher', scopes: ['other'] })).toMatchObject({ status: 403 });
    expect(await give({ role: 'reader', scopes: null })).toMatchObject({ status: 403 });
    expect(await give({ role: 'admin', scopes: ['team'] })).toMatchObject({ status: 403 });
  });

  test('a name in a header counts only from the address of the proxy', async () => {
    const proxy = { header: 'x-person', addresses: readAddresses('10.1.0.0/16') ?? failing() };
    const { ask } = await openTestHub(await databases.open(), { proxy });
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    await ask('PUT', '/api/v1/scopes/team/members/ann', { json: { role: 'publisher' } });
    const as = (from: string) => ask('GET', '/api/v1/whoami', { token: null, headers: { 'x-person': 'ann' }, from });
    expect((await as('::ffff:10.1.2.3')).json).toMatchObject({
      person: 'ann',
      grants: [{ scope: 'team', role: 'publisher' }],
    });
    expect((await as('10.2.2.3')).json).toMatchObject({ person: 'nobody', grants: [] });
  });

  test('everyone may read if the hub says so, and nothing else', async () => {
    const { ask } = await openTestHub(await databases.open(), { anonymousRead: true });
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

describe('addresses', () => {
  test.each(['10.0.0.300', 'host', '10.0.0.0/40', ''])('%j are none', (text) => {
    expect(readAddresses(text)).toBeUndefined();
  });
});
