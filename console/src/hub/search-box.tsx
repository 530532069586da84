import type { JSX } from 'preact';

import { SearchField } from '../parts/search-field.tsx';
import { choose, go, route } from './lib/route.ts';

/** Searches from every page; the list answers while one types. */
export function HubSearchBox(): JSX.Element {
  const { page, params } = route.value;
  const isHere = page === 'skills';
  return (
    <SearchField
      value={isHere ? (params['q'] ?? '') : ''}
      onSearch={(q) => (isHere ? choose({ q }) : go('skills', { q }))}
    />
  );
}
