/** The type of a file according to its first bytes. */
export interface FileType {
  readonly kind: 'program' | 'bytecode' | 'archive' | 'packed' | 'script' | 'image' | 'document' | 'pickle';
  /** `ELF program`, `zip archive` */
  readonly label: string;
}

/** Recognises a file by its content alone; undefined for text and unknown types. */
export function sniffFile(bytes: Buffer): FileType | undefined {
  const head = bytes.subarray(0, 512).toString('latin1');
  const known = SIGNATURES.find(([start]) => head.startsWith(start));
  if (known !== undefined) return { kind: known[1], label: known[2] };
  if (isPortableExecutable(bytes)) return { kind: 'program', label: 'Windows program' };
  if (head.startsWith('\xca\xfe\xba\xbe')) return describeCafeBabe(bytes);
  if (/^(?:[\s\S][\x0b-\x0f]|\x03\xf3)\r\n/.test(head)) return { kind: 'bytecode', label: 'Python bytecode' };
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return { kind: 'image', label: 'WebP picture' };
  if (/^(?:\xef\xbb\xbf)?#!\s?\/\S/.test(head)) return { kind: 'script', label: 'script' };
  if (head.slice(257, 262) === 'ustar') return { kind: 'archive', label: 'tar archive' };
  return /^\x80[\x02-\x05][c(}\]\x95\x8a]/.test(head) ? { kind: 'pickle', label: 'Python pickle' } : undefined;
}

const SIGNATURES: readonly (readonly [start: string, kind: FileType['kind'], label: string])[] = [
  ['\x7fELF', 'program', 'ELF program'],
  ['\xfe\xed\xfa\xce', 'program', 'Mach-O program'],
  ['\xfe\xed\xfa\xcf', 'program', 'Mach-O program'],
  ['\xce\xfa\xed\xfe', 'program', 'Mach-O program'],
  ['\xcf\xfa\xed\xfe', 'program', 'Mach-O program'],
  ['\0asm', 'program', 'WebAssembly program'],
  ['dex\n03', 'bytecode', 'Android bytecode'],
  ['\x1bLua', 'bytecode', 'Lua bytecode'],
  ['BC\xc0\xde', 'bytecode', 'LLVM bitcode'],
  ['PK\x03\x04', 'archive', 'zip archive'],
  ['PK\x05\x06', 'archive', 'zip archive'],
  ['\x1f\x8b\x08', 'archive', 'gzip archive'],
  ['Rar!\x1a\x07', 'packed', 'RAR archive'],
  ['7z\xbc\xaf\x27\x1c', 'packed', '7z archive'],
  ['\xfd7zXZ\0', 'packed', 'xz archive'],
  ['BZh', 'packed', 'bzip2 archive'],
  ['\x28\xb5\x2f\xfd', 'packed', 'Zstandard archive'],
  ['MSCF\0', 'packed', 'cabinet archive'],
  ['!<arch>\n', 'packed', 'ar archive'],
  ['\xed\xab\xee\xdb', 'packed', 'RPM package'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'packed', 'OLE document'],
  ['\x89PNG\r\n', 'image', 'PNG picture'],
  ['\xff\xd8\xff', 'image', 'JPEG picture'],
  ['GIF8', 'image', 'GIF picture'],
  ['%PDF-', 'document', 'PDF document'],
];

/** Many texts begin with `MZ`, but only a program has a PE header. */
function isPortableExecutable(bytes: Buffer): boolean {
  if (bytes[0] !== 0x4d || bytes[1] !== 0x5a || bytes.length < 64) return false;
  const header = bytes.readUInt32LE(60);
  return (
    bytes.toString('latin1', header, header + 4) === 'PE\0\0' ||
    bytes.subarray(2, 64).filter((byte) => byte === 0).length > 16
  );
}

/** Java classes and universal Mach-O programs begin with the same bytes; a program then has a small number of parts. */
function describeCafeBabe(bytes: Buffer): FileType {
  const isProgram = bytes.length >= 8 && bytes.readUInt32BE(4) < 40;
  return isProgram ? { kind: 'program', label: 'Mach-O program' } : { kind: 'bytecode', label: 'Java class' };
}
