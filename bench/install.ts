import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 9;
const SKILLS = 100;
const BIN = resolve('bin/skillplane.mjs');

/** A repository of many skills, fetched, judged, audited, written, synced and locked, against a plain clone of it. */
export async function measureInstall(): Promise<Section> {
  const row = await withScratch((dir) => {
    const url = makeRepository(join(dir, 'repository'));
    const [clone, install, confirmed] = [[], [], []] as [number[], number[], number[]];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [home, copy] = [join(dir, 'home'), join(dir, 'copy')];
      mkdirSync(home, { recursive: true });
      const cloned = wallTime('git', ['clone', '--quiet', '--depth', '1', url, copy], home);
      const installed = wallTime(process.execPath, [BIN, 'install', url, '--all', '--yes', '--json'], home);
      const started = wallTime(process.execPath, [BIN, 'manage', '--json'], home);
      // The first round fills caches.
      if (round > 0) {
        clone.push(cloned);
        install.push(installed);
        confirmed.push(started);
      }
      for (const path of [
        copy,
        join(home, '.agent/plugins'),
        join(home, '.agent/config.yaml'),
        join(home, '.agent/skills-lock.yaml'),
      ])
        rmSync(path, { recursive: true, force: true });
    }
    const [plain, ours, start] = [median(clone), median(install), median(confirmed)];
    return [String(SKILLS), ms(ours), ms(plain), ratio(ours, plain), ms(start)];
  });
  return {
    title: 'Installing a repository of many skills',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes; each skill is a SKILL.md, a script and a reference. "Start" is the part of the first that starting the command takes. Goal: at most 2× of the clone.`,
    columns: ['skills', '`skillplane install --all`', '`git clone --depth 1`', 'ratio', 'start'],
    rows: [row],
  };
}

function makeRepository(dir: string): string {
  for (let at = 0; at < SKILLS; at += 1) {
    const skill = join(dir, 'skills', `skill-${at}`);
    for (const folder of ['scripts', 'references']) mkdirSync(join(skill, folder), { recursive: true });
    const steps = Array.from({ length: 40 }, (_, line) => `${line + 1}. Do step ${line} of ${at} and look at it.\n`);
    const head = `---\nname: skill-${at}\ndescription: Does thing ${at} well. Use when somebody asks for ${at}.\n---\n`;
    writeFileSync(join(skill, 'SKILL.md'), `${head}\n# Thing ${at}\n\n${steps.join('')}`);
    writeFileSync(join(skill, 'scripts/run.sh'), `#!/bin/sh\nset -eu\necho "${at}" "$@"\n`);
    chmodSync(join(skill, 'scripts/run.sh'), 0o755);
    writeFileSync(join(skill, 'references/more.md'), `# More of ${at}\n\n${steps.toReversed().join('')}`);
  }
  const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: dir, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'x');
  return `file://${dir}`;
}

function wallTime(file: string, args: readonly string[], home: string): number {
  const start = performance.now();
  const child = spawnSync(file, args, { cwd: home, env: { HOME: home, PATH: process.env['PATH'] }, encoding: 'utf8' });
  const time = performance.now() - start;
  if (child.status !== 0) throw new Error(`${args.join(' ')}: ${child.stdout}${child.stderr}`);
  return time;
}
