import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Tree } from '../../src/platform/files/temporary-tree.ts';
import type { ProgramAnswer } from './answer.ts';
import { PROGRAMS, type ProgramId } from './programs.ts';

/** The answers of a program, by home. `{root}` stands for the folder that the home lay in. */
export interface Recording {
  readonly version: string;
  readonly homes: Readonly<Record<string, RecordedAnswer>>;
}

export interface RecordedAnswer extends ProgramAnswer {
  /** Files that the program itself put into the home before it answered, as far as they matter. */
  readonly brought?: Tree | undefined;
}

export function readRecording(id: ProgramId): Recording {
  const file = fileOf(id);
  if (!existsSync(file)) return { version: PROGRAMS[id].version, homes: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

export function writeRecording(id: ProgramId, homes: Recording['homes']): void {
  mkdirSync(fileURLToPath(new URL('recorded/', import.meta.url)), { recursive: true });
  const recording: Recording = { version: PROGRAMS[id].version, homes };
  writeFileSync(fileOf(id), `${JSON.stringify(recording, undefined, 1)}\n`);
}

function fileOf(id: ProgramId): string {
  return fileURLToPath(new URL(`recorded/${id}.json`, import.meta.url));
}
