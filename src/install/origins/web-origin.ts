import type { WebOrigin } from '../../model/origin.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import {
  INDEX_PATHS,
  parseWellKnownIndex,
  type IndexedSkill,
  type WellKnownIndex,
} from '../../parse/well-known-index.ts';
import { openEtags, type Etags } from '../../platform/web/etags.ts';
import type { WebReader } from '../../platform/web/web-reader.ts';
import type { RepositorySkills } from './find-skills.ts';
import { gitKind } from './git-origin.ts';
import { openReader, type WebAddress } from './open-reader.ts';
import type { OpenOrigin, Opening, OriginKind, OriginOptions } from './origin-kind.ts';
import { parseUrl } from './parse-url.ts';
import { parseRepositoryUrl, type RepositoryAddress } from './repository-url.ts';
import { fetchArtifact, fetchLockedArtifact } from './web-artifacts.ts';
import { openWebFiles } from './web-files.ts';

const MAX_INDEX_BYTES: number = 8 * 1024 * 1024;

/** A site with an index of skills, or the index itself. */
interface SiteAddress extends WebAddress {
  /** The repository for this URL, if there is no index. */
  readonly repository?: RepositoryAddress | undefined;
}

/** Sites with a well-known index of skills. */
export const webKind: OriginKind<WebOrigin, SiteAddress> = {
  parse(text) {
    const parsed = parseUrl(text);
    if (!parsed.ok) return undefined;
    const { url, credentials } = parsed;
    const repository = isIndex(url.href) ? undefined : parseRepositoryUrl(text);
    return {
      ok: true,
      address: { url: url.href, credentials, ...(repository?.ok === true && { repository }) },
    };
  },
  resolve: (address, options) =>
    isIndex(address.url) ? resolveIndex(address, options) : resolveSite(address, options),
  async fetch(origin, options) {
    const { url, artifact, integrity } = origin;
    if (integrity === undefined) return webKind.newest(origin, options);
    const parsed = parseUrl(artifact);
    if (!parsed.ok) return fail(parsed.code, `${artifact}: ${parsed.message}`);
    // The artifact comes from the lock file, not from the index, so the index's address says nothing about it.
    const reader = openReader({ url: parsed.url.origin }, options, artifact);
    const { files, expect } = openWebFiles(
      () => fetchLockedArtifact({ url: artifact, digest: integrity }, reader),
      () => reader.close(),
    );
    const none = fail('INSTALL_FAILED', 'only what the lock lists is fetched');
    const originOf: OpenOrigin['originOf'] = () => ({ ok: true, origin });
    const find = async (): Promise<Failure> => none;
    return { ok: true, opened: { ...describe(url, integrity), files, expect, originOf, find, ...closing(files) } };
  },
  async newest({ url }, options) {
    const parsed = parseUrl(url);
    return parsed.ok ? resolveIndex({ url }, options) : fail(parsed.code, `${url}: ${parsed.message}`);
  },
};

function isIndex(url: string): boolean {
  return /\/index\.json(?:\?.*)?$/s.test(url);
}

async function resolveIndex(address: WebAddress, options: OriginOptions): Opening {
  const { url } = address;
  const reader = openReader(address, options);
  const etags = openEtags(options.environment.agentHome, 'index');
  const found = await findIndex(isIndex(url) ? [url] : listPlaces(url), reader, etags);
  if (found.ok) return { ok: true, opened: openIndex(found, reader) };
  reader.close();
  return found;
}

/** How long a site may take to say whether it has an index. */
const PROBE_MS = 15_000;

/** A site with an index of skills; without one, it may be a repository. */
async function resolveSite({ repository, ...address }: SiteAddress, options: OriginOptions): Opening {
  if (options.useGitCredentials === true && repository !== undefined) return gitKind.resolve(repository, options);
  const timeoutMs = Math.min(options.timeoutMs ?? PROBE_MS, PROBE_MS);
  const web = await resolveIndex(address, { ...options, timeoutMs });
  const isDecided = web.ok || web.code === 'PARSE_FAILED' || web.code === 'PATH_REFUSED';
  if (isDecided || repository === undefined || options.signal?.aborted === true) return web;
  const git = await gitKind.resolve(repository, options);
  return git.ok || web.code !== 'SKILL_NOT_FOUND'
    ? git
    : fail(git.code, `${git.message}; it has no index of skills either`, git.next);
}

