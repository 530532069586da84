import { listDifferences, type FileDifference } from 'skillplane/internal';
import { z } from 'zod';

import { mayIn } from '../../access/roles.ts';
import { keyOf, type ServedSkill } from '../../library/served-skill.ts';
import { refuse, type Refusal, type Result } from '../../refusal.ts';
import { readBlob, readDigest } from '../../store/blobs.ts';
import { findVersion, listFiles, listVersions, type Version } from '../../store/versions.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Call, type Route } from '../route.ts';
import { fileAnswer, jsonAnswer, readThrough } from '../serve-bytes.ts';
import { viewVersion } from '../view-version.ts';

const NoQuery = z.object({});
type AnyCall = Call<unknown, unknown>;

const PATH = '/api/v1/skills/:scope/:name';

/** Looking for skills, and reading them. */
export const READING: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/search',
    access: { kind: 'any', role: 'reader' },
    summary: 'Search all skills that you may read, best first',
    query: z.object({
      q: z.string().max(4_000),
      scope: z.string().optional(),
      tag: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(100).default(10),
    }),
    answer: async ({ hub, identity, query: { q, scope, tag, limit } }) => {
      const { json } = hub.followed.library.answer({
        query: q,
        scopes: scopesOf(identity, scope),
        ...(tag === undefined ? {} : { tags: [tag] }),
        limit,
      });
      return jsonAnswer(json());
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/skills',
    access: { kind: 'any', role: 'reader' },
    summary: 'List skills by name, a page at a time',
    query: z.object({
      scope: z.string().optional(),
      after: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
    }),
    answer: async ({ hub, identity, query: { scope, after = '', limit } }) => {
      const all = hub.followed.library.list(scopesOf(identity, scope));
      const rest = all.filter((skill) => keyOf(skill) > after);
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      return {
        ok: true,
        total: all.length,
        skills: page.map(toListed),
        next: rest.length > page.length && last !== undefined ? keyOf(last) : null,
      };
    },
  }),
  route({
    method: 'GET',
    path: PATH,
    access: { kind: 'scope', role: 'reader' },
    summary: 'A skill with its versions and tags',
    query: NoQuery,
    answer: async (call) => {
      const served = findServed(call);
      if (!served.ok) return served;
      const { versions, tags, skill } = served.skill;
      return { ok: true, ...toListed(served.skill), title: skill?.title ?? null, versions, tags };
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/versions/:version`,
    access: { kind: 'scope', role: 'reader' },
    summary: 'One version, by its number or a tag, with its files and audit findings',
    query: NoQuery,
    answer: async (call) => {
      const found = await findReadable(call);
      if (!found.ok) return found;
      const files = await listFiles(call.hub.database, found.version.id);
      return { ok: true, version: viewVersion(call, found.version), files };
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/versions/:version/archive`,
    access: { kind: 'scope', role: 'reader' },
    summary: 'The archive of one version',
    query: NoQuery,
    answer: async (call) => {
      const known = findKnown(call);
      const found = known ?? (await findReadable(call));
      if ('ok' in found && !found.ok) return found;
      const { archive } = 'ok' in found ? found.version : found;
      const { name = '', version = '' } = call.params;
      return sendBlob(call, archive, { type: 'application/gzip', fileName: `${name}-${version}.tar.gz` });
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/versions/:version/files/*`,
    access: { kind: 'scope', role: 'reader' },
    summary: 'One file of a version, as it is',
    query: NoQuery,
    answer: async (call) => {
      const found = await findReadable(call);
      if (!found.ok) return found;
      const path = call.params['rest'] ?? '';
      const file = (await listFiles(call.hub.database, found.version.id)).find((one) => one.path === path);
      if (file === undefined) return refuse('NOT_FOUND', `there is no file ${JSON.stringify(path)} in this version`);
      return sendBlob(call, file.digest, {
        type: 'application/octet-stream',
        fileName: path.split('/').at(-1) ?? path,
      });
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/versions/:version/diff/:other`,
    access: { kind: 'scope', role: 'reader' },
    summary: 'What changed from another version to this one',
    query: NoQuery,
    answer: async (call) => {
      const found = await findReadable(call);
      if (!found.ok) return found;
      const other = await findReadable({ ...call, params: { ...call.params, version: call.params['other'] ?? '' } });
      if (!other.ok) return other;
      const changes = await compare(call, other.version, found.version);
      return { ok: true, from: other.version.version, to: found.version.version, changes };
    },
  }),
];

function toListed({ scope, name, latest, skill }: ServedSkill): object {
  return {
    scope,
    name,
    version: latest?.version ?? null,
    description: skill?.description ?? null,
    tags: skill?.tags ?? [],
    publishedAt: latest?.publishedAt ?? null,
  };
}

/** Without a published version, a skill does not exist for readers. */
function findServed({ hub, params }: AnyCall): Result<{ readonly skill: ServedSkill }> {
  const { scope = '', name = '' } = params;
  const skill = hub.followed.library.find(scope, name);
  return skill === undefined ? missing(params) : { ok: true, skill };
}

/** A version that readers may see, found without the database. */
function findKnown({ hub, params }: AnyCall): { readonly archive: string } | undefined {
  const { scope = '', name = '', version = '' } = params;
  const served = hub.followed.library.find(scope, name);
  const wanted = version === 'latest' ? served?.latest?.version : (served?.tags[version] ?? version);
  return served?.versions.find((one) => one.version === wanted);
}

/** A version by number or tag. Those that wait or were rejected exist only for their publisher and reviewers. */
async function findReadable({ hub, params, identity }: AnyCall): Promise<Result<{ readonly version: Version }>> {
  const { scope = '', name = '', version: wanted = '' } = params;
  const served = hub.followed.library.find(scope, name);
  const number = wanted === 'latest' ? served?.latest?.version : served?.tags[wanted];
  const version = await findVersion(hub.database, { scope, name, version: number ?? wanted });
  const isHidden = version?.state === 'waiting' || version?.state === 'rejected';
  const mayLook = version?.publishedBy === identity.person || mayIn(identity, 'reviewer', scope);
  return version === undefined || (isHidden && !mayLook) ? missing(params) : { ok: true, version };
}

function missing({ scope, name, version }: AnyCall['params']): Refusal {
  return refuse('NOT_FOUND', `there is no @${scope}/${name}${version === undefined ? '' : `@${version}`}`);
}

async function sendBlob(
  { hub, request }: AnyCall,
  digest: string,
  file: { readonly type: string; readonly fileName: string },
): Promise<Response | Refusal> {
  const bytes = await readThrough(hub, digest);
  if (bytes === undefined) return refuse('NOT_FOUND', 'there is no such content');
  return fileAnswer(request, bytes, { ...file, digest });
}

async function compare(call: AnyCall, before: Version, after: Version): Promise<readonly FileDifference[]> {
  const [old, fresh] = [await readFiles(call, before), await readFiles(call, after)];
  return listDifferences(old, fresh);
}

async function readFiles(
  { hub }: AnyCall,
  { id }: Version,
): Promise<readonly { path: string; executable: boolean; bytes: Uint8Array }[]> {
  const files = await listFiles(hub.database, id);
  return Promise.all(
    files.map(async ({ path, executable, digest }) => {
      const bytes = await readBlob(hub.database, readDigest(digest) ?? new Uint8Array());
      return { path, executable, bytes: bytes ?? new Uint8Array() };
    }),
  );
}

/** For reviewers: every version, also those that wait. */
export const VERSIONS: readonly Route[] = [
  route({
    method: 'GET',
    path: `${PATH}/versions`,
    access: { kind: 'scope', role: 'publisher' },
    summary: 'Every version of a skill, also those that wait, were rejected or yanked',
    query: NoQuery,
    answer: async (call) => {
      const { scope = '', name = '' } = call.params;
      const versions = await listVersions(call.hub.database, { scope, name });
      if (versions.length === 0) return missing({ scope, name });
      return { ok: true, versions: versions.map((version) => viewVersion(call, version)) };
    },
  }),
];
