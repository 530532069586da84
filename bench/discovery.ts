import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type * as Library from '../src/index.ts';
import type * as Internal from '../src/internal.ts';
import { KIND, writeSkills } from './many-skills.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 9;
const AT_ONCE = 1_000;

/** Measures the package as it ships. */
const BUILT = new URL('../dist/index.js', import.meta.url).href;
const INTERNAL = new URL('../dist/internal.js', import.meta.url).href;

/** Finding and reading uncached skills, compared with only reading their files, interleaved in one process. */
export async function measureDiscovery(): Promise<Section> {
  const rows = [];
  for (const count of [1_000, 20_000]) rows.push(await withScratch((dir) => measure(dir, count)));
  return {
    title: 'Cold discovery',
    note: `Median of ${ROUNDS} interleaved rounds, ${KIND} skills. Discovery lists, opens, checks where each file really is, reads, parses and merges. The bases only read the same files: as bytes and as text, one after the other, and as text, a thousand at once. Goal: 4× of reading bytes.`,
    columns: ['skills', 'discovery', 'readFileSync', 'ratio', 'as text', 'ratio', 'fs.promises', 'ratio'],
    rows,
  };
}

async function measure(scratch: string, count: number): Promise<readonly string[]> {
  const { SkillStore } = (await import(BUILT)) as typeof Library;
  const { readEnvironment } = (await import(INTERNAL)) as typeof Internal;
  const root = join(scratch, '.agents', 'skills');
  writeSkills(root, count);
  const environment = readEnvironment({ cwd: scratch, home: scratch, env: {} });
  const discovery: number[] = [];
  const bytes: number[] = [];
  const text: number[] = [];
  const promises: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bytes.push(await time(() => readSync(root)));
    text.push(await time(() => readSync(root, 'utf8')));
    discovery.push(await time(() => new SkillStore({ environment }).loadAll()));
    promises.push(await time(() => readWithPromises(root)));
  }
  return [
    String(count),
    ms(median(discovery)),
    ms(median(bytes)),
    ratio(median(discovery), median(bytes)),
    ms(median(text)),
    ratio(median(discovery), median(text)),
    ms(median(promises)),
    ratio(median(discovery), median(promises)),
  ];
}

function readSync(root: string, encoding?: 'utf8'): void {
  for (const entry of readdirSync(root, { withFileTypes: true }))
    readFileSync(join(root, entry.name, 'SKILL.md'), encoding);
}

async function readWithPromises(root: string): Promise<void> {
  const names = await readdir(root);
  // More at once would need more open files than a process may have.
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const batch = names.slice(at, at + AT_ONCE);
    await Promise.all(batch.map((name) => readFile(join(root, name, 'SKILL.md'), 'utf8')));
  }
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
