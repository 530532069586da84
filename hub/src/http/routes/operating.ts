import { VERSION } from 'skillplane';
import { z } from 'zod';

import { isConnectionLoss } from '../../database/database.ts';
import { refuse } from '../../refusal.ts';
import { route, type Route } from '../route.ts';

const NoQuery = z.object({});

/** For those who run the hub. */
export const OPERATING: readonly Route[] = [
  route({
    method: 'GET',
    path: '/healthz',
    access: { kind: 'public' },
    summary: 'Is the process alive? Restart it if not',
    query: NoQuery,
    answer: async () => ({ ok: true, version: VERSION }),
  }),
  route({
    method: 'GET',
    path: '/readyz',
    access: { kind: 'public' },
    summary: 'Can it serve everything? Send it no changes if not',
    query: NoQuery,
    answer: async ({ hub }) => {
      try {
        await hub.database.query('SELECT 1');
        return { ok: true, skills: hub.followed.library.list().length };
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        return refuse('UNAVAILABLE', 'the database does not answer; readers get what was there');
      }
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    access: { kind: 'all', role: 'reader' },
    summary: 'Numbers for Prometheus',
    query: NoQuery,
    answer: async ({ hub }) => {
      const { followed, metrics } = hub;
      const stale = followed.staleSince();
      const text = metrics.render({
        skills: followed.library.list().length,
        log_position: followed.upto(),
        stale_seconds: stale === undefined ? 0 : (hub.now().getTime() - stale.getTime()) / 1_000,
        resident_bytes: process.memoryUsage.rss(),
      });
      return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
    },
  }),
];
