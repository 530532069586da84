import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { KIND, writeSkills } from './many-skills.ts';
import { LIBRARY } from './process.ts';
import { withScratch } from './scratch.ts';
import type { Section } from './table.ts';

const COUNTS = [1_000, 20_000, 100_000];
const ROUNDS = 3;
/** Above this many skills, one process is enough: it takes long, and start-up no longer counts. */
const MANY = 50_000;

/** The first search of a process that knows all skills and has no index; `--skills 20000` measures that number alone. */
export async function measureIndexing(options: readonly string[] = []): Promise<Section> {
  const asked = Number(options[options.indexOf('--skills') + 1]);
  const rows = [];
  for (const count of options.includes('--skills') ? [asked] : COUNTS)
    rows.push(await withScratch((home) => measureCount(home, count)));
  return {
    title: 'Building the search index',
    note: `Best of ${ROUNDS} processes (one above ${MANY} skills), ${KIND} skills that are all new to the index: the first search, with the index saved. Goal at 1,000: 1.5 s.`,
    columns: ['skills', 'first search', 'processor time', 'peak memory'],
    rows,
  };
}

function measureCount(home: string, count: number): readonly string[] {
  writeSkills(join(home, '.agents', 'skills'), count);
  search(home);
  const samples = Array.from({ length: count > MANY ? 1 : ROUNDS }, () => search(home));
  const least = (key: keyof Sample): number => Math.min(...samples.map((one) => one[key]));
  return [
    String(count),
    `${(least('searchMs') / 1000).toFixed(1)} s`,
    `${(least('cpuMs') / 1000).toFixed(1)} s`,
    `${Math.max(...samples.map(({ peakMb }) => peakMb)).toFixed(0)} MB`,
  ];
}

interface Sample {
  readonly searchMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const PROGRAM = `
  import { openSkills } from '${LIBRARY}';
  import { readFileSync } from 'node:fs';
  const skills = await openSkills();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await skills.search({ query: 'fill a pdf form', recordUse: false });
  const { user, system } = process.cpuUsage(cpu);
  const peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 'NaN';
  console.log(JSON.stringify({ searchMs: performance.now() - start, cpuMs: (user + system) / 1000, peakMb: peak / 1024 }));
  await skills[Symbol.asyncDispose]();
`;

function search(home: string): Sample {
  const env = { HOME: home, PATH: process.env['PATH'] };
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: home, env });
  if (child.status !== 0) throw new Error(child.stderr.toString());
  forgetIndex(join(home, '.agent', 'cache'));
  return JSON.parse(child.stdout.toString());
}

function forgetIndex(cache: string): void {
  for (const name of readdirSync(cache)) if (name.startsWith('search-')) rmSync(join(cache, name));
}
