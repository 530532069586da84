import type { FileContent } from '../digest.ts';
import { loadFflate } from '../lazy-packages.cjs';
import { COMPRESSION } from './write-zip.ts';

const BLOCK = 512;
const MAX_NAME = 100;
const MAX_PREFIX = 155;

/**
 * A gzipped tar archive of these files, in order. Without folders, times and owners: equal files give equal bytes.
 * Hand-written, because none of our dependencies writes tar, and two kinds of headers are enough.
 */
export function writeTarGz(files: readonly FileContent[]): Buffer {
  const tar = Buffer.concat([...files.flatMap(writeEntry), Buffer.alloc(2 * BLOCK)]);
  return Buffer.from(loadFflate().gzipSync(tar, { ...COMPRESSION, mtime: 0 }));
}

function writeEntry({ path, bytes, executable }: FileContent): readonly Buffer[] {
  const name = path.normalize('NFC');
  const split = splitName(name);
  const mode = executable ? 0o755 : 0o644;
  const entry = [header({ ...(split ?? cutName(name)), size: bytes.length, mode, type: '0' }), Buffer.from(bytes)];
  const blocks = [...entry, padding(bytes.length)];
  return split === undefined ? [...writeLongName(name), ...blocks] : blocks;
}

interface SplitName {
  readonly name: string;
  readonly prefix: string;
}

/** Cuts a path at a slash, so that both parts fit a header; undefined if that is not possible. */
function splitName(path: string): SplitName | undefined {
  if (Buffer.byteLength(path) <= MAX_NAME) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= MAX_PREFIX && Buffer.byteLength(name) <= MAX_NAME) return { name, prefix };
  }
  return undefined;
}

/** For readers that do not know extended headers. */
function cutName(path: string): SplitName {
  return {
    name: Buffer.from(path)
      .toString('latin1', 0, MAX_NAME)
      .replaceAll(/[^!-~]/g, '_'),
    prefix: '',
  };
}

/** The extended header of POSIX.1-2001 with the whole path. */
function writeLongName(path: string): readonly Buffer[] {
  const record = Buffer.from(` path=${path}\n`);
  let length = record.length + 1;
  while (String(length).length + record.length !== length) length = String(length).length + record.length;
  const data = Buffer.concat([Buffer.from(String(length)), record]);
  return [
    header({ name: 'PaxHeader', prefix: '', size: data.length, mode: 0o644, type: 'x' }),
    data,
    padding(data.length),
  ];
}

interface Header extends SplitName {
  readonly size: number;
  readonly mode: number;
  readonly type: string;
}

function header({ name, prefix, size, mode, type }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}
