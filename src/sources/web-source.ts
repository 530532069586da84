import { aFunction, aString, checkCall, optionsOf } from '../model/check-arguments.ts';
import { MAX_SKILL_FILE_BYTES, MAX_SOURCE_SKILL_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { SkillSource, SourceSkill, UnavailableSkill } from '../model/skill-source.ts';
import { openArchive, type ArchiveLimits } from '../parse/archives/open-archive.ts';
import { asBuffer } from '../parse/decode.ts';
import { sha256Of } from '../parse/digest.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import {
  INDEX_PATHS,
  parseWellKnownIndex,
  type IndexedArtifact,
  type IndexedSkill,
} from '../parse/well-known-index.ts';
import { readEnvironment } from '../platform/environment.ts';
import type { WebAnswer, WebReader } from '../platform/web/web-reader.ts';
import type { SourceOptions } from './memory-source.ts';

export interface WebSourceOptions extends SourceOptions {
  /** Used in place of our own connections, for systems without sockets. It must not reach addresses that the site may not name. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const OPTIONS = optionsOf<WebSourceOptions>({ id: aString, fetch: aFunction });

const MAX_INDEX_BYTES: number = 8 * 1024 * 1024;
const LIMITS: ArchiveLimits = {
  packedBytes: MAX_SOURCE_SKILL_BYTES,
  unpackedBytes: MAX_SOURCE_SKILL_BYTES,
  entries: 10_000,
};
/** So many artifacts are fetched at once. */
const AT_A_TIME = 8;

/** A skill as it was fetched. */
interface Fetched {
  readonly paths: readonly { readonly path: string; readonly executable: boolean }[];
  readonly read: (path: string) => Outcome<{ readonly bytes: Uint8Array }>;
}

/**
 * The skills of a site with a well-known index, or of the index at this address. What the index lists under a digest is checked
 * against it, and fetched once while the source lives.
 */
export function webSource(url: string, options: WebSourceOptions = {}): SkillSource {
  checkCall('webSource(url, options?)', { url: [url, aWebAddress], options: [options, OPTIONS] });
  const { hostname } = new URL(url);
  const places = /\/index\.json(?:\?.*)?$/.test(url) ? [url] : listPlaces(url);
  const indexes = new Map<string, KeptIndex>();
  let current: ReadonlyMap<string, Fetched> = new Map();
  /** By digest. */
  let kept: ReadonlyMap<string, Fetched> = new Map();
  return {
    id: options.id ?? hostname.replaceAll(/[^\w.-]/g, ''),
    async list(signal) {
      const reader = await openReader(url, signal, options.fetch);
      try {
        const index = await findIndex(places, reader, indexes);
        const [skills, digests] = [new Map<string, Fetched>(), new Map<string, Fetched>()];
        const waiting = index.skills.values();
        const listed: (SourceSkill | UnavailableSkill)[] = [];
        const work = async (): Promise<void> => {
          for (const { name: id, artifact } of waiting) {
            const digest = artifact.type === 'files' ? undefined : artifact.digest;
            const before = digest === undefined ? undefined : kept.get(digest);
            const fetched =
              before === undefined ? await fetchSkill(artifact, reader) : { ok: true as const, skill: before };
            if (!fetched.ok) {
              listed.push({ id, problem: fetched.message });
              continue;
            }
            skills.set(id, fetched.skill);
            if (digest !== undefined) digests.set(digest, fetched.skill);
            listed.push({ id, files: fetched.skill.paths, ...(digest !== undefined && { stamp: digest }) });
          }
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, work));
        [current, kept] = [skills, digests];
        return [...listed, ...index.problems.map((problem, at) => ({ id: `entry-${at + 1}`, problem }))];
      } finally {
        reader.close();
      }
    },
    read(id, path) {
      const read = current.get(id)?.read(path) ?? fail('RESOURCE_NOT_FOUND', 'File not found');
      if (!read.ok) throw new Error(read.message);
      return read.bytes;
    },
  };
}

/** Nobody between here and the site may change an index: of plain HTTP, only this machine is asked. */
function aWebAddress(value: unknown, subject: string): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  const isPlain = url?.username === '' && url.password === '';
  return isPlain && (url.protocol === 'https:' || isLocal)
    ? undefined
    : `${subject} must be an address that begins with https://`;
}

/** Where an index can be: below the given address, then at the root of the site. */
function listPlaces(url: string): readonly string[] {
  const folder = new URL(url.endsWith('/') ? url : `${url}/`);
  const bases = [folder, new URL('/', folder)];
  return [...new Set(bases.flatMap((base) => INDEX_PATHS.map((path) => new URL(path, base).href)))];
}

interface KeptIndex {
  readonly etag: string;
  readonly text: string;
}

interface FoundIndex {
  readonly skills: readonly IndexedSkill[];
  readonly problems: readonly string[];
}

type Reader = Pick<WebReader, 'get' | 'close'>;

