import type { FolderEntry } from '../../model/folder.ts';
import type { Outcome } from '../../model/outcome.ts';
import { findZipDirectory } from '../../parse/archives/list-zip.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { ARCHIVES, FILES } from '../rules/files.ts';
import type { Examiner } from './examiner.ts';

/** A file to audit, on disk or in a repository. */
export interface AuditedFile extends FolderEntry {
  read(maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  /** Reads a file of any size in parts; undefined if that is not possible. */
  readonly readParts?: (visit: (bytes: Buffer) => void) => Outcome<{ readonly length: number }>;
}

/** Larger files are read in parts, and larger archives are not unpacked. */
export const MAX_EXAMINED_BYTES: number = 64 * 1024 * 1024;

export interface Examining {
  readonly examiner: Examiner;
  readonly report: AuditReport;
  readonly maxWholeBytes: number;
  /** The file is run, whatever its name says. */
  readonly isRun: boolean;
}

/** Examines a file from its first byte to its last, and returns its beginning or all of it. */
export async function examineFileWhole(file: AuditedFile, examining: Examining): Promise<Buffer> {
  const { examiner, report, maxWholeBytes, isRun } = examining;
  const place: FindingPlace = { file: file.path };
  if (file.size > maxWholeBytes && file.readParts !== undefined) return examineParts(file, file.readParts, examining);
  const whole = await file.read(maxWholeBytes);
  if (!whole.ok) {
    report.add(ARCHIVES.unread, place, { excerpt: `its ${file.size} bytes were not read: ${whole.message}` });
    return NOTHING;
  }
  const bytes = Buffer.from(whole.bytes.buffer, whole.bytes.byteOffset, whole.bytes.byteLength);
  examiner.examine({ place, bytes, depth: 0, isRun });
  return bytes;
}

const NOTHING = Buffer.alloc(0);
const START_BYTES = 4096;

type ReadParts = NonNullable<AuditedFile['readParts']>;

function examineParts(
  { path, size }: AuditedFile,
  readParts: ReadParts,
  { examiner, report, isRun }: Examining,
): Buffer {
  const place: FindingPlace = { file: path };
  const reading = examiner.openReading(place, { isRun });
  let start: Buffer | undefined;
  const read = readParts((bytes) => {
    if (start === undefined) {
      start = Buffer.from(bytes.subarray(0, START_BYTES));
      const type = examiner.examineStart(place, bytes);
      if (type?.kind === 'archive') report.add(ARCHIVES.bomb, place, { excerpt: `${type.label} of ${size} bytes` });
    } else if (findZipDirectory(bytes) !== undefined)
      report.add(FILES.polyglot, place, { excerpt: 'contains a zip archive that is too large to unpack' });
    reading.read(bytes);
  });
  reading.end();
  const unread = read.ok ? size - read.length : size;
  const why = read.ok ? '' : `: ${read.message}`;
  if (unread > 0) report.add(ARCHIVES.unread, place, { excerpt: `${unread} of ${size} bytes were not read${why}` });
  return start ?? NOTHING;
}
