import { createHash } from 'node:crypto';

import { INDEX_FILE, renderIndex, type IndexEntry } from 'skillplane/internal';
import { z } from 'zod';

import { keyOf, type ServedSkill } from '../../library/served-skill.ts';
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
  const entries = [...nameSkills(hub.followed.library.list(scopes))].flatMap(
    ([skill, name]) => toEntry(skill, name, base) ?? [],
  );
  return new Response(renderIndex(entries), { headers });
}

/** The names that an index can give a skill, from the shortest to one that no other skill has. */
const NAMES: readonly ((skill: ServedSkill) => string)[] = [
  ({ name }) => name,
  ({ scope, name }) => `${scope}-${name}`,
  ({ scope, name }) =>
    `${scope}-${name}-${createHash('sha256').update(keyOf({ scope, name })).digest('hex').slice(0, 8)}`,
];

/**
 * Names of one index must differ. Of several skills with one name, those with the shortest form get the next longer one, so that no
 * scope can take the name under which another is listed by publishing a skill that is called so.
 */
function nameSkills(skills: readonly ServedSkill[]): ReadonlyMap<ServedSkill, string> {
  const forms = new Map(skills.map((skill) => [skill, 0]));
  const nameOf = (skill: ServedSkill): string => NAMES[forms.get(skill) ?? 0]?.(skill) ?? skill.name;
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const same of Map.groupBy(skills, nameOf).values()) {
      const shortest = Math.min(...same.map((skill) => forms.get(skill) ?? 0));
      if (same.length === 1 || shortest === NAMES.length - 1) continue;
      for (const skill of same) if (forms.get(skill) === shortest) forms.set(skill, shortest + 1);
      isChanged = true;
    }
  }
  return new Map(skills.map((skill) => [skill, nameOf(skill)]));
}

function toEntry({ scope, name, latest, skill }: ServedSkill, listed: string, base: string): IndexEntry | undefined {
  if (latest === undefined || skill === undefined) return undefined;
  return {
    name: listed,
    description: skill.description,
    type: 'archive',
    url: `${base}/api/v1/skills/${scope}/${name}/versions/${latest.version}/archive`,
    digest: latest.archive,
    version: latest.version,
  };
}
