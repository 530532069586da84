import { join } from 'node:path';

import type { Outcome } from '../../model/outcome.ts';
import { createDatabase, moveDatabaseAside, type DatabaseFailure } from '../../platform/database/database-file.ts';
import { openDatabase, type Database } from '../../platform/database/database.ts';
import { withLock } from '../../platform/files/lock.ts';

/** Vectors by the digest of their text and model, for all processes. Where it cannot be kept, nothing is found. */
export interface VectorStore {
  find(digests: readonly string[]): ReadonlyMap<string, Float32Array>;
  keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  close(): void;
}

/** About 600 MB of vectors with 1,536 numbers. */
const MOST_VECTORS = 100_000;
const PATIENCE = { waitMs: 250 };
const PATIENT = { patienceMs: 250 };

export function openVectorStore(agentHome: string): VectorStore {
  const path = join(agentHome, 'cache', 'vectors.db');
  let database: Database | undefined;
  const open = (): Database | undefined => {
    if (database?.isInPlace() === true) return database;
    database?.close();
    const opened = openDatabase(path);
    database = opened.ok ? opened.value : undefined;
    // A broken one makes room for a new one at the next write.
    if (!opened.ok && opened.trouble === 'broken' && opened.identity !== undefined)
      moveDatabaseAside(path, opened.identity);
    return database;
  };
  return {
    find(digests) {
      const read = open()?.read((sql) =>
        digests.flatMap((digest) => sql.query('SELECT digest, vector FROM vectors WHERE digest = ?', [digest])),
      );
      const found = new Map<string, Float32Array>();
      for (const { digest, vector } of read?.ok === true ? read.value : [])
        if (typeof digest === 'string' && vector instanceof Uint8Array) found.set(digest, toNumbers(vector));
      return found;
    },
    async keep(vectors) {
      if (open() === undefined) await withLock(path, async () => createDatabase(path, prepare), PATIENT);
      open()?.write((sql) => {
        for (const [digest, vector] of vectors)
          sql.query('INSERT OR REPLACE INTO vectors (digest, vector) VALUES (?, ?)', [digest, toBytes(vector)]);
        sql.query(
          'DELETE FROM vectors WHERE rowid <= (SELECT rowid FROM vectors ORDER BY rowid DESC LIMIT 1 OFFSET ?)',
          [MOST_VECTORS],
        );
      }, PATIENCE);
    },
    close() {
      database?.close();
      database = undefined;
    },
  };
}

function prepare(path: string): Outcome<object, DatabaseFailure> {
  const opened = openDatabase(path);
  if (!opened.ok) return opened;
  const written = opened.value.write(
    (sql) => sql.execute('CREATE TABLE vectors (digest TEXT PRIMARY KEY, vector BLOB NOT NULL)'),
    PATIENCE,
  );
  opened.value.close();
  return written;
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function toNumbers(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
