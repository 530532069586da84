import { join } from 'node:path';

import { packFiles, type FileContent } from 'skillplane/internal';
import { skillText } from 'skillplane/testing';
import { beforeEach, describe, onTestFinished } from 'vitest';

import type { Role } from '../../src/access/roles.ts';
import { createToken } from '../../src/access/tokens.ts';
import type { Database } from '../../src/database/database.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { openApp } from '../../src/http/app.ts';
import { openHub, type Hub, type HubSettings } from '../../src/hub.ts';
import { createDatabase, NO_POSTGRES } from './postgres.ts';

export const MIGRATIONS: string = join(import.meta.dirname, '../../migrations');

/** Opens an empty database. One is used at a time. */
export type OpenDatabase = () => Promise<Database>;

/** Making one takes seconds, and emptying it takes none: the test files of a process share one. */
let embedded: Promise<Database> | undefined;

/** The embedded database, emptied. */
async function openEmbedded(): Promise<Database> {
  embedded ??= openPglite();
  await (await embedded).script('DROP SCHEMA public CASCADE; CREATE SCHEMA public;');
  return embedded;
}

const server = process.env['TEST_POSTGRES'];
/** The test files of a process share one; each test has a schema of it. */
let url: string | undefined;
let schemas = 0;

/** A database of the PostgreSQL server that all tests share; the test closes it. */
async function openOnServer(): Promise<Database> {
  url ??= createDatabase(server ?? '');
  schemas += 1;
  const schema = `test_${schemas}`;
  const options = encodeURIComponent(`-c search_path=${schema}`);
  const database = openPostgres({ url: `${url}&options=${options}`, onError: () => undefined });
  onTestFinished(() => database[Symbol.asyncDispose]());
  await database.script(`CREATE SCHEMA ${schema}`);
  return database;
}

/** Opens an empty database: on a PostgreSQL server where that is installed, else the embedded one. */
export const openDatabase: OpenDatabase = server === undefined ? openEmbedded : openOnServer;

/** Like `openDatabase`, for a test file that fills one for all of its tests, and closes it. */
export async function openOwnDatabase(): Promise<Database> {
  return server === undefined ? openPglite() : openPostgres({ url: createDatabase(server), onError: () => undefined });
}

/** Runs the same tests on the embedded database and on a server. For what the two could do differently; all else takes `openDatabase`. */
export function describeDatabases(title: string, tests: (open: OpenDatabase) => void): void {
  describe(`${title} (embedded)`, () => {
    tests(openEmbedded);
  });
  describe(`${title} (PostgreSQL)`, () => {
    beforeEach(({ skip }) => skip(server === undefined, NO_POSTGRES));
    tests(openOnServer);
  });
}

export interface TestHub {
  readonly hub: Hub;
  /** Asks as the first admin, or with the given token; `null` is without one. */
  readonly ask: (method: string, path: string, options?: AskOptions) => Promise<Answer>;
  readonly token: (role: Role, options?: { scopes?: readonly string[] | null; person?: string }) => Promise<string>;
  /** Publishes a skill of this text. */
  readonly publish: (scope: string, name: string, options?: PublishOptions) => Promise<Answer>;
}

export interface AskOptions {
  readonly token?: string | null;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface PublishOptions {
  readonly version?: string;
  readonly token?: string;
  readonly description?: string;
  readonly body?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** More of the frontmatter. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly tag?: string;
}

/** The clock of every test hub stands at a Tuesday. */
const TUESDAY = '2026-11-17T12:00:00Z';

export async function openTestHub(
  database: Database,
  settings: Partial<HubSettings> = {},
  now: () => Date = () => new Date(TUESDAY),
): Promise<TestHub> {
  // Another owner closes the database.
  const shared = { ...database, [Symbol.asyncDispose]: async () => undefined };
  const hub = await openHub(shared, {
    settings: { migrations: MIGRATIONS, anonymousRead: false, proxy: undefined, ...settings },
    onError: () => undefined,
    now,
  });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  const app = openApp(hub);
  const admin = hub.firstToken;
  const ask: TestHub['ask'] = async (method, path, { token = admin, json, bytes, headers = {}, from } = {}) => {
    const body = bytes === undefined ? (json === undefined ? undefined : JSON.stringify(json)) : new Uint8Array(bytes);
    const request = new Request(`http://hub.test${path}`, {
      method,
      headers: { ...headers, ...(token === null || token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    });
    const response = await app(request, { address: from });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json') === true;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  return {
    hub,
    ask,
    async token(role, { scopes = null, person = role } = {}) {
      const { secret } = await createToken(database, {
        name: role,
        person,
        role,
        scopes,
        days: null,
        createdBy: 'test',
      });
      return secret;
    },
    publish(scope, name, { version = '1.0.0', token, tag, ...content } = {}) {
      const query = new URLSearchParams({ version, ...(tag === undefined ? {} : { tag }) });
      return ask('POST', `/api/v1/skills/${scope}/${name}/versions?${query.toString()}`, {
        bytes: archiveOf(name, content),
        ...(token === undefined ? {} : { token }),
      });
    },
  };
}

export function archiveOf(
  name: string,
  {
    description = `Do ${name}. Use when someone wants ${name}.`,
    body,
    files = {},
    fields = {},
  }: Omit<PublishOptions, 'version' | 'token' | 'tag'> = {},
): Uint8Array {
  const contents: FileContent[] = Object.entries({
    'SKILL.md': skillText({ name, description, ...fields }, body),
    ...files,
  }).map(([path, text]) => ({ path, executable: false, bytes: Buffer.from(text) }));
  return packFiles(contents, 'tar.gz').bytes;
}
