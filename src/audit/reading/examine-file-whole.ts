import { findZipDirectory } from '../archives/unpack-zip.ts';
import type { AuditedFile } from '../audited-files.ts';
import type { AuditReport, Place } from '../report.ts';
import { ARCHIVES, FILES } from '../rules/files.ts';
import type { Examiner } from './examiner.ts';

/** What is read into memory as a whole; archives that are larger are not looked into. */
const MAX_WHOLE_BYTES: number = 64 * 1024 * 1024;

export interface Examining {
  readonly examiner: Examiner;
  readonly report: AuditReport;
}

/** Examines a file of a skill from its first byte to its last; gives its beginning, or all of it. */
export async function examineFileWhole(file: AuditedFile, examining: Examining): Promise<Buffer> {
  const { examiner, report } = examining;
  const place: Place = { file: file.path };
  if (file.size > MAX_WHOLE_BYTES && file.readParts !== undefined) return examineParts(file, file.readParts, examining);
  const whole = await file.read(MAX_WHOLE_BYTES);
  if (!whole.ok) {
    report.add(ARCHIVES.unread, place, { excerpt: `its ${file.size} bytes were not read: ${whole.message}` });
    return NOTHING;
  }
  const bytes = Buffer.from(whole.bytes.buffer, whole.bytes.byteOffset, whole.bytes.byteLength);
  examiner.examine({ place, bytes, depth: 0 });
  return bytes;
}

const NOTHING = Buffer.alloc(0);
const START_BYTES = 4096;

type ReadParts = NonNullable<AuditedFile['readParts']>;

function examineParts({ path, size }: AuditedFile, readParts: ReadParts, { examiner, report }: Examining): Buffer {
  const place: Place = { file: path };
  const reading = examiner.openReading(place);
  let start: Buffer | undefined;
  const read = readParts((bytes) => {
    if (start === undefined) {
      start = Buffer.from(bytes.subarray(0, START_BYTES));
      const type = examiner.examineStart(place, bytes);
      if (type?.kind === 'archive') report.add(ARCHIVES.bomb, place, { excerpt: `${type.label} of ${size} bytes` });
    } else if (findZipDirectory(bytes) !== undefined)
      report.add(FILES.polyglot, place, { excerpt: 'a zip archive in it, too large to look into' });
    reading.read(bytes);
  });
  reading.end();
  const unread = read.ok ? size - read.length : size;
  const why = read.ok ? '' : `: ${read.message}`;
  if (unread > 0) report.add(ARCHIVES.unread, place, { excerpt: `${unread} of ${size} bytes were not read${why}` });
  return start ?? NOTHING;
}
