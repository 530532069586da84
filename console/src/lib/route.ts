import { openRouting, type Place, type Routing } from './routing.ts';

export type { Params } from './routing.ts';

/** The pages, in the order of the menu; each is the first part of an address. */
export const PAGES = ['skills', 'lab', 'model', 'usage', 'agents', 'installed', 'health'] as const;

export type Page = (typeof PAGES)[number] | 'skill';
export type Route = Place<Page>;

const routing: Routing<Page> = openRouting<Page>('skills', [...PAGES, 'skill']);

export const { route, hrefOf, go, choose } = routing;
