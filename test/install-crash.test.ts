import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { SkillInstaller } from '../src/install/installer.ts';
import { runModule, startModule } from './support/child.ts';
import { findLeftovers, readInstalled } from './support/installed.ts';
import { makeTree, skillText, writeTree } from './support/tree.ts';

const LIBRARY = new URL('../dist/install.js', import.meta.url).href;

const skill = (name: string, body: string): string => skillText({ name, description: `Does ${name}.` }, body);

/** A process that dies, as by `kill -9`, before its n-th call that changes the disk. It prints the number of calls. */
const DYING = `
import fs from 'node:fs';
import { enableCompileCache, syncBuiltinESMExports } from 'node:module';
const [home, source, action, deathAt, cache] = process.argv.slice(1);
enableCompileCache(cache);
let calls = 0;
const count = () => { calls += 1; if (calls === Number(deathAt)) process.kill(process.pid, 'SIGKILL'); };
for (const name of ['renameSync', 'writeSync', 'writeFileSync', 'mkdirSync', 'rmSync', 'rmdirSync', 'linkSync']) {
  const original = fs[name];
  fs[name] = (...args) => { count(); return original(...args); };
}
const { openSync } = fs;
fs.openSync = (path, flags, ...rest) => {
  if (typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : flags !== 'r' && flags !== undefined) count();
  return openSync(path, flags, ...rest);
};
syncBuiltinESMExports();
const { SkillInstaller } = await import(${JSON.stringify(LIBRARY)});
const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
const done = await {
  install: () => installer.install({ url: source, all: true }),
  update: () => installer.update([], async ({ updates }) => updates),
  rollback: () => installer.rollback('a'),
  remove: () => installer.remove('a'),
}[action]();
console.log(JSON.stringify({ ok: done.ok, message: done.message, calls }));
`;

interface Ending {
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

async function run(args: readonly string[]): Promise<Ending> {
  const child = startModule(DYING, args);
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [, signal]: unknown[] = await once(child, 'close');
  return { signal: signal as NodeJS.Signals | null, output };
}

const digestsOf = (home: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(readInstalled(home)).map(([name, { digest }]) => [name, digest]));

interface Stage {
  readonly root: string;
  readonly source: string;
  /** A home in the state before the change, to be copied. */
  readonly before: string;
}

async function prepare(action: string): Promise<Stage> {
  const root = makeTree({
    'source/a/SKILL.md': skill('a', 'One.\n'),
    'source/b/SKILL.md': skill('b', 'One.\n'),
    'before/': '',
  });
  const [source, before] = [join(root, 'source'), join(root, 'before')];
  const installer = new SkillInstaller({ cwd: before, home: before, env: { HOME: before } });
  if (action !== 'install') await installer.install({ url: source, all: true });
  writeTree(root, {
    'source/a/SKILL.md': skill('a', 'Two.\n'),
    'source/b/SKILL.md': skill('b', 'Two.\n'),
    'source/b/more/x.md': 'x',
  });
  if (action === 'rollback' || action === 'remove') await installer.update([], async ({ updates }) => updates);
  return { root, source, before };
}

describe.each(['install', 'update', 'rollback', 'remove'])('%s, killed at every step', (action) => {
  test('leaves the old state or the new one, and nothing else after one more command', async () => {
    const { root, source, before } = await prepare(action);
    const whole = join(root, 'whole');
    cpSync(before, whole, { recursive: true });
    const { output } = await run([whole, source, action, '0', join(root, 'cache')]);
    const { ok, calls } = JSON.parse(output) as { readonly ok: boolean; readonly calls: number };
    expect(ok).toBe(true);
    const [old, after] = [digestsOf(before), digestsOf(whole)];
    expect(Object.keys(old)).toHaveLength(action === 'install' ? 0 : 2);
    expect(after).not.toEqual(old);
    const seen = new Set<string>();
    const dieAt = async (at: number): Promise<void> => {
      const home = join(root, `home-${at}`);
      cpSync(before, home, { recursive: true });
      expect(await run([home, source, action, String(at), join(root, 'cache')])).toMatchObject({ signal: 'SIGKILL' });
      const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
      const verified = await installer.verify();
      expect([at, verified]).toMatchObject([at, { ok: true }]);
      const found = digestsOf(home);
      expect([at, [old, after]]).toEqual([at, expect.arrayContaining([found]) as unknown]);
      seen.add(JSON.stringify(found));
      expect(await installer.rollback('none')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
      expect(digestsOf(home)).toEqual(found);
      // A dead process holds no lock; the next process to take the lock removes its file.
      expect([at, findLeftovers(home).filter((path) => !path.endsWith('.lock'))]).toEqual([at, []]);
    };
    // The first steps write files and are all alike, so a sample is enough; the last ones are the change itself.
    const steps = Array.from({ length: calls }, (_, at) => at + 1).filter((at) => at > calls - 28 || at % 6 === 0);
    const work = async (): Promise<void> => {
      for (let at = steps.shift(); at !== undefined; at = steps.shift()) await dieAt(at);
    };
    await Promise.all([work(), work()]);
    expect(seen.size).toBe(2);
  });
});

/** Each of two processes installs many skills one by one and prints its failures. */
const INSTALLING = `
const { SkillInstaller } = await import(${JSON.stringify(LIBRARY)});
const [home, source, count] = process.argv.slice(1);
const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
const failed = [];
for (let at = 0; at < Number(count); at += 1) {
  const done = await installer.install({ url: source + '/' + at });
  if (!done.ok) failed.push(done.message);
}
console.log(JSON.stringify(failed));
`;

test('two processes that install many skills each lose none of them', async () => {
  const COUNT = 30;
  const numbers = Array.from({ length: COUNT }, (_, at) => at);
  const root = makeTree({
    'home/': '',
    ...Object.fromEntries(
      ['x', 'y'].flatMap((who) => numbers.map((at) => [`${who}/${at}/SKILL.md`, skill(`${who}${at}`, 'One.\n')])),
    ),
  });
  const home = join(root, 'home');
  const failed = await Promise.all(
    ['x', 'y'].map((who) => runModule(INSTALLING, [home, join(root, who), String(COUNT)])),
  );
  expect(failed).toEqual([[], []]);
  expect(Object.keys(readInstalled(home))).toHaveLength(2 * COUNT);
  expect(findLeftovers(home)).toEqual([]);
});
