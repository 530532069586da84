import { MAX_PLUGIN_FILE_BYTES, MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { openArchive, type ArchiveLimits } from '../../parse/archives/open-archive.ts';
import { sha256Of } from '../../parse/digest.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import type { IndexedArtifact } from '../../parse/well-known-index.ts';
import type { TreeEntry } from '../../platform/repository/repository.ts';
import type { WebReader } from '../../platform/web/web-reader.ts';
import { MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from '../staging/judge-tree.ts';
import { findTreePathFault } from '../staging/path-faults.ts';

/** The files of one skill, in memory; paths are relative to its folder. */
export interface SkillFiles {
  readonly entries: readonly Omit<TreeEntry, 'id'>[];
  readonly read: (path: string, maxBytes: number) => Outcome<{ readonly bytes: Uint8Array }>;
}

/** A skill's archive can be slightly larger than its unpacked limit. */
const LIMITS: ArchiveLimits = {
  packedBytes: MAX_PLUGIN_BYTES + 5 * 1024 * 1024,
  unpackedBytes: 2 * MAX_PLUGIN_BYTES,
  entries: 2 * MAX_PLUGIN_FILES,
};

/** Fetches a skill listed in an index, and verifies it against the index. */
export async function fetchArtifact(
  artifact: IndexedArtifact,
  reader: WebReader,
): Promise<Outcome<{ readonly files: SkillFiles }>> {
  if (artifact.type === 'files') return fetchFiles(artifact, reader);
  const { type, url, digest } = artifact;
  const maxBytes = type === 'archive' ? LIMITS.packedBytes : MAX_SKILL_FILE_BYTES;
  const got = await getBytes(url, maxBytes, reader);
  if (!got.ok) return got;
  const { bytes } = got;
  if (sha256Of(bytes) !== digest)
    return fail(
      'INSTALL_FAILED',
      `${url} is not what its index lists: its digest is ${sha256Of(bytes)}, not ${digest}`,
    );
  return type === 'archive' ? openSkillArchive(bytes, url) : { ok: true, files: toFiles([['SKILL.md', bytes]]) };
}

/** Fetches the artifact that a lock names; whether it is an archive is told by its bytes. */
export async function fetchLockedArtifact(
  locked: { readonly url: string; readonly digest: string },
  reader: WebReader,
): Promise<Outcome<{ readonly files: SkillFiles }>> {
  const got = await getBytes(locked.url, LIMITS.packedBytes, reader);
  if (!got.ok) return got;
  if (sha256Of(got.bytes) !== locked.digest)
    return fail('INSTALL_FAILED', `${locked.url} is no longer the file in the lock file; nothing was installed`);
  const isArchive = /^(?:PK|\x1f\x8b)/.test(got.bytes.toString('latin1', 0, 2));
  return isArchive ? openSkillArchive(got.bytes, locked.url) : { ok: true, files: toFiles([['SKILL.md', got.bytes]]) };
}

function openSkillArchive(bytes: Buffer, url: string): Outcome<{ readonly files: SkillFiles }> {
  const opened = openArchive(bytes, LIMITS);
  if (!opened.ok) return fail(opened.code, `${url}: ${opened.message}`, opened.next);
  const { entries, read } = opened.archive;
  const names = entries.map(({ path }) => path).filter((path) => !path.includes('/'));
  const wrapped = entries.find(({ path }) => /^[^/]+\/skill\.md$/i.test(path));
  if (findSkillFile(names) === undefined && wrapped !== undefined)
    return fail('PATH_REFUSED', `${url}: SKILL.md must be at the root of the archive, not in ${wrapped.path}`);
  return { ok: true, files: { entries, read } };
}

async function fetchFiles(
  { url, files }: Extract<IndexedArtifact, { readonly type: 'files' }>,
  reader: WebReader,
): Promise<Outcome<{ readonly files: SkillFiles }>> {
  if (files.length > MAX_PLUGIN_FILES)
    return fail('PATH_REFUSED', `there are ${files.length} files; the limit is ${MAX_PLUGIN_FILES}`);
  const contents: (readonly [string, Buffer])[] = [];
  let left = MAX_PLUGIN_BYTES;
  for (const path of files) {
    const fault = findTreePathFault(path);
    if (fault !== undefined) return fail('PATH_REFUSED', `${JSON.stringify(path.slice(0, 120))}: ${fault}`);
    const address = new URL(path.split('/').map(encodeURIComponent).join('/'), url).href;
    const got = await getBytes(address, Math.min(left, MAX_PLUGIN_FILE_BYTES), reader);
    if (!got.ok) return got;
    left -= got.bytes.length;
    contents.push([path, got.bytes]);
  }
  return { ok: true, files: toFiles(contents) };
}

async function getBytes(
  url: string,
  maxBytes: number,
  reader: WebReader,
): Promise<Outcome<{ readonly bytes: Buffer }>> {
  const got = await reader.get({ url, maxBytes });
  if (!got.ok) return got;
  return got.answer.state === 'found' ? { ok: true, bytes: got.answer.bytes } : isGone(url);
}

function isGone(url: string): Failure {
  return fail('INSTALL_FAILED', `${url} does not exist, but the index lists it`);
}

function toFiles(contents: readonly (readonly [path: string, bytes: Buffer])[]): SkillFiles {
  const byPath = new Map(contents);
  return {
    // Every entry counts, so that a file that is listed twice is seen.
    entries: contents.map(([path, { length: size }]) => ({ path, kind: 'file', executable: false, size })),
    read(path, maxBytes) {
      const bytes = byPath.get(path);
      if (bytes === undefined) return fail('INSTALL_FAILED', 'it was not fetched');
      return bytes.length > maxBytes
        ? fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`)
        : { ok: true, bytes };
    },
  };
}
