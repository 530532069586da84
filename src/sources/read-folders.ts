import { sep } from 'node:path';

import { MAX_READING_STEPS, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { openStepBudget, type StepBudget } from '../parse/step-budget.ts';
import { readInside } from '../platform/files/inside.ts';
import { settleStamp } from '../platform/files/stamp.ts';
import { openRowWriter, TOO_MANY_STEPS, type RowColumns, type RowContent } from './row-writer.ts';

/** Folders of one root whose skills are to be read. Plain data, so that a thread can be asked to do it. */
export interface FolderBatch extends BatchRules {
  readonly folders: readonly Folder[];
}

export interface BatchRules {
  /** Path of the root. */
  readonly root: string;
  /** A user whose files may be anywhere. */
  readonly owner: number | undefined;
  readonly refuseHardLinks: boolean;
  /** How much slow work may be done: reading, and compiling patterns. */
  readonly readingSteps: number;
  readonly patternSteps: number;
}

export interface Folder {
  /** Its name below the root. */
  readonly id: string;
  /** Its real path. */
  readonly realDir: string;
  /** The name of its file, if it is not `SKILL.md`. */
  readonly fileName?: string | undefined;
}

/** Reads the SKILL.md of each folder and packs the results, in the order of the folders. */
export type ReadFolders = (batch: FolderBatch) => RowColumns;

/** Fits nearly every SKILL.md; a larger one gets its own buffer. */
const SCRATCH_BYTES = 64 * 1024;

export function openFolderReader(): ReadFolders {
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return (batch) => {
    const writer = openRowWriter(batch.folders.length);
    const reading = openStepBudget(batch.readingSteps);
    const patterns = openStepBudget(batch.patternSteps);
    for (const folder of batch.folders) writer.add(readFolder(folder, { batch, scratch, reading, patterns }));
    return writer.columns();
  };
}

/** The key of a file in the cache: `pdf`, or `pdf/skill.md` for another spelling. */
export function keyOf({ id, fileName }: Pick<Folder, 'id' | 'fileName'>): string {
  return fileName === undefined ? id : `${id}/${fileName}`;
}

interface Reading {
  readonly batch: FolderBatch;
  readonly scratch: Buffer;
  readonly reading: StepBudget;
  readonly patterns: StepBudget;
}

function readFolder(folder: Folder, { batch, scratch, reading, patterns }: Reading): RowContent {
  const { id, realDir, fileName = SKILL_FILE } = folder;
  const key = keyOf(folder);
  const dir = `${batch.root}${sep}${id}`;
  const file = `${dir}${sep}${fileName}`;
  const { owner, refuseHardLinks } = batch;
  const content = readInside(realDir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES, scratch, owner, refuseHardLinks });
  if (!content.ok) {
    if (content.code === 'RESOURCE_NOT_FOUND') return { key };
    const code = content.code === 'PATH_REFUSED' ? 'FILE_REFUSED' : 'FILE_UNREADABLE';
    const message = `the file is not read: ${content.message}`;
    return { key, diagnostics: [{ code, severity: 'error', path: file, message }] };
  }
  const isShort = reading.left < MAX_READING_STEPS;
  const budget = openStepBudget(Math.min(MAX_READING_STEPS, reading.left));
  const parsed = parseSkill(content.bytes, { dir, file, budget, patternBudget: patterns });
  const steps = budget.spent;
  reading.spend(steps);
  // Refused when it is charged: the budget of the root has no more left than that of the batch.
  if (budget.isExceeded && isShort) return { key, diagnostics: [], steps: TOO_MANY_STEPS };
  const stamp = settleStamp(content.stamp);
  return parsed.ok
    ? { key, stamp, skill: parsed.skill, steps }
    : { key, stamp, diagnostics: parsed.diagnostics, steps };
}
