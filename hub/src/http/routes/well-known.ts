import { INDEX_FILE, renderIndex, type IndexEntry } from 'skillplane/publish';
import { z } from 'zod';

import type { ServedSkill } from '../../library/served-skill.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Call, type Route } from '../route.ts';

const NoQuery = z.object({});

/** The index by which any client of the discovery format installs from the hub: of everything, or of one scope. */
export const WELL_KNOWN: readonly Route[] = [
  route({
    method: 'GET',
    path: `/${INDEX_FILE}`,
    access: { kind: 'any', role: 'reader' },
    summary: 'The discovery index (0.2.0) of every skill that you may read',
    query: NoQuery,
    answer: async (call) => answerIndex(call, scopesOf(call.identity)),
  }),
  route({
    method: 'GET',
    path: `/@/:scope/${INDEX_FILE}`,
    access: { kind: 'scope', role: 'reader' },
    summary: 'The discovery index (0.2.0) of one scope',
    query: NoQuery,
    answer: async (call) => answerIndex(call, new Set([call.params['scope'] ?? ''])),
  }),
];

function answerIndex({ hub, request }: Call<unknown, unknown>, scopes: ReadonlySet<string> | undefined): Response {
  const base = hub.settings.publicUrl ?? new URL(request.url).origin;
  const wanted = scopes === undefined ? '*' : [...scopes].sort().join('.');
  const etag = `"${hub.followed.upto()}-${wanted}"`;
  const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-cache', etag };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  const skills = hub.followed.library.list(scopes);
  const counts = Map.groupBy(skills, ({ name }) => name);
  const entries = skills.flatMap((skill) => toEntry(skill, base, (counts.get(skill.name)?.length ?? 0) > 1) ?? []);
  return new Response(renderIndex(entries), { headers });
}

/** Names of one index must differ; a name that several scopes have carries its scope. */
function toEntry({ scope, name, latest, skill }: ServedSkill, base: string, isShared: boolean): IndexEntry | undefined {
  if (latest === undefined || skill === undefined) return undefined;
  return {
    name: isShared ? `${scope}-${name}` : name,
    description: skill.description,
    type: 'archive',
    url: `${base}/api/v1/skills/${scope}/${name}/versions/${latest.version}/archive`,
    digest: latest.archive,
    version: latest.version,
  };
}
