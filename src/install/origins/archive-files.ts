import { fail, type Outcome } from '../../model/outcome.ts';
import { openArchive, type OpenArchive } from '../../parse/archives/open-archive.ts';
import { openFiles, type Repository } from '../../platform/repository/repository.ts';

export interface ArchiveFiles {
  readonly files: Repository;
  /** The archive's single top-level folder, or an empty text. */
  readonly wrapper: string;
}

/** Opens the bytes of an archive as files; nothing is written. */
export function openArchiveFiles(bytes: Buffer): Outcome<ArchiveFiles> {
  const opened = openArchive(bytes);
  if (!opened.ok) return opened;
  const { entries, read } = opened.archive;
  return { ok: true, files: openFiles(entries, read), wrapper: findWrapper(opened.archive) };
}

function findWrapper({ entries }: OpenArchive): string {
  const [first] = entries;
  const folder = /^([^/]+)\//.exec(first?.path ?? '')?.[1];
  return folder !== undefined && entries.every(({ path }) => path.startsWith(`${folder}/`)) ? folder : '';
}

/** Files of which nothing is read, because nothing changed. */
export function noFiles(): Repository {
  const unread = fail('INSTALL_FAILED', 'it was not fetched, because it did not change');
  return { ...openFiles([], () => unread), listTree: async () => unread };
}
