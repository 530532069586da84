import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isLocked?: boolean;
  readonly isStored?: boolean;
  readonly isLink?: boolean;
  /** The name in the entry's own header, if it differs from the one in the directory. */
  readonly localName?: string;
  readonly method?: number;
  /** The mode of Unix; 0o100644 by default. */
  readonly mode?: number;
  /** The unpacked size that the archive claims, if it is another one. */
  readonly claimedSize?: number;
}

/** A zip archive with these entries. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content, isLocked = false, isStored = false, isLink = false, localName = name } = entry;
    const plain = Buffer.from(content);
    const data = isStored ? plain : deflateRawSync(plain);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isLocked ? 1 : 0, 2);
    common.writeUInt16LE(entry.method ?? (isStored ? 0 : 8), 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(entry.claimedSize ?? plain.length, 18);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(localName), data]);
    local.writeUInt16LE(Buffer.byteLength(localName), 26);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((isLink ? 0o120777 : (entry.mode ?? 0o100644)) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const header = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, Buffer.from(name)]);
    header.writeUInt16LE(Buffer.byteLength(name), 28);
    locals.push(local);
    directory.push(header);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

export interface TarEntry {
  readonly name: string;
  readonly content?: string;
  /** `0` a file, `2` a link, `5` a folder. */
  readonly type?: string;
  readonly isExecutable?: boolean;
}

/** A tar archive with these entries. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.map(({ name, content = '', type = '0', isExecutable = false }) => {
    const data = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name.slice(0, 100), 0);
    header.write(isExecutable ? '0000755\0' : '0000644\0', 100);
    header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