/** The first place with an index; throws if there is none. */
async function findIndex(
  places: readonly string[],
  reader: Reader,
  indexes: Map<string, KeptIndex>,
): Promise<FoundIndex> {
  for (const place of places) {
    const before = indexes.get(place);
    const got = await reader.get({ url: place, maxBytes: MAX_INDEX_BYTES, etag: before?.etag });
    if (!got.ok) throw new Error(got.message);
    const { answer } = got;
    const text =
      answer.state === 'found' ? answer.bytes.toString() : answer.state === 'unchanged' ? before?.text : undefined;
    // Many sites answer every address with a page.
    if (answer.state === 'missing' || text === undefined || !/^\uFEFF?\s*\{/.test(text)) continue;
    const index = parseWellKnownIndex(text, place, answer.url);
    if (!index.ok) throw new Error(`${place}: ${index.message}`);
    if (answer.state === 'found' && answer.etag !== undefined) indexes.set(place, { etag: answer.etag, text });
    return index;
  }
  throw new Error(`${places[0]} has no index of skills`);
}

async function fetchSkill(artifact: IndexedArtifact, reader: Reader): Promise<Outcome<{ readonly skill: Fetched }>> {
  const { url } = artifact;
  if (artifact.type === 'files') return fetchFiles(artifact.files, url, reader);
  const maxBytes = artifact.type === 'archive' ? LIMITS.packedBytes : MAX_SKILL_FILE_BYTES;
  const got = await fetchBytes(url, maxBytes, reader);
  if (!got.ok) return got;
  if (sha256Of(got.bytes) !== artifact.digest)
    return fail('PATH_REFUSED', `${url} is not what the index lists (digest)`);
  if (artifact.type === 'skill-md') return { ok: true, skill: toFetched(new Map([[SKILL_FILE, got.bytes]])) };
  const opened = openArchive(got.bytes, LIMITS);
  if (!opened.ok) return { ...opened, message: `${url}: ${opened.message}` };
  const { entries, read } = opened.archive;
  return { ok: true, skill: { paths: entries, read: (path) => read(path, MAX_SOURCE_SKILL_BYTES) } };
}

/** Before version 0.2.0 an index lists the files of a skill, without digests. */
async function fetchFiles(
  paths: readonly string[],
  base: string,
  reader: Reader,
): Promise<Outcome<{ readonly skill: Fetched }>> {
  const files = new Map<string, Buffer>();
  let left = MAX_SOURCE_SKILL_BYTES;
  for (const path of paths) {
    const address = new URL(path.split('/').map(encodeURIComponent).join('/'), base).href;
    const got = await fetchBytes(address, left, reader);
    if (!got.ok) return got;
    left -= got.bytes.length;
    files.set(path, got.bytes);
  }
  return { ok: true, skill: toFetched(files) };
}

function toFetched(files: ReadonlyMap<string, Buffer>): Fetched {
  return {
    paths: [...files.keys()].map((path) => ({ path, executable: false })),
    read(path) {
      const bytes = files.get(path);
      return bytes === undefined ? fail('RESOURCE_NOT_FOUND', 'File not found') : { ok: true, bytes };
    },
  };
}

async function fetchBytes(url: string, maxBytes: number, reader: Reader): Promise<Outcome<{ readonly bytes: Buffer }>> {
  const got = await reader.get({ url, maxBytes });
  if (!got.ok) return got;
  return got.answer.state === 'found'
    ? { ok: true, bytes: got.answer.bytes }
    : fail('RESOURCE_NOT_FOUND', `${url} does not exist`);
}

async function openReader(typed: string, signal: AbortSignal, fetch: WebSourceOptions['fetch']): Promise<Reader> {
  if (fetch !== undefined) return openFetchReader(typed, signal, fetch);
  // Lazy: it needs sockets, and a program without web sources should not pay for it.
  const { openWebReader } = await import('../platform/web/web-reader.ts');
  return openWebReader({ environment: readEnvironment(), typed, signal });
}

/** Reads by the `fetch` of a program. Redirects are its affair, but they must not change the protocol. */
function openFetchReader(typed: string, signal: AbortSignal, fetch: typeof globalThis.fetch): Reader {
  return {
    async get({ url, maxBytes, etag }) {
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const response = await fetch(url, { headers, signal });
      const from = response.url === '' ? url : response.url;
      if (new URL(from).protocol !== new URL(typed).protocol)
        return fail('STORE_FAILED', `${url} leads to another protocol`);
      const answer = await readAnswer(response, from, maxBytes);
      return answer === undefined
        ? fail(
            'STORE_FAILED',
            `${url} could not be fetched: HTTP ${response.status}, or it is larger than ${maxBytes} bytes`,
          )
        : { ok: true, answer };
    },
    close: () => undefined,
  };
}

/** Undefined if there is none that counts. */
async function readAnswer(response: Response, url: string, maxBytes: number): Promise<WebAnswer | undefined> {
  const { status, body, headers } = response;
  if (status === 304) return { state: 'unchanged', url };
  if (status === 404 || status === 410) return { state: 'missing' };
  if (status !== 200) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(asBuffer(part));
  }
  return { state: 'found', bytes: Buffer.concat(parts), etag: headers.get('etag') ?? undefined, url };
}
