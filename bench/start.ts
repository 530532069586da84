import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { generateSkills } from './generate.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 15;
const LIBRARY = pathToFileURL(resolve('dist/index.js')).href;
const BIN = resolve('bin/skillplane.mjs');

/** Each program prints how long its own work took and its peak memory. */
const REPORT = `console.log(JSON.stringify({ work: performance.now() - start, rss: process.resourceUsage().maxRSS }));`;
const STAT = `
  import { readdirSync, statSync } from 'node:fs';
  const start = performance.now();
  for (const entry of readdirSync(process.env.ROOT, { withFileTypes: true })) statSync(process.env.ROOT + '/' + entry.name + '/SKILL.md');
  ${REPORT}`;
const OPEN = `
  import { openSkills } from '${LIBRARY}';
  const start = performance.now();
  const skills = await openSkills({ cwd: process.env.HOME, home: process.env.HOME });
  ${REPORT}
  await skills[Symbol.asyncDispose]();`;

interface Sample {
  readonly wall: number;
  readonly work: number;
  readonly rss: number;
}

/** A new process whose skills are all in the cache, against one that only asks the file system for their stamps. */
export async function measureWarmStart(): Promise<Section> {
  const rows = [];
  for (const count of [1_000, 10_000]) rows.push(await withScratch((home) => measureWarm(home, count)));
  return {
    title: 'Warm start in a new process',
    note: `Median of ${ROUNDS} interleaved rounds. "Work" is the time within the process after loading the code: opening all skills against one stat each. "Process" is the whole process, start of Node included.`,
    columns: [
      'skills',
      'open: work',
      'stat: work',
      'ratio',
      'open: process',
      'stat: process',
      'ratio',
      'peak memory per skill',
    ],
    rows,
  };
}

function measureWarm(home: string, count: number): readonly string[] {
  const root = join(home, '.agents', 'skills');
  const empty = join(home, 'empty');
  generateSkills(root, count);
  const open: Sample[] = [];
  const stat: Sample[] = [];
  const nothing: Sample[] = [];
  runProgram(OPEN, { home, root });
  for (let round = 0; round < ROUNDS; round += 1) {
    stat.push(runProgram(STAT, { home, root }));
    open.push(runProgram(OPEN, { home, root }));
    nothing.push(runProgram(OPEN, { home: empty, root }));
  }
  const of = (samples: readonly Sample[], field: keyof Sample): number =>
    median(samples.map((sample) => sample[field]));
  const memory = (of(open, 'rss') - of(nothing, 'rss')) / count;
  return [
    String(count),
    ms(of(open, 'work')),
    ms(of(stat, 'work')),
    ratio(of(open, 'work'), of(stat, 'work')),
    ms(of(open, 'wall')),
    ms(of(stat, 'wall')),
    ratio(of(open, 'wall'), of(stat, 'wall')),
    memory < 0.1 ? 'below noise' : `${memory.toFixed(2)} KiB`,
  ];
}

/** The command line on 1,000 known skills, against a Node that does nothing. */
export async function measureShow(): Promise<Section> {
  const row = await withScratch((home) => {
    generateSkills(join(home, '.agents', 'skills'), 1_000);
    const show: number[] = [];
    const bare: number[] = [];
    wallTime([BIN, 'show', '--json'], home);
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(wallTime(['-e', '0'], home));
      show.push(wallTime([BIN, 'show', '--json'], home));
    }
    return ['1000', ms(median(show)), ms(median(bare)), ratio(median(show), median(bare))];
  });
  return {
    title: '`skillplane show --json`, warm',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes.`,
    columns: ['skills', 'show --json', 'node -e 0', 'ratio'],
    rows: [row],
  };
}

function runProgram(program: string, { home, root }: { readonly home: string; readonly root: string }): Sample {
  const start = performance.now();
  const env = { HOME: home, ROOT: root, PATH: process.env['PATH'] };
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env,
    encoding: 'utf8',
    cwd: '/',
  });
  const wall = performance.now() - start;
  return { wall, ...(JSON.parse(child.stdout) as Omit<Sample, 'wall'>) };
}

function wallTime(args: readonly string[], home: string): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { cwd: home, env: { HOME: home, PATH: process.env['PATH'] }, maxBuffer: 1e9 });
  return performance.now() - start;
}
