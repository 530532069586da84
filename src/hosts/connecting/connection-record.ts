import { join } from 'node:path';

import { parseJson } from '../../model/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import type { Swap } from '../editing/text-changes.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';

/** The changes of a file of a host, so that disconnecting can take them back to the byte. */
export interface FileRecord {
  readonly path: string;
  readonly wasThere: boolean;
  /** The uppermost folder that was made for it. */
  readonly folder?: string | undefined;
  readonly changes: readonly Swap[];
}

/** The files that we changed for a host; none if it was not connected by us. */
export function readRecords(agentHome: string, host: string): readonly FileRecord[] {
  return itemsAt(readAll(agentHome), host).flatMap((file) => {
    const path = textAt(file, 'path');
    const changes = itemsAt(file, 'changes').flatMap((change): readonly Swap[] => {
      const [before, after] = [valueAt(change, 'before'), valueAt(change, 'after')];
      return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : [];
    });
    const wasThere = valueAt(file, 'wasThere') !== false;
    return path === undefined ? [] : [{ path, wasThere, folder: textAt(file, 'folder'), changes }];
  });
}

/** Replaces the records of a host; none forgets it. Needs the lock of the file, which has the records of all hosts. */
export function writeRecords(agentHome: string, host: string, records: readonly FileRecord[]): Outcome {
  const others = Object.entries(readAll(agentHome)).filter(([id]) => id !== host);
  const all = Object.fromEntries([...others, ...(records.length === 0 ? [] : [[host, records]])]);
  const text = `${JSON.stringify(all, undefined, 2)}\n`;
  const present = readOwnText(recordFile(agentHome));
  if (present.ok && (present.text ?? '{}\n') === text) return { ok: true };
  // It quotes files that may hold secrets.
  const written = replaceFile(recordFile(agentHome), text, { isPrivate: true });
  return written.ok ? { ok: true } : written;
}

function readAll(agentHome: string): Readonly<Record<string, Json>> {
  const read = readOwnText(recordFile(agentHome));
  const given = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
  return typeof given === 'object' && given !== null ? { ...given } : {};
}

export function recordFile(agentHome: string): string {
  return join(agentHome, 'hosts', 'connections.json');
}
