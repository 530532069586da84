import type { JSX } from 'preact';

import { choose, go, route } from './lib/route.ts';
import { SearchField } from './parts/search-field.tsx';

/** Searches from every page; the list answers while one types. */
export function SearchBox(): JSX.Element {
  const { page, params } = route.value;
  const isHere = page === 'skills';
  return (
    <SearchField
      value={isHere ? (params['q'] ?? '') : ''}
      onSearch={(q) => (isHere ? choose({ q }) : go('skills', { q }))}
    />
  );
}