/** Where an index can be: below the typed path, then at the root of the site. */
function listPlaces(url: string): readonly string[] {
  const folder = new URL(url.endsWith('/') ? url : `${url}/`);
  const root = new URL('/', folder);
  return [...new Set([folder, root].flatMap((base) => INDEX_PATHS.map((path) => new URL(path, base).href)))];
}

type FoundIndex = WellKnownIndex & { readonly url: string };

/** The first place with an index. No place with one is `SKILL_NOT_FOUND`. */
async function findIndex(places: readonly string[], reader: WebReader, etags: Etags): Promise<Outcome<FoundIndex>> {
  const read = await Promise.all(places.map((url) => readIndex(url, reader, etags)));
  const first =
    read.find((one) => one.ok || one.code === 'PARSE_FAILED') ??
    read.find((one) => one.ok || one.code !== 'SKILL_NOT_FOUND');
  return first ?? fail('SKILL_NOT_FOUND', `${places.join(' and ')}: no index of skills`);
}

async function readIndex(url: string, reader: WebReader, etags: Etags): Promise<Outcome<FoundIndex>> {
  const kept = etags.find(url);
  const got = await reader.get({ url, maxBytes: MAX_INDEX_BYTES, etag: kept?.etag });
  if (!got.ok) return got;
  const { answer } = got;
  if (answer.state === 'missing') return fail('SKILL_NOT_FOUND', `${url} does not exist`);
  const text = answer.state === 'found' ? answer.bytes.toString() : (kept?.content ?? '');
  // Many sites answer every address with a page.
  if (!/^\uFEFF?\s*\{/.test(text)) return fail('SKILL_NOT_FOUND', `${url} is not an index of skills`);
  const parsed = parseWellKnownIndex(text, url, answer.url);
  if (!parsed.ok) return fail(parsed.code, `${url}: ${parsed.message}`, parsed.next);
  if (answer.state === 'found' && answer.etag !== undefined) etags.keep(url, { etag: answer.etag, content: text });
  return { ...parsed, url };
}

function openIndex({ url, skills, problems }: FoundIndex, reader: WebReader): OpenOrigin {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const isMissing = (name: string): Failure => fail('SKILL_NOT_FOUND', `${url} lists no skill "${name}"`);
  const { files, expect } = openWebFiles(
    async (name) => {
      const skill = byName.get(name);
      return skill === undefined ? isMissing(name) : fetchArtifact(skill.artifact, reader);
    },
    () => reader.close(),
  );
  const found: RepositorySkills = {
    skills: skills.map(({ name, description }) => ({ name, path: name, file: `${name}/SKILL.md`, description })),
    diagnostics: problems.map((message) => ({ code: 'FILE_REFUSED', severity: 'warning', path: url, message })),
  };
  return {
    ...describe(url, undefined),
    files,
    expect,
    originOf(path) {
      const skill = byName.get(path);
      return skill === undefined ? isMissing(path) : { ok: true, origin: toOrigin(skill, url) };
    },
    find: async () => ({ ok: true, ...found }),
    ...closing(files),
  };
}

function toOrigin({ artifact, version }: IndexedSkill, url: string): WebOrigin {
  return {
    kind: 'web',
    url,
    artifact: artifact.url,
    ...(artifact.type === 'files' ? {} : { integrity: artifact.digest }),
    ...(version === undefined ? {} : { version }),
  };
}

function describe(url: string, choice: string | undefined): Pick<OpenOrigin, 'display' | 'url' | 'notices' | 'choice'> {
  return { display: url, url, notices: [], choice };
}

function closing(files: OpenOrigin['files']): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => files.close() };
}
