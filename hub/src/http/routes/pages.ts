import { PAGE_HEADERS, servePage } from 'skillplane/internal';

import { refuse } from '../../refusal.ts';
import { route, type Route } from '../route.ts';

const PATHS = ['/', '/skills', '/skill', '/reviews', '/usage', '/scopes', '/tokens', '/log', '/assets/*', '/icon.svg'];

/** The pages for people. They hold no data: everything that they show comes from the API. */
export const PAGES: readonly Route[] = PATHS.map((path) =>
  route({
    method: 'GET',
    path,
    access: { kind: 'public' },
    summary: 'A page for people',
    answer: async ({ hub, request }) => {
      const page = hub.pages && servePage(hub.pages, request);
      if (page === undefined) return refuse('NOT_FOUND', 'there is no such page; see /api/v1/openapi.json');
      for (const [name, value] of Object.entries(PAGE_HEADERS)) page.headers.set(name, value);
      return page;
    },
  }),
);
