import type { JSX } from 'preact';

export interface BarPiece {
  readonly name: string;
  /** Which of the five colours it has. */
  readonly series: number;
  readonly value: number;
}

interface StackedBarProps {
  readonly pieces: readonly BarPiece[];
  /** The share of the width that all pieces take together, from 0 to 1. */
  readonly share: number;
}

/** One bar of several pieces; a screen reader says each with its percentage. */
export function StackedBar({ pieces, share }: StackedBarProps): JSX.Element {
  const total = pieces.reduce((sum, { value }) => sum + value, 0);
  const percentOf = (value: number): number => Math.round((100 * value) / Math.max(total, Number.MIN_VALUE));
  const text = pieces.map(({ name, value }) => `${name} ${percentOf(value)} %`).join(', ');
  return (
    <span class="bar" role="img" aria-label={text} title={text}>
      {pieces.map(({ name, series, value }) => (
        <span key={name} class={`series-${series % 5}`} style={{ width: `${percentOf(value) * share}%` }} />
      ))}
    </span>
  );
}
