import { createRequire } from 'node:module';

import type { FolderEntry, SkillFolder } from '../model/folder.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';

export interface FileDigest {
  /** Relative, in NFC, with `/` as the separator. */
  readonly path: string;
  /** `sha256:` and 64 lower-case hex digits. */
  readonly digest: string;
  readonly size: number;
}

export interface SkillDigest {
  readonly digest: string;
  /** Sorted by the bytes of the path, as in the canonical listing. */
  readonly files: readonly FileDigest[];
}

/** Receives each file as it is hashed; a failure ends the digest. */
export type KeepFile = (entry: FolderEntry, bytes: Uint8Array) => Outcome;

/**
 * Hashes everything in a skill's folder, and reads each file once. Equal trees have equal digests on every machine, and different trees different
 * ones: the digest covers a listing with the path (NFC, sorted by bytes), executable bit, size and SHA-256 of every
 * file, each length-prefixed or of fixed length. A folder with a link or any other entry that is not a regular file has
 * no digest.
 */
export function digestFolder(folder: SkillFolder, keep: KeepFile = keepNothing): Outcome<SkillDigest> {
  if (folder.state() !== 'directory') return fail('SKILL_NOT_FOUND', `${folder.dir} is not a directory`);
  const { files, refused } = folder.files();
  const [bad] = refused;
  if (bad !== undefined) return fail('PATH_REFUSED', `${folder.dir} has no digest: ${bad.path} ${bad.reason}`);
  const entries = files.map((entry) => ({ ...entry, canonical: entry.path.normalize('NFC') })).sort(byBytes);
  const listing = openSha256().update('skillplane-tree-v1\n');
  const digests: FileDigest[] = [];
  for (const entry of entries) {
    if (digests.at(-1)?.path === entry.canonical) {
      return fail('PATH_REFUSED', `${folder.dir} has no digest: two files are called ${entry.canonical}`);
    }
    const content = folder.read(entry.path, MAX_RESOURCE_BYTES);
    if (!content.ok) return { ...content, message: `${folder.dir} has no digest: ${entry.path}: ${content.message}` };
    const kept = keep(entry, content.bytes);
    if (!kept.ok) return kept;
    const hash = openSha256().update(content.bytes).digest('hex');
    listing.update(listingLine(entry, content.bytes.length, hash));
    digests.push({ path: entry.canonical, digest: `sha256:${hash}`, size: content.bytes.length });
  }
  return { ok: true, digest: `sha256:${listing.digest('hex')}`, files: digests };
}

const keepNothing: KeepFile = () => ({ ok: true });

/** The digest of a text or of bytes, with the prefix `sha256:`. */
export function sha256Of(content: string | Uint8Array): string {
  return `sha256:${openSha256().update(content).digest('hex')}`;
}

const require = createRequire(import.meta.url);

/** Lazy: listing and searching skills need no hash. */
function openSha256(): import('node:crypto').Hash {
  // `require` is untyped; this is the module of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { createHash } = require('node:crypto') as typeof import('node:crypto');
  return createHash('sha256');
}

interface CanonicalEntry extends FolderEntry {
  readonly canonical: string;
}

function listingLine({ canonical, executable }: CanonicalEntry, size: number, hash: string): string {
  return `${Buffer.byteLength(canonical)}:${canonical}${executable ? 'x' : '-'}${size}:${hash}\n`;
}

function byBytes(a: CanonicalEntry, b: CanonicalEntry): number {
  return Buffer.compare(Buffer.from(a.canonical), Buffer.from(b.canonical));
}
