import { join } from 'node:path';

import { openDatabase, type Schema } from '../../platform/database/database.ts';

/** Vectors by the digest of their text and model, for all processes. Where it cannot be kept, nothing is found. */
export interface VectorStore {
  find(digests: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  close(): void;
}

const SCHEMA: Schema = {
  migrations: ['CREATE TABLE IF NOT EXISTS vectors (digest TEXT PRIMARY KEY, vector BLOB NOT NULL)'],
  names: ['vectors'],
};
/** About 600 MB of vectors with 1,536 numbers. */
const MOST_VECTORS = 100_000;
const PATIENCE = { waitMs: 250 };

export function openVectorStore(agentHome: string): VectorStore {
  const database = openDatabase(join(agentHome, 'cache', 'vectors.db'), SCHEMA);
  return {
    async find(digests) {
      const read = await database.read((sql) =>
        digests.flatMap((digest) => sql.query('SELECT digest, vector FROM vectors WHERE digest = ?', [digest])),
      );
      const found = new Map<string, Float32Array>();
      for (const { digest, vector } of (read.ok ? read.value : undefined) ?? [])
        if (typeof digest === 'string' && vector instanceof Uint8Array) found.set(digest, toNumbers(vector));
      return found;
    },
    async keep(vectors) {
      await database.write((sql) => {
        for (const [digest, vector] of vectors)
          sql.query('INSERT OR REPLACE INTO vectors (digest, vector) VALUES (?, ?)', [digest, toBytes(vector)]);
        sql.query(
          'DELETE FROM vectors WHERE rowid <= (SELECT rowid FROM vectors ORDER BY rowid DESC LIMIT 1 OFFSET ?)',
          [MOST_VECTORS],
        );
      }, PATIENCE);
    },
    close: () => database.close(),
  };
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function toNumbers(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
