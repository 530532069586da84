import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateSkills } from './generate.ts';
import { BIN } from './process.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 15;

interface Case {
  readonly name: string;
  readonly skills: number;
  /** Whether each skill also has a script and a reference. */
  readonly hasMore: boolean;
  readonly isUpdate: boolean;
}

const CASES: readonly Case[] = [
  { name: 'install 100, a SKILL.md each', skills: 100, hasMore: false, isUpdate: false },
  { name: 'install 100, three files each', skills: 100, hasMore: true, isUpdate: false },
  { name: 'install 1,000, a SKILL.md each', skills: 1_000, hasMore: false, isUpdate: false },
  { name: 'update 100, a SKILL.md each', skills: 100, hasMore: false, isUpdate: true },
];

/** A repository of many skills, fetched, judged, audited, written, synced and locked, against a plain clone of it. */
export async function measureInstall(): Promise<Section> {
  const rows: (readonly string[])[] = [];
  for (const one of CASES) rows.push(await withScratch((dir) => measureCase(dir, one)));
  return {
    title: 'Installing a repository of many skills',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes, from a repository on the same disk. Before each process the disk is synced, outside of its time: else an installation, which syncs its files, would also wait for those that the clone and the removal before it left to be written. \`install --all --yes --json\` and \`update --yes --json\` fetch, judge, audit, write, sync and lock. For an update, every SKILL.md has changed. "Start" is \`--version\`, after the first run has cached the compiled code. Goal: at most 2× of the clone.`,
    columns: ['what', 'skillplane', '`git clone --depth 1`', 'ratio', 'start'],
    rows,
  };
}

function measureCase(dir: string, { name, skills, hasMore, isUpdate }: Case): readonly string[] {
  const [home, copy, repository] = [join(dir, 'home'), join(dir, 'copy'), join(dir, 'repository')];
  mkdirSync(home);
  const url = makeRepository(repository, skills, hasMore);
  const install = ['install', url, '--all', '--yes', '--json'];
  if (isUpdate) runCommand(install, home);
  const [clone, own, start] = [[], [], []] as [number[], number[], number[]];
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (isUpdate) changeAll(repository, round);
    const cloned = wallTime('git', ['clone', '--quiet', '--depth', '1', url, copy], home);
    const done = runCommand(isUpdate ? ['update', '--yes', '--json'] : install, home);
    const started = runCommand(['--version'], home);
    // The first round fills caches.
    if (round > 0) {
      clone.push(cloned);
      own.push(done);
      start.push(started);
    }
    rmSync(copy, { recursive: true, force: true });
    if (!isUpdate)
      for (const name of ['plugins', 'config.yaml', 'skills-lock.yaml'])
        rmSync(join(home, '.agent', name), { recursive: true, force: true });
  }
  const [plain, ours] = [median(clone), median(own)];
  return [name, ms(ours), ms(plain), ratio(ours, plain), ms(median(start))];
}

function makeRepository(dir: string, skills: number, hasMore: boolean): string {
  generateSkills(join(dir, 'skills'), skills);
  for (const skill of hasMore ? globSync(join(dir, 'skills/*')) : []) {
    for (const folder of ['scripts', 'references']) mkdirSync(join(skill, folder), { recursive: true });
    const script = join(skill, 'scripts/run.sh');
    writeFileSync(script, `#!/bin/sh\nset -eu\necho "${skill.length}" "$@"\n`);
    chmodSync(script, 0o755);
    writeFileSync(join(skill, 'references/more.md'), '# More\n\nLook at each step before the next one.\n'.repeat(20));
  }
  git(dir, 'init', '--quiet', '--initial-branch=main');
  commitAll(dir);
  return `file://${dir}`;
}

function changeAll(dir: string, round: number): void {
  for (const file of globSync(join(dir, 'skills/*/SKILL.md')))
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nCheck it again: ${round}.\n`);
  commitAll(dir);
}

function commitAll(dir: string): void {
  git(dir, 'add', '--all');
  git(dir, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'x');
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd, stdio: 'pipe' });
}

function runCommand(args: readonly string[], home: string): number {
  return wallTime(process.execPath, [BIN, ...args], home);
}

function wallTime(file: string, args: readonly string[], home: string): number {
  if (process.platform !== 'win32') execFileSync('sync');
  const start = performance.now();
  const env = { HOME: home, PATH: process.env['PATH'] };
  const child = spawnSync(file, args, { cwd: home, env, encoding: 'utf8', maxBuffer: 1e9 });
  const time = performance.now() - start;
  if (child.status !== 0) throw new Error(`${args.join(' ')}: ${child.stdout}${child.stderr}`);
  return time;
}
