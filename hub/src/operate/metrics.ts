/** Counts requests and how long they took, in the text format that Prometheus reads. */
export interface Metrics {
  record(request: FinishedRequest): void;
  render(gauges: Readonly<Record<string, number>>): string;
}

export interface FinishedRequest {
  /** The path of the route, not of the request: a name of a skill would be a label of its own. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

const BUCKETS: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

interface Series {
  count: number;
  seconds: number;
  readonly buckets: number[];
}

export function openMetrics(): Metrics {
  const counts = new Map<string, number>();
  const series = new Map<string, Series>();
  return {
    record({ route, method, status, seconds }) {
      const labels = `route="${escape(route)}",method="${method}"`;
      const counted = `${labels},status="${status}"`;
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
      const one = series.get(labels) ?? { count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
      series.set(labels, one);
      one.count += 1;
      one.seconds += seconds;
      for (const [at, limit] of BUCKETS.entries()) if (seconds <= limit) one.buckets[at] = (one.buckets[at] ?? 0) + 1;
    },
    render: (gauges) =>
      [
        '# TYPE skillplane_hub_requests_total counter',
        ...[...counts].map(([labels, count]) => `skillplane_hub_requests_total{${labels}} ${count}`),
        '# TYPE skillplane_hub_request_seconds histogram',
        ...[...series].flatMap(([labels, one]) => renderSeries(labels, one)),
        ...Object.entries(gauges).flatMap(([name, value]) => [
          `# TYPE skillplane_hub_${name} gauge`,
          `skillplane_hub_${name} ${value}`,
        ]),
        '',
      ].join('\n'),
  };
}

function renderSeries(labels: string, { count, seconds, buckets }: Series): readonly string[] {
  const name = 'skillplane_hub_request_seconds';
  return [
    ...BUCKETS.map((limit, at) => `${name}_bucket{${labels},le="${limit}"} ${buckets[at] ?? 0}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

function escape(text: string): string {
  return text.replaceAll(/["\\\n]/g, (character) => `\\${character}`);
}
