import { openRouting, type Place, type Routing } from './routing.ts';

export type { Params } from './routing.ts';

/** The pages in the order of the menu, those for every day first; each is the first part of an address. */
export const DAILY_PAGES = ['skills', 'agents', 'installed', 'usage', 'health'] as const;
export const OTHER_PAGES = ['lab', 'model', 'start'] as const;

export type MenuPage = (typeof DAILY_PAGES)[number] | (typeof OTHER_PAGES)[number];
export type Page = MenuPage | 'skill';
export type Route = Place<Page>;

const routing: Routing<Page> = openRouting<Page>('skills', [...DAILY_PAGES, ...OTHER_PAGES, 'skill']);

export const { route, hrefOf, go, choose } = routing;
