import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { KIND, writeSkills } from './many-skills.ts';
import { LIBRARY, peakOfCommand, run, runCommand, runProgram, type Sample } from './process.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 15;
const COUNTS = [1_000, 20_000] as const;

const STAT = `
  import { lstatSync, readdirSync } from 'node:fs';
  /* start */
  const root = process.env.HOME + '/.agents/skills/';
  for (const entry of readdirSync(root, { withFileTypes: true })) lstatSync(root + entry.name + '/SKILL.md');`;
const OPEN = `
  import { openSkills } from '${LIBRARY}';
  /* start */
  const skills = await openSkills({ cwd: process.env.HOME, home: process.env.HOME });
  await skills[Symbol.asyncDispose]();`;
const READ = `
  import { readdirSync, readFileSync } from 'node:fs';
  /* start */
  const root = process.env.HOME + '/.agents/skills/';
  for (const entry of readdirSync(root, { withFileTypes: true })) readFileSync(root + entry.name + '/SKILL.md');`;
/** Counts what the library's root loads: our files, and the sources bundled into them. */
const LOADED = `
  import { readFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const files = new Set();
  registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files.add(url); return next(url, context); } });
  await import('${LIBRARY}');
  const sources = [...files].flatMap((url) => {
    try { return JSON.parse(readFileSync(new URL(url + '.map'), 'utf8')).sources; } catch { return []; }
  });
  process.stdout.write(files.size + ' files, ' + new Set(sources).size + ' sources');`;

