import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** The pages, in the order of the menu; each is the first part of an address. */
export const PAGES = ['skills', 'lab', 'model', 'usage', 'hosts', 'installed', 'health'] as const;

export type Page = (typeof PAGES)[number] | 'skill';

/** The content of the address: which page, and everything that is chosen on it. */
export interface Route {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}

const current = signal<Route>(readAddress());

export const route: ReadonlySignal<Route> = computed(() => current.value);

window.addEventListener('popstate', () => {
  current.value = readAddress();
});

function readAddress(): Route {
  const name = location.pathname.slice(1);
  const page = name === 'skill' ? name : (PAGES.find((known) => known === name) ?? 'skills');
  return { page, params: Object.fromEntries(new URLSearchParams(location.search)) };
}

export type Params = Readonly<Record<string, string | undefined>>;

/** The address of a page. */
export function hrefOf(page: Page, params: Params = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return `/${page}${query === '' ? '' : `?${query}`}`;
}

export function go(page: Page, params: Params = {}): void {
  const href = hrefOf(page, params);
  if (href === `${location.pathname}${location.search}`) return;
  history.pushState(null, '', href);
  current.value = readAddress();
}

/** Changes what is chosen on this page, without a new step in the history. */
export function choose(params: Params): void {
  const { page, params: before } = current.value;
  history.replaceState(null, '', hrefOf(page, { ...before, ...params }));
  current.value = readAddress();
}
