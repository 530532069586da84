import { crc32 } from 'node:zlib';

import type { FileContent } from '../digest.ts';
import { deflate } from './deflate.ts';

/** 1 January 1980, the first day of the format. */
const FIRST_DAY = 0x0021;
const VERSION = 20;
/** Made on Unix, so that the executable bit counts. */
const MADE_BY = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;

/** A zip archive of these files, in the given order. No folders, no times, no owners: equal files give equal bytes. */
export function writeZip(files: readonly FileContent[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const entry = packEntry(file);
    parts.push(entry.local, entry.data);
    directory.push(describeEntry(entry, file, offset));
    offset += entry.local.length + entry.data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...parts, ...directory, endDirectory({ count: files.length, size, offset })]);
}

interface PackedEntry {
  readonly name: Buffer;
  /** The fields that both headers have, from the flags on. */
  readonly common: Buffer;
  readonly local: Buffer;
  readonly data: Buffer;
}

function packEntry({ path, bytes }: FileContent): PackedEntry {
  const name = Buffer.from(path.normalize('NFC'));
  const packed = deflate(bytes);
  const isSmaller = packed.length < bytes.length;
  const data = isSmaller ? packed : Buffer.from(bytes);
  const common = Buffer.alloc(24);
  common.writeUInt16LE(UTF8_NAMES, 0);
  common.writeUInt16LE(isSmaller ? DEFLATED : 0, 2);
  common.writeUInt16LE(0, 4);
  common.writeUInt16LE(FIRST_DAY, 6);
  common.writeUInt32LE(crc32(bytes), 8);
  common.writeUInt32LE(data.length, 12);
  common.writeUInt32LE(bytes.length, 16);
  common.writeUInt16LE(name.length, 20);
  const head = Buffer.from('PK\x03\x04', 'latin1');
  return { name, common, local: Buffer.concat([head, shortOf(VERSION), common, name]), data };
}

function describeEntry({ name, common }: PackedEntry, { executable }: FileContent, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  const head = Buffer.from('PK\x01\x02', 'latin1');
  return Buffer.concat([head, shortOf(MADE_BY), shortOf(VERSION), common, rest, name]);
}

function endDirectory({ count, size, offset }: Readonly<Record<'count' | 'size' | 'offset', number>>): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function shortOf(value: number): Buffer {
  return Buffer.from([value & 0xff, value >> 8]);
}
