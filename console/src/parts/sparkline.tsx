import type { JSX } from 'preact';

interface SparklineProps {
  readonly values: readonly number[];
  readonly label: string;
}

const [WIDTH, HEIGHT] = [60, 16];

/** A row of small bars. */
export function Sparkline({ values, label }: SparklineProps): JSX.Element {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  const bars = values
    .map((value, at) => {
      const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
      return `M${(at * step + step / 2).toFixed(1)} ${HEIGHT}v-${height.toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <path d={bars} stroke-width={Math.max(1, step - 2)} />
    </svg>
  );
}
