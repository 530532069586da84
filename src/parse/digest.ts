import type { FolderEntry, SkillFolder } from '../model/folder.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { once } from '../model/once.ts';
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
  const tree = openTreeDigest(folder.dir);
  for (const entry of sortCanonically(files)) {
    const content = folder.read(entry.path, MAX_RESOURCE_BYTES);
    if (!content.ok) return { ...content, message: `${folder.dir} has no digest: ${entry.path}: ${content.message}` };
    const kept = keep(entry, content.bytes);
    if (!kept.ok) return kept;
    const added = tree.add(entry, content.bytes);
    if (!added.ok) return added;
  }
  return { ok: true, ...tree.close() };
}

/** A file that is in memory. */
export interface FileContent {
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Uint8Array;
}

/** The digest that a folder with these files has. */
export function digestFiles(files: readonly FileContent[]): Outcome<SkillDigest> {
  const tree = openTreeDigest('the folder');
  for (const file of sortCanonically(files)) {
    const added = tree.add(file, file.bytes);
    if (!added.ok) return added;
  }
  return { ok: true, ...tree.close() };
}

interface TreeDigest {
  /** Files come in the order of `sortCanonically`. */
  add(entry: Canonical, bytes: Uint8Array): Outcome;
  close(): SkillDigest;
}

function openTreeDigest(dir: string): TreeDigest {
  let listing = 'skillplane-tree-v1\n';
  const files: FileDigest[] = [];
  return {
    add(entry, bytes) {
      const { canonical: path } = entry;
      if (files.at(-1)?.path === path)
        return fail('PATH_REFUSED', `${dir} has no digest: two files are called ${path}`);
      const digest = sha256Of(bytes);
      listing += listingLine(entry, bytes.length, digest.slice(PREFIX.length));
      files.push({ path, digest, size: bytes.length });
      return { ok: true };
    },
    close: () => ({ digest: sha256Of(listing), files }),
  };
}

const keepNothing: KeepFile = () => ({ ok: true });

/** The digest of a text or of bytes, with the prefix `sha256:`. */
export function sha256Of(content: string | Uint8Array): string {
  return `${PREFIX}${crypto().hash('sha256', content, 'hex')}`;
}

const PREFIX = 'sha256:';

/** Lazy: listing and searching skills that are cached need no hash. */
const crypto = once(() => process.getBuiltinModule('node:crypto'));

interface Canonical extends Pick<FolderEntry, 'executable'> {
  readonly canonical: string;
}

function sortCanonically<T extends Pick<FolderEntry, 'path' | 'executable'>>(
  files: readonly T[],
): readonly (T & Canonical)[] {
  return files
    .map((file) => ({ ...file, canonical: file.path.normalize('NFC') }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.canonical), Buffer.from(b.canonical)));
}

function listingLine({ canonical, executable }: Canonical, size: number, hash: string): string {
  return `${Buffer.byteLength(canonical)}:${canonical}${executable ? 'x' : '-'}${size}:${hash}\n`;
}
