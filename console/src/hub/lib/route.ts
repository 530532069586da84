import { openRouting, type Routing } from '../../lib/routing.ts';

/** The pages, in the order of the menu; each is the first part of an address. The server lists them, too. */
export const HUB_PAGES = ['skills', 'reviews', 'usage', 'scopes', 'tokens', 'log'] as const;

export type HubPage = (typeof HUB_PAGES)[number] | 'skill';

const routing: Routing<HubPage> = openRouting<HubPage>('skills', [...HUB_PAGES, 'skill']);

export const { route, hrefOf, go, choose } = routing;
