import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type * as Library from '../src/index.ts';
import { generateSkills } from './generate.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 9;

/** What is measured is the package as it ships. */
const BUILT = new URL('../dist/index.js', import.meta.url).href;

/** Finding and reading skills that no cache knows, against only reading their files, round by round in one process. */
export async function measureDiscovery(): Promise<Section> {
  const rows = [];
  for (const count of [1_000, 10_000]) rows.push(await withScratch((dir) => measure(dir, count)));
  return {
    title: 'Cold discovery',
    note: `Median of ${ROUNDS} interleaved rounds. Discovery lists, opens, checks where each file really is, reads, parses and merges. The first base is the fastest way Node has to read the same files, the second the usual one.`,
    columns: ['skills', 'discovery', 'readFileSync', 'ratio', 'fs.promises', 'ratio'],
    rows,
  };
}

async function measure(scratch: string, count: number): Promise<readonly string[]> {
  const { readEnvironment, SkillStore } = (await import(BUILT)) as typeof Library;
  const root = join(scratch, '.agents', 'skills');
  generateSkills(root, count);
  const environment = readEnvironment({ cwd: scratch, home: scratch, env: {} });
  const discovery: number[] = [];
  const sync: number[] = [];
  const promises: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    sync.push(await time(() => readSync(root)));
    discovery.push(await time(() => new SkillStore({ environment }).loadAll()));
    promises.push(await time(() => readWithPromises(root)));
  }
  return [
    String(count),
    ms(median(discovery)),
    ms(median(sync)),
    ratio(median(discovery), median(sync)),
    ms(median(promises)),
    ratio(median(discovery), median(promises)),
  ];
}

function readSync(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true }))
    readFileSync(join(root, entry.name, 'SKILL.md'), 'utf8');
}

async function readWithPromises(root: string): Promise<void> {
  const names = await readdir(root);
  await Promise.all(names.map((name) => readFile(join(root, name, 'SKILL.md'), 'utf8')));
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
