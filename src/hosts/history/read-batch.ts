import type { HostId } from '../../model/host-id.ts';
import { now } from '../../platform/clock.ts';
import { HISTORIES } from '../all-histories.ts';
import type { ReadHostFile } from './history-reader.ts';
import type { FileToRead } from './read-file.ts';
import { LEFT, toResult, type FileResult } from './read-in-order.ts';

/** Files of one import. Plain data, so that a thread can be asked to read them. */
export interface FileBatch {
  readonly files: readonly { readonly host: HostId; readonly file: FileToRead }[];
  readonly team: string;
  /** Are words of requests learned? */
  readonly learns: boolean;
  /** When to stop; milliseconds since 1970. */
  readonly until: number;
}

/** The work of a thread. */
export function readBatch({ files, until }: FileBatch, read: ReadHostFile): readonly FileResult[] {
  const isLate = (): boolean => now() >= until;
  return files.map(({ host: id, file }) =>
    isLate() ? LEFT : toResult(read({ host: { id, history: HISTORIES[id] }, file }, isLate)),
  );
}
