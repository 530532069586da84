import { LRUCache } from 'lru-cache';
import { readPageFiles, type PageFiles } from 'skillplane/internal';

import { openIdentifier, type Identifier, type IdentitySettings } from './access/identify.ts';
import { createToken } from './access/tokens.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openGate, type Gate } from './http/gate.ts';
import type { KnownVersion } from './http/known-versions.ts';
import { followLog, type FollowedLibrary } from './library/follow-log.ts';
import { openMetrics, type Metrics } from './operate/metrics.ts';

export interface HubSettings extends IdentitySettings {
  readonly migrations: string;
  /** The folder of the built pages; undefined if there are none. */
  readonly pages?: string | undefined;
  /** The address under which clients reach the hub, without a slash at its end; undefined: the one that they used. */
  readonly publicUrl?: string | undefined;
  /** How often to look for changes whose notice was lost. */
  readonly pollMs?: number | undefined;
}

/** One replica: a database, and what it keeps in memory of it. */
export interface Hub extends AsyncDisposable {
  readonly database: Database;
  readonly settings: HubSettings;
  readonly followed: FollowedLibrary;
  readonly identifier: Identifier;
  readonly metrics: Metrics;
  /** Archives and files that were served lately: they never change, and outlast a database that is away. */
  readonly served: LRUCache<string, Uint8Array>;
  /** Versions that were read lately; they, too, outlast a database that is away. */
  readonly known: LRUCache<number, KnownVersion>;
  /** Archives are large, and judging them takes time: a few at a time. */
  readonly publishing: Gate;
  /** The pages for people. */
  readonly pages: PageFiles | undefined;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** The first admin's token, if this start made it. It is shown once. */
  readonly firstToken: string | undefined;
}

export interface HubOptions {
  readonly settings: HubSettings;
  readonly now?: (() => Date) | undefined;
  readonly onError: (error: unknown) => void;
}

const SERVED_BYTES: number = 64 * 1024 * 1024;
const MAX_KNOWN_VERSIONS = 2_000;
const MAX_PUBLISHING = 8;
const MAX_WAITING = 256;

/** Opens a hub over a database, and brings its tables up to date first. The hub closes the database. */
export async function openHub(
  database: Database,
  { settings, onError, now = () => new Date() }: HubOptions,
): Promise<Hub> {
  await migrate(database, settings.migrations);
  const firstToken = await createFirstToken(database);
  const identifier = openIdentifier(database, settings, { onError });
  const followed = await followLog(database, {
    now,
    onError,
    pollMs: settings.pollMs,
    onAct: ({ action }) => {
      if (RIGHTS.has(action)) identifier.forget();
    },
  });
  return {
    database,
    settings,
    followed,
    identifier,
    metrics: openMetrics(),
    served: new LRUCache({
      maxSize: SERVED_BYTES,
      maxEntrySize: SERVED_BYTES / 4,
      sizeCalculation: ({ length }) => Math.max(1, length),
    }),
    known: new LRUCache({ max: MAX_KNOWN_VERSIONS }),
    publishing: openGate(MAX_PUBLISHING, MAX_WAITING),
    pages: settings.pages === undefined ? undefined : readPageFiles(settings.pages),
    now,
    onError,
    firstToken,
    async [Symbol.asyncDispose]() {
      await followed[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const RIGHTS: ReadonlySet<string> = new Set(['revoke-token', 'grant']);
const FIRST_LOCK = 7_236_106;

/** Of replicas that start together, one makes the token. */
async function createFirstToken(database: Database): Promise<string | undefined> {
  return database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [FIRST_LOCK]);
    const [row] = await queries.query<{ count: number }>('SELECT count(*) AS count FROM tokens');
    if (row?.count !== 0) return undefined;
    const { secret } = await createToken(queries, {
      name: 'first admin',
      person: 'admin',
      role: 'admin',
      scopes: null,
      days: null,
      createdBy: 'hub',
    });
    return secret;
  });
}
