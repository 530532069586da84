/*
 * Our own reader of tar. `fflate` reads none, and programs that unpack tar disagree about an entry whose extended header gives
 * it a second size, a name for all entries, and data after the end. This reader reports each of them.
 */
import type { ArchiveMember, ArchiveListing } from './archive-members.ts';

const BLOCK = 512;

/** Lists the entries of a tar archive; stops with a fault at the first invalid header. */
export function listTar(bytes: Buffer): ArchiveListing {
  const members: ArchiveMember[] = [];
  const faults: string[] = [];
  let longName: string | undefined;
  let at = 0;
  while (at + BLOCK <= bytes.length && bytes[at] !== 0) {
    const header = readHeader(bytes.subarray(at, at + BLOCK));
    if (header === undefined) return { members, faults: [...faults, `no valid entry after byte ${at}`] };
    const data = bytes.subarray(at + BLOCK, at + BLOCK + header.size);
    if (data.length < header.size) faults.push(`${header.name} is cut off`);
    if (header.type === 'L') longName = data.toString('utf8').replace(/\0[\s\S]*$/, '');
    else if (header.type === 'x') {
      longName = findRecord(data, 'path') ?? longName;
      if (findRecord(data, 'size') !== undefined) faults.push('an entry has two sizes');
    } else if (header.type === 'g') {
      if (findRecord(data, 'path') !== undefined) faults.push('one name is given to all entries');
    } else {
      members.push(toMember({ ...header, name: longName ?? header.name }, data));
      longName = undefined;
    }
    at += BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) faults.push('data follows the end of the archive');
  return { members, faults };
}

/** A record of an extended header. */
function findRecord(data: Buffer, key: string): string | undefined {
  return new RegExp(`(?:^|\\n)\\d+ ${key}=([^\\n]*)\\n`).exec(data.toString('utf8'))?.[1];
}

function toMember({ name, type, mode }: Header, data: Buffer): ArchiveMember {
  const isFile = type === '0' || type === '\0' || type === '7';
  const isFolder = type === '5';
  return {
    name,
    isFolder,
    isLink: !isFile && !isFolder,
    isLocked: false,
    isExecutable: (mode & 0o111) !== 0,
    claimed: { size: data.length },
    packed: isFile ? { data, isDeflated: false } : undefined,
  };
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly mode: number;
}

function readHeader(block: Buffer): Header | undefined {
  const size = readNumber(block.subarray(124, 136));
  const sum = readNumber(block.subarray(148, 156));
  if (size === undefined || sum !== checksumOf(block)) return undefined;
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? readText(block.subarray(345, 500)) : '';
  const name = readText(block.subarray(0, 100));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(block[156] ?? 0),
    mode: readNumber(block.subarray(100, 108)) ?? 0,
  };
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

function readNumber(field: Buffer): number | undefined {
  const text = field.toString('latin1').replaceAll(/[\0 ]/g, '');
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

/** The sum of all bytes, with the checksum field read as blanks. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}
