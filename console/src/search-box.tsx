import type { JSX } from 'preact';

import { choose, go, route } from './lib/route.ts';

/** Searches from every page; the list answers while one types. */
export function SearchBox(): JSX.Element {
  const { page, params } = route.value;
  const query = page === 'skills' ? (params['q'] ?? '') : '';
  return (
    <div class="search">
      <span aria-hidden="true" class="slash">
        /
      </span>
      <input
        id="search"
        type="search"
        aria-label="Search skills"
        placeholder="Search skills or ask in plain words…"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget: { value } }) =>
          page === 'skills' ? choose({ q: value }) : go('skills', { q: value })
        }
      />
    </div>
  );
}
