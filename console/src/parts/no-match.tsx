import type { JSX } from 'preact';

/** Says that search and filters leave nothing, and clears them. */
export function NoMatch({ onClear }: { readonly onClear: () => void }): JSX.Element {
  return (
    <div class="empty">
      <p>No skill matches.</p>
      <button type="button" onClick={onClear}>
        Clear search and filters
      </button>
    </div>
  );
}
