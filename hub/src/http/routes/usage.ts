import { z } from 'zod';

import { keyOf } from '../../library/served-skill.ts';
import { refuse } from '../../refusal.ts';
import { saveUses, sumUses } from '../../store/uses.ts';
import { scopesOf } from '../readable-scopes.ts';
import { route, type Route } from '../route.ts';

const Week = z.iso.date();
const Word = z.string().min(1).max(100);

/** Counts of use, without any text of a request. */
export const USAGE: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/v1/usage',
    access: { kind: 'any', role: 'reader' },
    summary: 'Report how often you used versions in a week',
    query: z.object({}),
    body: z.object({
      uses: z
        .array(
          z.object({
            week: Week,
            scope: Word,
            skill: Word,
            version: Word,
            host: Word,
            count: z.number().int().min(1).max(1_000_000),
          }),
        )
        .max(1_000),
    }),
    answer: async ({ hub, identity, body: { uses } }) => {
      const readable = scopesOf(identity);
      const unknown = uses.find(
        ({ scope, skill }) =>
          (readable !== undefined && !readable.has(scope)) || hub.followed.library.find(scope, skill) === undefined,
      );
      if (unknown !== undefined) return refuse('NOT_FOUND', `there is no @${unknown.scope}/${unknown.skill}`);
      await hub.database.transaction((queries) =>
        saveUses(
          queries,
          uses.map((use) => ({ ...use, person: identity.person })),
        ),
      );
      return { ok: true as const, taken: uses.length };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/usage',
    access: { kind: 'any', role: 'reader' },
    summary: 'Which versions are used, by week and program, and which skills nobody uses',
    query: z.object({ since: Week.default('1970-01-01'), scope: z.string().optional() }),
    answer: async ({ hub, identity, query: { since, scope } }) => {
      const scopes = scopesOf(identity, scope);
      const uses = await sumUses(hub.database, { since, scopes: scopes === undefined ? null : [...scopes] });
      const used = new Set(uses.map(({ scope: of, skill }) => keyOf({ scope: of, name: skill })));
      const unused = hub.followed.library
        .list(scopes)
        .map(keyOf)
        .filter((key) => !used.has(key));
      return { ok: true as const, uses, unused };
    },
  }),
];
