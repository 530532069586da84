import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Pool, types, type ClientConfig } from 'pg';

import {
  CommitUnknown,
  isConnectionLoss,
  type Database,
  type NoticeListener,
  type Queries,
  type SqlValue,
} from './database.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Connections for queries; one more listens. */
  readonly maxConnections?: number | undefined;
  /** Told of connections that broke while nothing used them. */
  readonly onError: (error: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Opens a PostgreSQL server, version 15 or later. Connections are made when they are needed, and made anew when they break. */
export function openPostgres({ url, maxConnections = 10, onError }: PostgresOptions): Database {
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'skillplane-hub',
    keepAlive: true,
    types: { getTypeParser: readType },
  };
  const pool = new Pool({ ...config, max: maxConnections });
  pool.on('error', onError);
  const transaction = async <Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    // A connection can break between two statements, too; without a listener that would end the process.
    client.on('error', onError);
    let isBroken = false;
    try {
      await client.query('BEGIN');
      const result = await work(toQueries(client));
      await client.query('COMMIT').catch((error: unknown) => {
        throw isConnectionLoss(error) ? new CommitUnknown({ cause: error }) : error;
      });
      return result;
    } catch (error) {
      // A connection that cannot roll back is not given to anyone else.
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.off('error', onError);
      client.release(isBroken);
    }
  };
  return {
    ...toQueries(pool),
    transaction,
    script: (sql) =>
      transaction(async (queries) => {
        await queries.query(sql);
      }),
    listen: (channel, listener) =>
      keepListening({ ...config, statement_timeout: 0 }, channel, { ...listener, onError }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

interface PgTarget {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

function toQueries(target: PgTarget): Queries {
  return {
    async query<Row extends object>(sql: string, values?: readonly SqlValue[]) {
      // Without values, a text may hold several statements; each has a result then, and there are no rows to return.
      const result = values === undefined ? await target.query(sql) : await target.query(sql, values.map(toParameter));
      // The caller names the columns of its own statement.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (result.rows ?? []) as readonly Row[];
    },
  };
}

function toParameter(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

const INT8 = 20;
const DATE = 1082;

function readType(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const parser: (value: string) => unknown = types.getTypeParser(oid, format);
  if (oid === DATE) return (text) => text;
  return oid === INT8 ? Number : parser;
}

interface ListenerWithErrors extends NoticeListener {
  readonly onError: (error: unknown) => void;
}

const MAX_PAUSE_MS = 2_000;

/** Listens on a connection of its own, and on a new one whenever that breaks. The first must succeed. */
async function keepListening(
  config: ClientConfig,
  channel: string,
  { onNotice, onGap, onError }: ListenerWithErrors,
): Promise<AsyncDisposable> {
  const closing = new AbortController();
  let current: Client | undefined;
  const connect = async (): Promise<void> => {
    const client = new Client(config);
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    client.on('error', onError);
    client.once('end', () => {
      if (client === current && !closing.signal.aborted) void reconnect();
    });
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    current = client;
  };
  const reconnect = async (): Promise<void> => {
    for (let pause = 50; !closing.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        await connect();
        onGap();
        return;
      } catch (error) {
        onError(error);
        await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    }
  };
  await connect();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await current?.end().catch(onError);
    },
  };
}