/** The cost of starting. */
export async function measureStart(): Promise<Section> {
  const rows = await withScratch((home) => {
    writeSkills(join(home, '.agents', 'skills'), 1_000);
    letAge();
    runCommand(['show', '--json'], home);
    const [bare, imported, shown] = interleave(ROUNDS, [
      () => run(['-e', '0'], home),
      () => runProgram(`import '${LIBRARY}';\n/* start */`, home),
      () => runCommand(['show', '--json'], home),
    ]);
    const baseMs = wallOf(bare);
    const row = (wallMs: number, peakMb: number): readonly string[] => [
      ms(wallMs),
      ms(baseMs),
      ratio(wallMs, baseMs),
      `${peakMb.toFixed(0)} MB`,
    ];
    return [
      ["`import 'skillplane'`", '2.5×', ...row(wallOf(imported), peakOf(imported))],
      ['`show --json`, 1000 skills, warm', '4×', ...row(wallOf(shown), peakOfCommand(['show', '--json'], home))],
    ];
  });
  return {
    title: 'Start',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes, ${KIND} skills. The root loads ${countLoaded()}.`,
    columns: ['', 'goal', 'time', '`node -e 0`', 'ratio', 'peak memory'],
    rows,
  };
}

function countLoaded(): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', LOADED], { encoding: 'utf8' });
}

/** A new process with all skills cached, compared with one that only reads the files' stamps. */
export async function measureWarmStart(): Promise<Section> {
  const rows = [];
  for (const count of COUNTS) rows.push(await withScratch((home) => measureWarm(home, count)));
  return {
    title: 'Warm start in a new process',
    note: `Median of ${ROUNDS} interleaved rounds, ${KIND} skills. "Work" is the time within the process after loading the code: opening all skills against one stat each. "Process" is the whole process, start of Node included.`,
    columns: ['skills', 'open: work', 'stat: work', 'ratio', 'open: process', 'stat: process', 'ratio', 'peak memory'],
    rows,
  };
}

function measureWarm(home: string, count: number): readonly string[] {
  writeSkills(join(home, '.agents', 'skills'), count);
  letAge();
  runProgram(OPEN, home);
  const [stat, open] = interleave(ROUNDS, [() => runProgram(STAT, home), () => runProgram(OPEN, home)]);
  return [
    String(count),
    ms(workOf(open)),
    ms(workOf(stat)),
    ratio(workOf(open), workOf(stat)),
    ms(wallOf(open)),
    ms(wallOf(stat)),
    ratio(wallOf(open), wallOf(stat)),
    `${peakOf(open).toFixed(0)} MB`,
  ];
}

const SHOW_ROUNDS = 7;

/** The command line over many skills: the first time, the next time, and a search. */
export async function measureShow(): Promise<Section> {
  const rows = [];
  for (const count of COUNTS) rows.push(...(await withScratch((home) => measureCommands(home, count))));
  return {
    title: '`skillplane show --json` and `search`',
    note: `Median of ${SHOW_ROUNDS} interleaved rounds, whole processes, ${KIND} skills. The base reads the same files as bytes. Cold: no cache but compiled code. Warm: nothing has changed since the cache was written; "one changed": one skill has. Goals at 20,000: cold 8 s; search 1 s and 300 MB.`,
    columns: ['skills', 'command', 'time', 'reading the files', 'ratio', 'peak memory'],
    rows,
  };
}

function measureCommands(home: string, count: number): readonly (readonly string[])[] {
  const root = join(home, '.agents', 'skills');
  writeSkills(root, count);
  letAge();
  const SHOW = ['show', '--json'];
  const SEARCH = ['search', 'fill a pdf form'];
  const forget = (): void => forgetSkills(join(home, '.agent', 'cache'));
  const cold = (): Sample => {
    forget();
    return runCommand(SHOW, home);
  };
  const [changed = ''] = readdirSync(root);
  const change = (): Sample => {
    appendFileSync(join(root, changed, 'SKILL.md'), '\nOne more line.\n');
    return runCommand(SHOW, home);
  };
  runCommand(SHOW, home);
  const [reading, colds, warms] = interleave(SHOW_ROUNDS, [
    () => runProgram(READ, home),
    cold,
    () => runCommand(SHOW, home),
  ]);
  forget();
  const coldPeak = peakOfCommand(SHOW, home);
  const warmPeak = peakOfCommand(SHOW, home);
  // The first search makes the index.
  runCommand(SEARCH, home);
  const [searches] = interleave(SHOW_ROUNDS, [() => runCommand(SEARCH, home)]);
  const searchPeak = peakOfCommand(SEARCH, home);
  const [changes] = interleave(SHOW_ROUNDS, [change]);
  const baseMs = workOf(reading);
  const row = (name: string, samples: readonly Sample[] | undefined, peakMb: number): readonly string[] => [
    String(count),
    name,
    ms(wallOf(samples)),
    ms(baseMs),
    ratio(wallOf(samples), baseMs),
    `${peakMb.toFixed(0)} MB`,
  ];
  return [
    row('show, cold', colds, coldPeak),
    row('show, warm', warms, warmPeak),
    row('show, one changed', changes, peakOfCommand(SHOW, home)),
    row('search, warm', searches, searchPeak),
  ];
}

/**
 * Waits until what was just written is on disk, which takes processor time, and counts as unchanged: an answer is not kept
 * while its files may change unseen.
 */
function letAge(): void {
  if (process.platform !== 'win32') execFileSync('sync');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGE_MS);
}

const AGE_MS = 3_000;

/** Removes the caches of skills, but not compiled code. */
function forgetSkills(cache: string): void {
  for (const name of readdirSync(cache)) if (name.endsWith('.cache')) rmSync(join(cache, name));
}

/** Takes samples of each in turn. */
function interleave(rounds: number, runs: readonly (() => Sample)[]): readonly (readonly Sample[])[] {
  const samples = runs.map((): Sample[] => []);
  for (let round = 0; round < rounds; round += 1) for (const [at, once] of runs.entries()) samples[at]?.push(once());
  return samples;
}

function wallOf(samples: readonly Sample[] = []): number {
  return median(samples.map(({ wallMs }) => wallMs));
}

function workOf(samples: readonly Sample[] = []): number {
  return median(samples.map(({ workMs }) => workMs));
}

function peakOf(samples: readonly Sample[] = []): number {
  return median(samples.map(({ peakMb }) => peakMb));
}
