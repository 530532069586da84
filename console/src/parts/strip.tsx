import type { JSX } from 'preact';

import type { ModelSegment } from '../lib/answers.ts';
import { visible } from '../lib/visible-text.ts';

interface StripProps {
  readonly segments: readonly ModelSegment[];
  /** The length of the whole strip, in tokens. */
  readonly total: number;
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** A strip as long as the budget, in which each skill is as long as its tokens. Arrow keys move along it. */
export function Strip({ segments, total, chosen, onChoose }: StripProps): JSX.Element {
  const shown = segments.filter(({ tokens }) => tokens > 0);
  const at = shown.findIndex(({ name }) => name === chosen);
  const move = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
  };
  return (
    <div
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label="Skills by their tokens"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, shown.length - 1)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={
        chosen === undefined ? 'none' : `${chosen}, ${shown[at]?.kind ?? ''}, ${shown[at]?.tokens ?? 0} tokens`
      }
      onKeyDown={move}
    >
      {shown.map(({ name, kind, tokens }) => (
        <span
          key={name}
          class={`segment ${kind}${name === chosen ? ' chosen' : ''}`}
          style={{ flexBasis: `${(100 * tokens) / Math.max(1, total)}%` }}
          title={`${visible(name)}: ${kind}, ${tokens} tokens`}
          onMouseEnter={() => onChoose(name)}
        />
      ))}
    </div>
  );
}
