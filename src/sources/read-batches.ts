import { breathe } from '../platform/clock.ts';
import { openRowColumns, type KeptRow } from './cache-rows.ts';
import { openFolderReader, type BatchRules, type Folder, type FolderBatch } from './read-folders.ts';
import { CELL, CELLS, type RowColumns } from './row-writer.ts';

/** Reads a batch elsewhere; undefined if that fails. */
export type AskForBatch = (batch: FolderBatch) => Promise<RowColumns | undefined>;

/** Few enough that all helpers end at about the same time, and that other work of this process does not wait long. */
const BATCH = 256;

/**
 * Reads the skills of these folders, in their order, here and with helpers. The rows do not depend on the helpers. What one
 * that fails was asked for is read here.
 */
export async function readInBatches(
  folders: readonly Folder[],
  rules: BatchRules,
  helpers: readonly AskForBatch[] = [],
): Promise<readonly KeptRow[]> {
  const parts: RowColumns[] = [];
  const readHere = openFolderReader();
  let { readingSteps, patternSteps } = rules;
  let next = 0;
  const work = async (read: AskForBatch): Promise<void> => {
    while (BATCH * next < folders.length) {
      const at = next;
      next += 1;
      // All batches that are done come before this one, so that the root has no more steps left for it.
      const batch = { ...rules, folders: folders.slice(BATCH * at, BATCH * (at + 1)), readingSteps, patternSteps };
      const answer = await read(batch);
      const part = answer ?? readHere(batch);
      parts[at] = part;
      readingSteps = Math.max(0, readingSteps - sumCells(part, CELL.steps));
      patternSteps = Math.max(0, patternSteps - sumCells(part, CELL.patternSteps));
      if (answer === undefined) return;
    }
  };
  const here: AskForBatch = async (batch) => {
    // Lets helpers have their next batches, and others do their work.
    await breathe();
    return readHere(batch);
  };
  await Promise.all([...helpers, here].map(work));
  return parts.flatMap((part) => {
    const rows = openRowColumns(part);
    return Array.from({ length: rows.count }, (_, row) => ({ rows, row }));
  });
}

function sumCells({ cells }: RowColumns, cell: number): number {
  let sum = 0;
  for (let at = cell; at < cells.length; at += CELLS) sum += cells[at] ?? 0;
  return sum;
}
