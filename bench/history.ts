import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { LIBRARY, run, runProgram, type Sample } from './process.ts';
import { CORPUS, readLines } from './real-skills.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';
import { writeTranscripts } from './transcripts.ts';

/** As much as a year of work leaves, and as many files as a scan has to look at. */
const MUCH = { files: 1_000, bytes: 1_000_000_000 };
const MANY = { files: 5_000, bytes: 50_000_000 };
const ROUNDS = 5;
/** More than enough to have every kind of text. */
const TEXTS = 400;

/** How fast the transcripts of other agents are read: all of them once, and again when nothing has changed. */
export async function measureHistory(): Promise<Section | string> {
  const texts = readTexts();
  const first = await withScratch((home) => {
    writeTranscripts(home, { ...MUCH, texts });
    countLines(home);
    return Array.from({ length: ROUNDS }, () => {
      rmSync(join(home, '.agent'), { recursive: true, force: true });
      return { base: countLines(home), read: importAll(home) };
    });
  });
  const second = await withScratch((home) => {
    writeTranscripts(home, { ...MANY, texts });
    importAll(home);
    return Array.from({ length: ROUNDS }, () => ({ base: run(['-e', '0'], home).wallMs, read: lookAgain(home) }));
  });
  return {
    title: 'Reading the transcripts of other agents',
    note: `Transcripts of Claude Code and Codex with the text of real skills in them; in every 50th turn a skill is used. The files are in the memory of the system. Median of ${ROUNDS} interleaved rounds: the time of \`importHistory()\` in a process (of the first call, and of the second), against a whole other process. The memory is the peak of the process.`,
    columns: ['', 'goal', 'time', 'memory', 'base', 'its time', 'ratio'],
    rows: [
      ['1 GB in 1,000 files', '5 s, 200 MB', ...describe('`wc -l`', first)],
      ['5,000 files, a second look, nothing has changed', '50 ms', ...describe('`node -e 0`', second)],
    ],
  };
}

interface Round {
  readonly base: number;
  readonly read: Sample;
}

function describe(base: string, rounds: readonly Round[]): readonly string[] {
  const [read, other] = [median(rounds.map((round) => round.read.workMs)), median(rounds.map((round) => round.base))];
  const memory = Math.max(...rounds.map((round) => round.read.peakMb));
  return [ms(read), `${memory.toFixed(0)} MB`, base, ms(other), ratio(read, other)];
}

function importAll(home: string): Sample {
  return importWith('', home);
}

/** The code is loaded and the history open, as where a process runs on. */
function lookAgain(home: string): Sample {
  return importWith('await skills.importHistory();', home);
}

function importWith(before: string, home: string): Sample {
  const program = `
    import { openSkills } from '${LIBRARY}';
    const skills = await openSkills();
    ${before}
    /* start */
    const done = await skills.importHistory();
    if (!done.ok || done.imported.hosts.some(({ left }) => left > 0)) throw new Error(JSON.stringify(done));
  `;
  return runProgram(program, home);
}

function countLines(home: string): number {
  const start = performance.now();
  const command = `find .claude/projects .codex/sessions -name '*.jsonl' -print0 | wc -l --files0-from=- | tail -n 1`;
  const child = spawnSync('/bin/sh', ['-c', command], { cwd: home });
  if (child.status !== 0) throw new Error(child.stderr.toString());
  return performance.now() - start;
}

function readTexts(): readonly string[] {
  const [path] = CORPUS;
  if (path === undefined)
    return Array.from({ length: TEXTS }, (_, at) => `const value${at} = ${at};\n`.repeat(100 + at));
  return readLines(path)
    .slice(0, TEXTS)
    .map(({ text }) => text);
}
