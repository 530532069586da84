import type { JSX } from 'preact';

/** Names of series beside their colours, in the order of the colours. */
export function Legend({ names }: { readonly names: readonly string[] }): JSX.Element {
  return (
    <ul class="legend" aria-hidden="true">
      {names.map((name, which) => (
        <li key={name}>
          <span class={`swatch series-${which % 5}`} /> {name}
        </li>
      ))}
    </ul>
  );
}
