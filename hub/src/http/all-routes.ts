import { z } from 'zod';

import { route, type Route } from './route.ts';
import { BACKUP } from './routes/backup.ts';
import { CHANGING } from './routes/changing.ts';
import { MANAGING } from './routes/managing.ts';
import { OPERATING } from './routes/operating.ts';
import { PAGES } from './routes/pages.ts';
import { READING, VERSIONS } from './routes/reading.ts';
import { SESSION } from './routes/session.ts';
import { USAGE } from './routes/usage.ts';
import { WELL_KNOWN } from './routes/well-known.ts';

const NoQuery = z.object({});

const MCP: readonly Route[] = (['POST', 'GET', 'DELETE'] as const).map((method) =>
  route({
    method,
    path: '/mcp',
    access: { kind: 'any', role: 'reader' },
    summary: 'The skills that you may read, for agents: search, load, read; nothing runs',
    query: NoQuery,
    // A start need not wait for a protocol that nobody has asked for yet.
    answer: async (call) => (await import('./mcp.ts')).answerMcp(call),
  }),
);

const API: readonly Route[] = [
  ...SESSION,
  ...READING,
  ...VERSIONS,
  ...CHANGING,
  ...MANAGING,
  ...USAGE,
  ...WELL_KNOWN,
  ...OPERATING,
  ...BACKUP,
  ...MCP,
];

/** Every route of the hub. */
export const ROUTES: readonly Route[] = [
  ...API,
  ...PAGES,
  route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    access: { kind: 'public' },
    summary: 'This description',
    query: NoQuery,
    answer: async () => Response.json((await import('./openapi.ts')).describeApi(API)),
  }),
];
