import type { PGlite, Transaction } from '@electric-sql/pglite';

import type { Database, Queries, SqlValue } from './database.ts';

/** Opens an embedded PostgreSQL in a folder, or in memory. One process alone may use the folder. */
export async function openPglite(dir?: string): Promise<Database> {
  const { PGlite, types } = await import('@electric-sql/pglite');
  const database = await PGlite.create({
    ...(dir === undefined ? {} : { dataDir: dir }),
    parsers: { [types.INT8]: Number, [types.DATE]: (text: string) => text },
  });
  return {
    ...toQueries(database),
    transaction: (work) => database.transaction((transaction) => work(toQueries(transaction))),
    script: async (sql) => {
      await database.transaction((transaction) => transaction.exec(sql));
    },
    async listen(channel, { onNotice }) {
      const stop = await database.listen(channel, onNotice);
      return { [Symbol.asyncDispose]: () => stop() };
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

function toQueries(target: PGlite | Transaction): Queries {
  return {
    async query<Row extends object>(sql: string, values: readonly SqlValue[] = []) {
      const { rows } = await target.query<Row>(sql, [...values]);
      return rows;
    },
  };
}
