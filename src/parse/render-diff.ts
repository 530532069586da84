import type { StructuredPatchHunk } from 'diff';

import { loadDiff } from './lazy-packages.cjs';

/**
 * Limits all diffs of one comparison, so that no input can block a server. Each may use half of the remaining budget,
 * so that one long file does not hide the others.
 */
export interface DiffBudget {
  /** Lines times edits that the search for common lines may try. */
  steps: number;
  /** Characters of text. */
  characters: number;
}

export function openDiffBudget(): DiffBudget {
  return { steps: 60_000_000, characters: 2 * 1024 * 1024 };
}

/** Every diff gets this much, so that small files are always shown. */
const LEAST: Readonly<DiffBudget> = { steps: 30_000, characters: 2_000 };
/** Steps that reading one line is worth. */
const LINE_STEPS = 100;
/** More would take too much memory. */
const MAX_EDITS = 1_000;
const CONTEXT = 3;
const NO_LINE_END = '\\ No newline at end of file';

/**
 * Renders the difference between two texts as a unified diff for `patch -p1` and `git apply`; empty if they are equal. If too
 * many lines differ, everything from the first to the last difference is one change. A diff that gets too long is cut; its
 * last line says so. `path` is not escaped.
 */
export function renderDiff(
  oldText: string,
  newText: string,
  path: string,
  budget: DiffBudget = openDiffBudget(),
): string {
  if (oldText === newText) return '';
  const head = `--- a/${path}\n+++ b/${path}\n`;
  const lines = countLines(oldText) + countLines(newText);
  const edits = Math.floor(Math.max(LEAST.steps, budget.steps / 2) / lines) - LINE_STEPS;
  if (edits < 1) return `${head}\\ Not compared: both versions together have ${lines} lines.\n`;
  const { structuredPatch, formatPatch, OMIT_HEADERS } = loadDiff();
  const limits = { context: CONTEXT, maxEditLength: Math.min(MAX_EDITS, edits) };
  const found = structuredPatch('', '', oldText, newText, undefined, undefined, limits);
  budget.steps -= lines * (LINE_STEPS + (found === undefined ? limits.maxEditLength : countEdits(found.hunks)));
  const hunks = found?.hunks ?? [replaceMiddle(splitLines(oldText), splitLines(newText))];
  const patch = { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks };
  return `${head}${cut(formatPatch(patch, OMIT_HEADERS), budget)}`;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function countEdits(hunks: readonly StructuredPatchHunk[]): number {
  return hunks.flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line))).length;
}

/** Keeps line ends, so that a missing final one is a difference. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** One change from the first to the last line that differs. */
function replaceMiddle(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT);
  const mark = (sign: string, lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) => (line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, NO_LINE_END]));
  const lines = [
    ...mark(' ', before.slice(start, head)),
    ...mark('-', before.slice(head, before.length - tail)),
    ...mark('+', after.slice(head, after.length - tail)),
    ...mark(' ', before.slice(before.length - tail).slice(0, CONTEXT)),
  ];
  const shown = (length: number): number => length - start - Math.max(0, tail - CONTEXT);
  return {
    oldStart: start + 1,
    oldLines: shown(before.length),
    newStart: start + 1,
    newLines: shown(after.length),
    lines,
  };
}

function cut(text: string, budget: DiffBudget): string {
  const most = Math.max(LEAST.characters, Math.floor(budget.characters / 2));
  const end = text.length <= most ? text.length : text.lastIndexOf('\n', most - 1) + 1;
  budget.characters -= end;
  if (end === text.length) return text;
  return `${text.slice(0, end)}\\ The diff ends here: ${countLines(text.slice(end)) - 1} more lines are not shown.\n`;
}
