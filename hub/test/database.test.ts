import { expect, test } from 'vitest';
import { z } from 'zod';

import { isConnectionLoss, sqlState } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { archiveOf, describeDatabases, MIGRATIONS, openDatabase, openTestHub, type Answer } from './support/hubs.ts';
import { tellStory } from './support/team-story.ts';

interface Content {
  readonly schema?: z.core.JSONSchema.JSONSchema;
}

interface Operation {
  readonly responses: Readonly<Record<'200' | 'default', { readonly content: Readonly<Record<string, Content>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Refusal: z.core.JSONSchema.JSONSchema } };
}

/** Routes that only answer clients of an older protocol with a refusal of its own. */
const REFUSING = ['get /mcp', 'delete /mcp'];

/** Undefined if the answer is as the document says. */
function findFault(answer: Answer, operation: Operation | undefined): string | undefined {
  if (answer.status !== 200) return `${answer.status} ${answer.text.slice(0, 200)}`;
  const type = answer.headers.get('content-type') ?? '';
  const described = operation?.responses['200'].content ?? {};
  const content = described[type] ?? described[type.split(';')[0] ?? ''];
  if (content === undefined) return `the type ${type}, not ${Object.keys(described).join()}`;
  if (content.schema === undefined) return undefined;
  const checked = z.fromJSONSchema(content.schema).safeParse(answer.json);
  return checked.success ? undefined : z.prettifyError(checked.error);
}

describeDatabases('a database', (open) => {
  test('returns values as they were stored', async () => {
    const database = await open();
    const bytes = new Uint8Array([0, 1, 255]);
    const at = new Date('2026-01-02T03:04:05.678Z');
    const [row] = await database.query<Record<string, unknown>>(
      `SELECT $1::bytea AS bytes, $2::text[] AS words, $3::timestamptz AS at, $4::bigint AS large, $5::jsonb AS data, $6::text AS none`,
      [bytes, ['a', 'b,c'], at, 9_007_199_254_740_991, '{"a": [1]}', null],
    );
    expect(new Uint8Array(row?.['bytes'] as Uint8Array)).toEqual(bytes);
    expect(row).toMatchObject({ words: ['a', 'b,c'], at, large: 9_007_199_254_740_991, data: { a: [1] }, none: null });
  });

  test('stores all of a transaction or nothing', async () => {
    const database = await open();
    await database.script('CREATE TABLE t (n int); INSERT INTO t VALUES (1);');
    const failing = database.transaction(async (queries) => {
      await queries.query('INSERT INTO t VALUES (2)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction((queries) => queries.query('INSERT INTO t VALUES (3)'));
    expect(await database.query('SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test('sends a notice when its transaction commits', async () => {
    const database = await open();
    const heard: string[] = [];
    await using _listening = await database.listen('news', {
      onNotice: (text) => heard.push(text),
      onGap: () => undefined,
    });
    await database.transaction(async (queries) => {
      await queries.query(`SELECT pg_notify('news', 'one')`);
    });
    await expect.poll(() => heard).toEqual(['one']);
  });

  test('is migrated once by ten hubs that start at the same time', async () => {
    const database = await open();
    const done = await Promise.all(Array.from({ length: 10 }, () => migrate(database, MIGRATIONS)));
    expect(done.flat()).toEqual([
      '001-initial.sql',
      '002-clients-tags-approvals.sql',
      '003-index-in-parts.sql',
      '004-library-in-parts.sql',
    ]);
  });

  test('that a newer hub has migrated is refused', async () => {
    const database = await open();
    await migrate(database, MIGRATIONS);
    await database.query(`INSERT INTO migrations (number, name) VALUES (999, 'later')`);
    await expect(migrate(database, MIGRATIONS)).rejects.toThrow('start a newer skillplane-hub');
  });

  test.each([
    'UPDATE log SET actor = $1',
    'DELETE FROM log WHERE actor = $1',
    'UPDATE blobs SET content = $1::text::bytea, size = 1',
    'UPDATE versions SET digest = $1',
  ])('refuses statements that change published versions or the log: %s', async (sql) => {
    const database = await open();
    await migrate(database, MIGRATIONS);
    await database.script(`
      INSERT INTO log (actor, action) VALUES ('a', 'publish');
      INSERT INTO scopes (name) VALUES ('t');
      INSERT INTO skills (scope, name) VALUES ('t', 's');
      INSERT INTO blobs (digest, size, content) VALUES (sha256('x'), 1, 'x');
      INSERT INTO versions (skill, version, digest, archive, description, manifest, findings, warnings, state, published_by)
        SELECT id, '1.0.0', 'd', sha256('x'), '', '{}', '[]', '[]', 'published', 'a' FROM skills;`);
    const state = await database.query(sql, ['b']).then(
      () => 'changed',
      (error: unknown) => sqlState(error),
    );
    expect(state).toBe('55000');
  });

  test('below a hub lets it answer on every route of its OpenAPI document as the document says', async () => {
    const { ask, token, hub } = await openTestHub(await open());
    const document = (await ask('GET', '/api/v1/openapi.json', { token: null })).json as unknown as Document;
    const ann = await token('owner', { person: 'ann' });
    await token('reader', { person: 'spare' });
    const [spare] = await hub.database.query<{ id: number }>(`SELECT id FROM tokens WHERE person = 'spare'`);
    const faults: string[] = [];
    const asked = new Set<string>(REFUSING);
    for (const { route, at, ...options } of tellStory({ ann, spare: spare?.id ?? 0 })) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await ask(method.toUpperCase(), at ?? path, options);
      const fault = findFault(answer, document.paths[path]?.[method]);
      if (fault !== undefined) faults.push(`${route}: ${fault}`);
      asked.add(route);
    }
    expect(faults).toEqual([]);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual([...asked].sort());
  });
});

test('a broken pipe to the database counts as a lost connection', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect(sqlState(broken)).toBeUndefined();
  expect(isConnectionLoss(broken)).toBe(true);
  const refused = Object.assign(new Error('duplicate key'), { code: '23505' });
  expect(sqlState(refused)).toBe('23505');
  expect(isConnectionLoss(refused)).toBe(false);
});

test('a refusal of the hub has the form that its OpenAPI document describes', async () => {
  const { ask } = await openTestHub(await openDatabase());
  const document = (await ask('GET', '/api/v1/openapi.json', { token: null })).json as unknown as Document;
  const refusal = z.fromJSONSchema(document.components.schemas.Refusal);
  const refused = [
    await ask('GET', '/api/v1/skills', { token: null }),
    await ask('GET', '/api/v1/search'),
    await ask('GET', '/api/v1/skills/team/none'),
    await ask('PUT', '/api/v1/scopes/TEAM', { json: {} }),
    await ask('GET', '/nothing'),
    await ask('POST', '/api/v1/skills/team/pdf/versions', { bytes: archiveOf('pdf') }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 400, 404, 400, 404, 404]);
  expect(refused.map(({ json }) => refusal.safeParse(json).error?.message)).toEqual(refused.map(() => undefined));
});
