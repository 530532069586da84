/** A part of the benchmarks: a heading, what it measures, and rows of equal length. */
export interface Section {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function renderSection({ title, note, columns, rows }: Section): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `## ${title}\n\n${note}\n\n${lines.join('\n')}\n`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

export function ratio(value: number, base: number): string {
  return `${(value / base).toFixed(2)}×`;
}
