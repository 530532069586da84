import type { FolderEntry, RefusedEntry } from '../model/folder.ts';
import type { Outcome } from '../model/outcome.ts';

/** A file to look at, wherever it lies. */
export interface AuditedFile extends FolderEntry {
  read(maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  /** Reads what does not fit into memory, piece by piece; absent where that cannot be done. */
  readonly readParts?: (visit: (bytes: Buffer) => void) => Outcome<{ readonly length: number }>;
}

export interface AuditedFiles {
  readonly files: readonly AuditedFile[];
  /** What is there and cannot be read, with the reason. */
  readonly refused: readonly RefusedEntry[];
}
