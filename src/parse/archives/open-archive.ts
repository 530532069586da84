import { crc32 } from 'node:zlib';

import { listSome } from '../../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findPathFault } from '../../model/path-fault.ts';
import type { ArchiveListing, ArchiveMember } from './archive-members.ts';
import { listTar } from './list-tar.ts';
import { findZipDirectory, listZip } from './list-zip.ts';
import { unpack } from './unpack.ts';

/** Limits for an archive: packed bytes, entries, and unpacked bytes. */
export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly entries: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  packedBytes: 100 * 1024 * 1024,
  unpackedBytes: 256 * 1024 * 1024,
  entries: 50_000,
};

/** A file entry. Its path is relative and stays inside the archive. */
export interface ArchiveEntry {
  readonly path: string;
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly executable: boolean;
}

export interface OpenArchive {
  readonly format: 'zip' | 'tar.gz';
  /** In the order of the archive; no two have the same path. */
  readonly entries: readonly ArchiveEntry[];
  /** Unpacks a file; it has exactly the size and checksum that the archive claims. */
  readonly read: (path: string, maxBytes: number) => Outcome<{ readonly bytes: Uint8Array }>;
}

/**
 * Opens a zip or tar.gz archive, identified by its bytes, not its name; zip entries are unpacked later. One encrypted,
 * duplicate, outside or inconsistent entry refuses the whole archive.
 */
export function openArchive(
  bytes: Buffer,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Outcome<{ readonly archive: OpenArchive }> {
  if (bytes.length > limits.packedBytes) return refuse(`it is larger than ${inMiB(limits.packedBytes)}`);
  const listed = list(bytes, limits);
  if (!listed.ok) return listed;
  const { members, format } = listed;
  if (members.length > limits.entries)
    return refuse(`it has ${members.length} entries; the limit is ${limits.entries}`);
  const total = members.reduce((sum, { claimed }) => sum + claimed.size, 0);
  if (total > limits.unpackedBytes) return refuse(`it unpacks to more than ${inMiB(limits.unpackedBytes)}`);
  const byPath = new Map<string, ArchiveMember>();
  for (const member of members) {
    const path = member.name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
    const fault = findMemberFault(member, path) ?? (byPath.has(path) ? 'is listed twice' : undefined);
    if (fault !== undefined) return refuse(`${show(member.name)} ${fault}`);
    if (!member.isFolder) byPath.set(path, member);
  }
  const entries = [...byPath].map(([path, { isLink, isExecutable, claimed }]): ArchiveEntry => {
    return { path, kind: isLink ? 'link' : 'file', size: isLink ? 0 : claimed.size, executable: isExecutable };
  });
  return {
    ok: true,
    archive: { format, entries, read: (path, maxBytes) => readMember(byPath.get(path), maxBytes) },
  };
}

function refuse(reason: string): Failure {
  return fail('PATH_REFUSED', `the archive is not used: ${reason}`);
}

type Listing = Outcome<Pick<ArchiveListing, 'members'> & Pick<OpenArchive, 'format'>>;

function list(bytes: Buffer, limits: ArchiveLimits): Listing {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return listWholeZip(bytes);
  if (bytes.subarray(0, 2).toString('latin1') !== '\x1f\x8b') return refuse('it is neither a zip nor a tar.gz');
  const unpacked = unpack(bytes, { format: 'gzip', most: limits.unpackedBytes });
  if (!unpacked.ok && unpacked.kind === 'too-large')
    return refuse(`it unpacks to more than ${inMiB(limits.unpackedBytes)}, or to far more than it is`);
  if (!unpacked.ok) return refuse('it is damaged: the data cannot be unpacked');
  const { members, faults } = listTar(unpacked.bytes);
  const rest = unpacked.rest > 0 ? [`${unpacked.rest} bytes follow the packed data`] : [];
  return accept({ members, faults: [...faults, ...rest] }, 'tar.gz');
}

function listWholeZip(bytes: Buffer): Listing {
  const directory = findZipDirectory(bytes);
  if (directory === undefined) return refuse('it is damaged: it has no directory, or was cut short');
  const { members, faults } = listZip(bytes, directory);
  const before = directory.base > 0 ? [`${directory.base} bytes precede the archive`] : [];
  return accept(
    { members: members.filter(({ isComment }) => isComment !== true), faults: [...faults, ...before] },
    'zip',
  );
}

function accept({ members, faults }: ArchiveListing, format: OpenArchive['format']): Listing {
  return faults.length === 0
    ? { ok: true, members, format }
    : refuse(`it is damaged or contradicts itself: ${listSome(faults.map(cut), { most: 3, separator: '; ' })}`);
}

function findMemberFault(member: ArchiveMember, path: string): string | undefined {
  // The folder itself, as `tar -C folder .` writes it.
  if (member.isFolder && (path === '' || path === '.')) return undefined;
  const fault = findPathFault(path);
  if (fault !== undefined) return `has a path that ${fault}`;
  if (member.isLocked) return 'needs a password';
  if (member.packed === undefined && !member.isFolder && !member.isLink)
    return 'uses an unsupported compression method';
  return undefined;
}

function readMember(member: ArchiveMember | undefined, maxBytes: number): Outcome<{ readonly bytes: Uint8Array }> {
  if (member?.packed === undefined || member.isLink) return fail('INSTALL_FAILED', 'it is not a file of the archive');
  const { claimed, packed, name } = member;
  if (claimed.size > maxBytes) return fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`);
  const unpacked = unpack(packed.data, { format: packed.isDeflated ? 'deflate' : 'stored', most: claimed.size });
  const isWhole =
    unpacked.ok &&
    unpacked.bytes.length === claimed.size &&
    (claimed.crc === undefined || crc32(unpacked.bytes) === claimed.crc);
  return isWhole
    ? { ok: true, bytes: unpacked.bytes }
    : refuse(`${show(name)} is damaged: it does not unpack to what the archive claims`);
}

function inMiB(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

/** Names are hostile: quoted and cut. */
function show(name: string): string {
  return JSON.stringify(cut(name));
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
