import type { Member, Packing } from './packing.ts';

const BLOCK = 512;

/** The entries of a tar archive; reading stops with a fault where the headers no longer make sense. */
export function listTar(bytes: Buffer): Packing {
  const members: Member[] = [];
  const faults: string[] = [];
  let longName: string | undefined;
  let at = 0;
  while (at + BLOCK <= bytes.length && bytes[at] !== 0) {
    const header = readHeader(bytes.subarray(at, at + BLOCK));
    if (header === undefined) return { members, faults: [...faults, `what follows byte ${at} is no entry`] };
    const data = bytes.subarray(at + BLOCK, at + BLOCK + header.size);
    if (data.length < header.size) faults.push(`${header.name} is cut off`);
    if (header.type === 'L') longName = data.toString('utf8').replace(/\0[\s\S]*$/, '');
    else if (header.type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(data.toString('utf8'))?.[1] ?? longName;
    else if (header.type !== 'g') {
      members.push(toMember(longName ?? header.name, header.type, data));
      longName = undefined;
    }
    at += BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) faults.push('something follows its end');
  return { members, faults };
}

function toMember(name: string, type: string, data: Buffer): Member {
  const isFile = type === '0' || type === '\0' || type === '7';
  const isFolder = type === '5';
  return {
    name,
    isFolder,
    isLink: !isFile && !isFolder,
    isLocked: false,
    packed: isFile ? { data, isDeflated: false } : undefined,
  };
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

function readHeader(block: Buffer): Header | undefined {
  const size = readNumber(block.subarray(124, 136));
  const sum = readNumber(block.subarray(148, 156));
  if (size === undefined || sum !== checksumOf(block)) return undefined;
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? readText(block.subarray(345, 500)) : '';
  const name = readText(block.subarray(0, 100));
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: String.fromCharCode(block[156] ?? 0) };
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

function readNumber(field: Buffer): number | undefined {
  const text = field.toString('latin1').replaceAll(/[\0 ]/g, '');
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

/** The sum of all bytes, with blanks for the sum itself. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}
