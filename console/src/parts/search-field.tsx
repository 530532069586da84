import type { JSX } from 'preact';

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (query: string) => void;
}

/** The field that `/` leads to. */
export function SearchField({ value, onSearch }: SearchFieldProps): JSX.Element {
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
        value={value}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </div>
  );
}
