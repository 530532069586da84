import type { FileContent } from '../digest.ts';
import { loadFflate } from '../lazy-packages.cjs';

/** The system whose modes count. */
const UNIX = 3;

/**
 * A zip archive of these files, in the given order. No folders, no times, no owners: equal files give equal bytes. The
 * archive is built entry by entry, because `zipSync` takes an object: it loses a file named `__proto__` and moves names
 * that are numbers to the front.
 */
export function writeZip(files: readonly FileContent[]): Buffer {
  const { Zip, ZipDeflate } = loadFflate();
  // The format's first day, in local time: the same bytes in every time zone.
  const firstDay = new Date(1980, 0, 1);
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(part);
  });
  for (const { path, bytes, executable } of files) {
    const entry = new ZipDeflate(path.normalize('NFC'), COMPRESSION);
    entry.mtime = firstDay;
    entry.os = UNIX;
    entry.attrs = (executable ? 0o100755 : 0o100644) << 16;
    zip.add(entry);
    entry.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(parts);
}

/** Fixed, so that the bytes depend on nothing else: by default, the memory is chosen by a logarithm. */
export const COMPRESSION = { level: 9, mem: 4 } as const;
