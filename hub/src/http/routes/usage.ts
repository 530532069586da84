import { z } from 'zod';

import type { Hub } from '../../hub.ts';
import { keyOf } from '../../library/served-skill.ts';
import { countUses, listUsers, saveUses, sumUses, sumVersions, sumWeeks, type VersionUses } from '../../store/uses.ts';
import { mondayOf } from '../../store/weeks.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Route } from '../route.ts';

/** A database knows no year 0. */
const Week = z.iso.date().refine((date) => !date.startsWith('0000'), 'the year is at least 1');
const Word = z.string().min(1).max(100);
const Since = z.object({ since: Week.default('1970-01-01') });
/** Counts of other weeks are not taken: a client keeps five, and clocks differ. */
const MAX_WEEKS = 8;
/** Of one person in these weeks: hundreds of skills on several machines, and no flood of invented ones. */
const MAX_COUNTS = 20_000;

/** Counts of use, without any text of a request. */
export const USAGE: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/v1/usage',
    access: { kind: 'any', role: 'reader' },
    summary: 'Report how often you used versions in a week: the whole sum of one installation, each time',
    query: z.object({}),
    body: z.object({
      client: z.string().regex(/^[\w-]{8,64}$/, 'a client is a random word of 8 to 64 letters'),
      uses: z
        .array(
          z.object({
            week: Week,
            scope: Word,
            skill: Word,
            version: Word,
            host: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a host is a lower-case name such as claude-code'),
            count: z.number().int().min(1).max(1_000_000),
          }),
        )
        .max(1_000),
    }),
    answer: async ({ hub, identity, body: { uses, client } }) => {
      const readable = scopesOf(identity);
      const weeks = takenWeeks(hub);
      const isFull = (await countUses(hub.database, identity.person, weeks.at(-1) ?? '')) >= MAX_COUNTS;
      const known = uses.filter(
        (use) =>
          !isFull &&
          (readable === undefined || readable.has(use.scope)) &&
          weeks.includes(use.week) &&
          isServed(hub, use),
      );
      // One statement cannot set a row twice.
      const rows = new Map(known.map((use) => [JSON.stringify({ ...use, count: 0 }), use]));
      if (rows.size > 0)
        await saveUses(
          hub.database,
          [...rows.values()].map((use) => ({ ...use, client, person: identity.person })),
        );
      return { ok: true as const, taken: known.length, ignored: uses.length - known.length };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/usage',
    access: { kind: 'any', role: 'reader' },
    summary: 'Which versions are used, by week and program; each team’s weeks; and which skills nobody uses',
    query: Since.extend({ scope: z.string().optional() }),
    answer: async ({ hub, identity, query: { since, scope } }) => {
      const scopes = scopesOf(identity, scope);
      const query = { since, scopes: scopes === undefined ? null : [...scopes] };
      const [uses, versions, weeks] = await Promise.all([
        sumUses(hub.database, query),
        sumVersions(hub.database, query),
        sumWeeks(hub.database, query),
      ]);
      const used = new Set(versions.map(({ scope: of, skill }) => keyOf({ scope: of, name: skill })));
      const unused = hub.followed.library
        .list(scopes)
        .map(keyOf)
        .filter((key) => !used.has(key));
      return { ok: true as const, uses, versions: versions.map((one) => describeVersion(hub, one)), weeks, unused };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/scopes/:scope/usage',
    access: { kind: 'scope', role: 'owner' },
    summary: 'Who uses which version of a scope, and since when no longer',
    query: Since,
    answer: async ({ hub, params: { scope = '' }, query: { since } }) => ({
      ok: true,
      users: await listUsers(hub.database, scope, since),
    }),
  }),
];

/** The weeks whose counts are taken, the latest first. */
function takenWeeks({ now }: Hub): readonly string[] {
  const time = now().getTime();
  return Array.from({ length: MAX_WEEKS }, (_, back) => mondayOf(time, 1 - back));
}

function isServed({ followed }: Hub, use: { scope: string; skill: string; version: string }): boolean {
  const served = followed.library.find(use.scope, use.skill);
  return served?.versions.some(({ version }) => version === use.version) === true;
}

/** A version that is still about, and whether it should be: `gone` is one that readers no longer see. */
function describeVersion({ followed }: Hub, uses: VersionUses): object {
  const served = followed.library.find(uses.scope, uses.skill);
  const state = served?.versions.find(({ version }) => version === uses.version)?.state ?? 'gone';
  return { ...uses, state, isLatest: served?.latest?.version === uses.version };
}
