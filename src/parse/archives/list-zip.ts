/*
 * Our own reader of zip, because `fflate` accepts archives that mean one thing to it and another to the next program: an entry
 * with a second name in its own header, one name for two entries, a wrong checksum, a claimed size that cuts the data. It
 * also drops a file named `__proto__`. This reader reports contradictions; a test shows what `fflate` reads instead.
 */
import type { ArchiveMember, ArchiveListing } from './archive-members.ts';

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ZIP64 = 0xffff_ffff;

/** Finds the directory of a zip archive, wherever the archive begins; undefined if there is none. */
export function findZipDirectory(bytes: Buffer): ZipDirectory | undefined {
  const end = bytes.lastIndexOf(END);
  if (end === -1 || end < bytes.length - END_BYTES - LONGEST_COMMENT || end + END_BYTES > bytes.length)
    return undefined;
  const size = bytes.readUInt32LE(end + 12);
  const start = end - size;
  const base = start - bytes.readUInt32LE(end + 16);
  if (bytes.readUInt32LE(end + 16) === ZIP64 || start < 0 || base < 0) return { start: -1, end, base: 0, count: 0 };
  if (size > 0 && bytes.readUInt32LE(start) !== ENTRY) return undefined;
  return { start, end, base, count: bytes.readUInt16LE(end + 10) };
}

export interface ZipDirectory {
  /** -1 if the directory cannot be read. */
  readonly start: number;
  readonly end: number;
  /** The number of bytes before the archive. */
  readonly base: number;
  readonly count: number;
}

/** Lists the entries of a zip archive by its directory, and reports where the entries contradict it. */
export function listZip(bytes: Buffer, directory: ZipDirectory): ArchiveListing {
  const { start, end, base, count } = directory;
  if (start === -1) return { members: [], faults: ['the directory cannot be read (zip64, or damaged)'] };
  const entries: ZipEntry[] = [];
  for (let at = start; at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY;) {
    entries.push(readEntry(bytes, at, base));
    at += ENTRY_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const faults = entries.flatMap(({ fault }) => fault ?? []);
  if (entries.length !== count) faults.push(`the directory claims ${count} entries and lists ${entries.length}`);
  const spare = start - base - entries.reduce((sum, { length }) => sum + length, 0);
  if (spare < 0) faults.push('entries overlap');
  if (spare > MOST_BETWEEN * (entries.length + 1)) faults.push(`${spare} bytes belong to no entry`);
  return { members: [...entries.map(({ member }) => member), ...listComment(bytes.subarray(end + END_BYTES))], faults };
}

/** A data descriptor may follow an entry. */
const MOST_BETWEEN = 24;

function listComment(data: Buffer): readonly ArchiveMember[] {
  if (data.length === 0) return [];
  return [
    {
      name: '(comment)',
      isFolder: false,
      isLink: false,
      isLocked: false,
      isExecutable: false,
      claimed: { size: data.length },
      isComment: true,
      packed: { data, isDeflated: false },
    },
  ];
}

/** The kinds of files in a mode of Unix; archives of other systems have none. */
const FORMAT = 0o170000;
const REGULAR: ReadonlySet<number> = new Set([0, 0o040000, 0o100000]);
const EXECUTABLE = 0o111;
/** The system that wrote an entry: its mode counts only for Unix and macOS. */
const UNIX: ReadonlySet<number> = new Set([3, 19]);

interface ZipEntry {
  readonly member: ArchiveMember;
  readonly fault: string | undefined;
  /** The length of the entry with its local header. */
  readonly length: number;
}

function readEntry(bytes: Buffer, at: number, base: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const packedSize = bytes.readUInt32LE(at + 20);
  const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + bytes.readUInt16LE(at + 28));
  const mode = UNIX.has(bytes[at + 5] ?? 0) ? bytes.readUInt32LE(at + 38) >>> 16 : 0;
  const local = base + bytes.readUInt32LE(at + 42);
  const about = {
    name,
    isLink: !REGULAR.has(mode & FORMAT),
    isFolder: name.endsWith('/'),
    isLocked: (flags & 1) !== 0 || method === 99,
    isExecutable: (mode & EXECUTABLE) !== 0,
    claimed: { crc: bytes.readUInt32LE(at + 16), size: bytes.readUInt32LE(at + 24) },
  };
  if (local + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(local) !== LOCAL)
    return { member: { ...about, packed: undefined }, fault: `${name} is not where the directory says`, length: 0 };
  const nameLength = bytes.readUInt16LE(local + 26);
  const localName = bytes.toString('utf8', local + LOCAL_BYTES, local + LOCAL_BYTES + nameLength);
  const start = local + LOCAL_BYTES + nameLength + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(start, start + packedSize);
  const packed = method === 0 || method === 8 ? { data, isDeflated: method === 8 } : undefined;
  return {
    member: { ...about, packed },
    fault: localName === name ? undefined : `${name} has the name ${localName} in its own header`,
    length: start + packedSize - local,
  };
}
