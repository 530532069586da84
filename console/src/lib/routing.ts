import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** The content of the address: which page, and everything that is chosen on it. */
export interface Place<Page extends string> {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}

export type Params = Readonly<Record<string, string | undefined>>;

export interface Routing<Page extends string> {
  readonly route: ReadonlySignal<Place<Page>>;
  /** The address of a page. */
  readonly hrefOf: (page: Page, params?: Params) => string;
  readonly go: (page: Page, params?: Params) => void;
  /** Changes the choices on this page, without a new step in the history. */
  readonly choose: (params: Params) => void;
}

/** Follows the address bar. Each page is the first part of an address; an unknown one is the first page. */
export function openRouting<Page extends string>(first: Page, others: readonly Page[]): Routing<Page> {
  const readAddress = (): Place<Page> => {
    const name = location.pathname.slice(1);
    return {
      page: others.find((known) => known === name) ?? first,
      params: Object.fromEntries(new URLSearchParams(location.search)),
    };
  };
  const current = signal(readAddress());
  const look = (): void => {
    current.value = readAddress();
  };
  window.addEventListener('popstate', look);
  const hrefOf = (page: Page, params: Params = {}): string => {
    const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const query = new URLSearchParams(given).toString();
    return `/${page}${query === '' ? '' : `?${query}`}`;
  };
  return {
    route: computed(() => current.value),
    hrefOf,
    go(page, params) {
      const href = hrefOf(page, params);
      if (href === `${location.pathname}${location.search}`) return;
      history.pushState(null, '', href);
      look();
    },
    choose(params) {
      const { page, params: before } = current.value;
      history.replaceState(null, '', hrefOf(page, { ...before, ...params }));
      look();
    },
  };
}
