import { diffLines, type DiffLine } from './line-diff.ts';

const CONTEXT = 3;
const NO_LINE_END = '\\ No newline at end of file';

/**
 * Renders the difference between two texts as a unified diff for `patch -p1` and `git apply`; empty if they are equal.
 * `path` is not escaped.
 */
export function renderDiff(oldText: string, newText: string, path: string): string {
  const lines = diffLines(oldText, newText);
  const hunks = findHunks(lines);
  if (hunks.length === 0) return '';
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks.flatMap((hunk) => renderHunk(lines, hunk)), ''].join('\n');
}

/** A range of lines that differ, with some context. */
interface Hunk {
  readonly from: number;
  readonly to: number;
}

function findHunks(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) hunks[hunks.length - 1] = { from: last.from, to };
    else hunks.push({ from, to });
  }
  return hunks;
}

function renderHunk(lines: readonly DiffLine[], { from, to }: Hunk): readonly string[] {
  const shown = lines.slice(from, to);
  const rangeOf = (other: '-' | '+'): string => {
    const isIn = ({ mark }: DiffLine): boolean => mark === ' ' || mark === other;
    const count = shown.filter(isIn).length;
    // An empty range is given by the line before it.
    const start = lines.slice(0, from).filter(isIn).length + (count === 0 ? 0 : 1);
    return `${other}${start},${count}`;
  };
  return [
    `@@ ${rangeOf('-')} ${rangeOf('+')} @@`,
    ...shown.flatMap(({ mark, line }) =>
      line.endsWith('\n') ? [`${mark}${line.slice(0, -1)}`] : [`${mark}${line}`, NO_LINE_END],
    ),
  ];
}
