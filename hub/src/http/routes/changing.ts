import { z } from 'zod';

import { publishVersion } from '../../publishing/publish-version.ts';
import { review, roleFor, VERDICTS, type Verdict } from '../../publishing/review.ts';
import { refuse } from '../../refusal.ts';
import { writeLog } from '../../store/log.ts';
import { findVersion, listFiles, listWaiting, removeTag, setTag } from '../../store/versions.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Route } from '../route.ts';
import { viewVersion } from '../view-version.ts';

const PATH = '/api/v1/skills/:scope/:name';
const TagName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'a tag is a lower-case word such as beta');
const Reason = z.object({ reason: z.string().max(2_000).optional() });

const SUMMARIES: Readonly<Record<Verdict, string>> = {
  approve: 'Let readers see a version that waits',
  reject: 'Refuse a version that waits, with a reason',
  yank: 'Keep a version from being newly installed, with a reason',
  unyank: 'Take a yank back',
};

/** Publishing versions, and deciding on them. */
export const CHANGING: readonly Route[] = [
  route({
    method: 'POST',
    path: `${PATH}/versions`,
    access: { kind: 'scope', role: 'publisher' },
    summary: 'Publish a version: the body is an archive of the skill (.skill, .zip or .tar.gz)',
    query: z.object({
      version: z.string().max(64).optional(),
      tag: TagName.optional(),
      allow: z.string().max(1_000).optional(),
    }),
    body: 'archive',
    answer: async ({ hub, identity, params: { scope = '', name = '' }, query, body }) => {
      if (!(body instanceof Uint8Array) || body.length === 0)
        return refuse('BAD_REQUEST', 'send the archive as the body');
      const published = await publishVersion(hub.database, identity, { scope, name, archive: body, ...query });
      if (published.ok && !published.unchanged) await hub.followed.catchUp();
      return published;
    },
  }),
  ...VERDICTS.map((verdict) => decide(verdict)),
  route({
    method: 'PUT',
    path: `${PATH}/tags/:tag`,
    access: { kind: 'scope', role: 'publisher' },
    summary: 'Move a tag to a version',
    query: z.object({}),
    body: z.object({ version: z.string() }),
    answer: async ({ hub, identity, params, body: { version } }) => {
      const { scope = '', name = '', tag: text = '' } = params;
      const tag = TagName.safeParse(text);
      if (!tag.success) return refuse('BAD_REQUEST', 'a tag is a lower-case word such as beta');
      const found = await findVersion(hub.database, { scope, name, version });
      if (found?.state !== 'published')
        return refuse('NOT_FOUND', `there is no published version @${scope}/${name}@${version}`);
      await hub.database.transaction(async (queries) => {
        await setTag(queries, { scope, name, version, tag: tag.data });
        await writeLog(queries, {
          actor: identity.person,
          action: 'tag',
          scope,
          skill: name,
          version,
          detail: { tag: tag.data },
        });
      });
      await hub.followed.catchUp();
      return { ok: true as const, tag: tag.data, version };
    },
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/tags/:tag`,
    access: { kind: 'scope', role: 'publisher' },
    summary: 'Remove a tag',
    query: z.object({}),
    answer: async ({ hub, identity, params: { scope = '', name = '', tag = '' } }) => {
      const isRemoved = await hub.database.transaction(async (queries) => {
        if (!(await removeTag(queries, { scope, name, tag }))) return false;
        await writeLog(queries, { actor: identity.person, action: 'untag', scope, skill: name, detail: { tag } });
        return true;
      });
      if (!isRemoved) return refuse('NOT_FOUND', `@${scope}/${name} has no tag ${tag}`);
      await hub.followed.catchUp();
      return { ok: true as const };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/reviews',
    access: { kind: 'any', role: 'reviewer' },
    summary: 'Versions that wait for a reviewer, the oldest first, with findings and files',
    query: z.object({}),
    answer: async ({ hub, identity }) => {
      const grants = identity.grants.filter(({ role }) => role !== 'reader' && role !== 'publisher');
      const scopes = scopesOf({ ...identity, grants });
      const waiting = await listWaiting(hub.database, scopes === undefined ? null : [...scopes]);
      const reviews = await Promise.all(
        waiting.map(async (version) => ({
          ...viewVersion({ hub, identity }, version),
          files: await listFiles(hub.database, version.id),
        })),
      );
      return { ok: true as const, reviews };
    },
  }),
];

function decide(verdict: Verdict): Route {
  return route({
    method: 'POST',
    path: `${PATH}/versions/:version/${verdict}`,
    // Publishers may take back their own versions; `review` decides by version.
    access: { kind: 'scope', role: roleFor(verdict) },
    summary: SUMMARIES[verdict],
    query: z.object({}),
    body: Reason,
    answer: async ({ hub, identity, params, body: { reason } }) => {
      const { scope = '', name = '', version = '' } = params;
      const decided = await review(hub.database, identity, { scope, name, version, verdict, reason });
      if (decided.ok) await hub.followed.catchUp();
      return decided;
    },
  });
}
