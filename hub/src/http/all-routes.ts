import { z } from 'zod';

import { answerMcp } from './mcp.ts';
import { describeApi } from './openapi.ts';
import { route, type Route } from './route.ts';
import { BACKUP } from './routes/backup.ts';
import { CHANGING } from './routes/changing.ts';
import { MANAGING } from './routes/managing.ts';
import { OPERATING } from './routes/operating.ts';
import { READING, VERSIONS } from './routes/reading.ts';
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
    answer: (call) => answerMcp(call),
  }),
);

const API: readonly Route[] = [
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
  route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    access: { kind: 'public' },
    summary: 'This description',
    query: NoQuery,
    answer: async () => Response.json(describeApi(API)),
  }),
];
