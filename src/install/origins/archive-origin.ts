import type { ArchiveOrigin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { ARCHIVE_LIMITS } from '../../parse/archives/open-archive.ts';
import { sha256Of } from '../../parse/digest.ts';
import { expandPath } from '../../platform/environment.ts';
import { isFile, isTaken } from '../../platform/files/files.ts';
import { openOwnFile } from '../../platform/files/open-file.ts';
import { openEtags } from '../../platform/web/etags.ts';
import { recordDirectory, resolveDirectory } from '../install-place.ts';
import { noFiles, openArchiveFiles, type ArchiveFiles } from './archive-files.ts';
import { findInRepository, suggestName } from './find-skills.ts';
import { openReader, type WebAddress } from './open-reader.ts';
import type { OpenOrigin, OriginKind, OriginOptions, AddressOptions } from './origin-kind.ts';
import { parseUrl } from './parse-url.ts';
import { isDirectory, isPage } from './repository-url.ts';

/** An archive: a file of this machine, whose `url` is its path, or an https address. */
interface ArchiveAddress extends WebAddress {
  readonly isFile: boolean;
}

const ENDING = /\.(?:skill|zip|tar\.gz|tgz)$/i;

/** Zip and tar.gz archives (`.skill`, `.zip`, `.tar.gz`): files of this machine, or behind an https address. */
export const archiveKind: OriginKind<ArchiveOrigin, ArchiveAddress> = {
  parse: (text, options) => (/^https?:/i.test(text) ? parseWebArchive(text, options) : parseFile(text, options)),
  async resolve(address, options) {
    const read = await readArchive(address, options);
    return read.ok ? open(address, read.bytes, options) : read;
  },
  async fetch({ url, integrity }, options) {
    const located = locate(url, options);
    if (!located.ok) return located;
    const read = await readArchive(located, options);
    if (!read.ok) return read;
    return sha256Of(read.bytes) === integrity
      ? open(located, read.bytes, options)
      : fail('INSTALL_FAILED', `${url} is no longer the archive in the lock file; nothing was installed`);
  },
  async newest(origin, options) {
    const located = locate(origin.url, options);
    if (!located.ok) return located;
    const read = await readArchive(located, options, origin.integrity);
    if (!read.ok) return read;
    return read.isUnchanged === true
      ? { ok: true, opened: describe(origin, { files: noFiles(), wrapper: '' }) }
      : open(located, read.bytes, options);
  },
};

type ParsedArchive = Outcome<{ readonly address: ArchiveAddress }> | undefined;

/** Repositories can have such names: a ref or a page in the URL means the repository. */
function parseWebArchive(text: string, { ref }: AddressOptions): ParsedArchive {
  const parsed = parseUrl(text);
  const isRepository = ref !== undefined || text.includes('#');
  if (!parsed.ok || isRepository || !ENDING.test(parsed.url.pathname) || isPage(parsed.url)) return undefined;
  return { ok: true, address: { url: parsed.url.href, credentials: parsed.credentials, isFile: false } };
}

function parseFile(text: string, { environment }: AddressOptions): ParsedArchive {
  const expanded = expandPath(text, environment, environment.cwd);
  if (!expanded.ok) return undefined;
  if (isFile(expanded.path)) return { ok: true, address: { url: expanded.path, isFile: true } };
  const isPath = isDirectory(text) || !/[/:]/.test(text);
  return isPath && !isTaken(expanded.path) ? fail('INSTALL_FAILED', `${expanded.path} does not exist`) : undefined;
}

/** The address of a recorded archive: a path may be relative to the project. */
function locate(url: string, { place }: OriginOptions): Outcome<ArchiveAddress> {
  if (/^https?:/i.test(url)) {
    const parsed = parseUrl(url);
    return parsed.ok
      ? { ok: true, url: parsed.url.href, isFile: false }
      : fail(parsed.code, `${url}: ${parsed.message}`);
  }
  if (place === undefined || !/^\.{1,2}(?:\/|$)/.test(url)) return { ok: true, url, isFile: true };
  const resolved = resolveDirectory(url, place);
  return resolved.ok ? { ok: true, url: resolved.path, isFile: true } : resolved;
}

/** `isUnchanged`: the server confirmed the digest `known`, and there are no bytes. */
type ReadArchive = Outcome<{ readonly bytes: Buffer; readonly isUnchanged?: boolean }>;

async function readArchive(address: ArchiveAddress, options: OriginOptions, known?: string): Promise<ReadArchive> {
  const { url, isFile } = address;
  if (isFile) return readFile(url, options);
  const reader = openReader(address, options);
  const etags = openEtags(options.environment.agentHome, 'archive');
  const kept = known === undefined ? undefined : etags.find(url);
  const got = await reader.get({
    url,
    maxBytes: ARCHIVE_LIMITS.packedBytes,
    etag: kept?.content === known ? kept?.etag : undefined,
  });
  reader.close();
  if (!got.ok) return got;
  const { answer } = got;
  if (answer.state === 'missing') return fail('INSTALL_FAILED', `${url} does not exist`);
  if (answer.state === 'unchanged') return { ok: true, bytes: Buffer.alloc(0), isUnchanged: true };
  const { bytes, etag } = answer;
  if (etag !== undefined) etags.keep(url, { etag, content: sha256Of(bytes) });
  return { ok: true, bytes };
}

function readFile(path: string, { environment }: OriginOptions): ReadArchive {
  const expanded = expandPath(path, environment, environment.cwd);
  if (!expanded.ok) return fail('INSTALL_FAILED', expanded.message);
  using file = openOwnFile(expanded.path);
  if (file === undefined) return fail('INSTALL_FAILED', `${expanded.path} is not a file, or cannot be read`);
  const { size } = file;
  if (size > ARCHIVE_LIMITS.packedBytes)
    return fail('PATH_REFUSED', `${expanded.path} is larger than ${ARCHIVE_LIMITS.packedBytes} bytes`);
  const bytes = file.read(0, size);
  return bytes === undefined
    ? fail('INSTALL_FAILED', `${expanded.path} changed while it was read`, { retry: 'now' })
    : { ok: true, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function open(
  { url: given, isFile }: ArchiveAddress,
  bytes: Buffer,
  { environment, place }: OriginOptions,
): Outcome<{ readonly opened: OpenOrigin }> {
  const archive = openArchiveFiles(bytes);
  if (!archive.ok) return fail(archive.code, `${given}: ${archive.message}`, archive.next);
  const expanded = isFile ? expandPath(given, environment, environment.cwd) : undefined;
  const path = expanded?.ok === true ? expanded.path : given;
  const url = isFile && place !== undefined ? recordDirectory(path, place) : path;
  return { ok: true, opened: describe({ kind: 'archive', url, integrity: sha256Of(bytes) }, archive) };
}

function describe(origin: ArchiveOrigin, { files, wrapper }: ArchiveFiles): OpenOrigin {
  const { url, integrity } = origin;
  const name = suggestName((url.split(/[/\\]/).at(-1) ?? '').replace(/[?#].*$/s, '').replace(ENDING, ''));
  return {
    display: url,
    url,
    notices: [],
    choice: integrity,
    files,
    originOf: () => ({ ok: true, origin }),
    find: () => findInRepository(files, { name, path: wrapper === '' ? undefined : wrapper }),
    [Symbol.asyncDispose]: () => files.close(),
  };
}
