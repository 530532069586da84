import type { Output, Style } from './output.ts';

const STYLES: Readonly<Record<string, Style>> = { '-': 'red', '+': 'green', '@': 'cyan' };

/** Prints a unified diff, its lines whole. */
export function printDiff(diff: string, out: Output): void {
  for (const line of diff.split('\n').slice(0, -1)) {
    const style = STYLES[line.slice(0, 1)];
    out.exactLine(style === undefined ? line : { text: line, style });
  }
}
