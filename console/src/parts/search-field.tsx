import type { JSX } from 'preact';

import type { Place } from '../lib/routing.ts';

interface SearchFieldProps {
  /** The page that is open. */
  readonly place: Place<string>;
  /** Searches in the list, which answers while one types. */
  readonly onSearch: (query: string) => void;
  /** Searches from any other page. */
  readonly onLeave: (query: string) => void;
}

/** The field that `/` leads to, on every page. */
export function SearchField({ place: { page, params }, onSearch, onLeave }: SearchFieldProps): JSX.Element {
  const isList = page === 'skills' || page === 'agents';
  return (
    <div class="search">
      <span aria-hidden="true" class="slash">
        /
      </span>
      <input
        id="search"
        type="search"
        aria-label="Search skills"
        placeholder={page === 'agents' ? 'Filter skills…' : 'Search skills or ask in plain words…'}
        autocomplete="off"
        spellcheck={false}
        value={isList ? (params['q'] ?? '') : ''}
        onInput={({ currentTarget }) => (isList ? onSearch : onLeave)(currentTarget.value)}
      />
    </div>
  );
}
