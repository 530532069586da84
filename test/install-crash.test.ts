import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { SkillInstaller } from '../src/install/installer.ts';
import { runModule, startModule } from './support/child.ts';
import { findLeftovers, readInstalled } from './support/installed.ts';
import { ORIGIN_MAKERS, type OfferedFile } from './support/origin-worlds.ts';
import { makeTree, skillText, writeTree } from './support/tree.ts';

const LIBRARY = new URL('../dist/install.js', import.meta.url).href;

const skill = (name: string, body: string): string => skillText({ name, description: `Does ${name}.` }, body);

/** A process that dies, as by `kill -9`, before its n-th call that changes the disk. It prints the number of calls. */
const DYING = `
import fs from 'node:fs';
import { enableCompileCache, syncBuiltinESMExports } from 'node:module';
const [home, source, action, deathAt, cache, env = '{}'] = process.argv.slice(1);
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
const installer = new SkillInstaller({ cwd: home, home, env: { ...JSON.parse(env), HOME: home } });
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
  /** Variables by which the source is reached. */
  readonly env?: Readonly<Record<string, string>>;
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
    // The first steps write files and are all alike, so a sample is enough; the last ones are the change itself.
    const seen = await dieOften(await prepare(action), action, (at, calls) => at > calls - 28 || at % 6 === 0);
    expect(seen.size).toBe(2);
  });
});

const FETCHED = ['a .skill file', 'an index of archives', 'an npm package'].flatMap((kind) =>
  ['install', 'update', 'rollback'].map((action) => [action, kind] as const),
);

test.each(FETCHED)('%s from %s, killed on the way, leaves the old state or the new one', async (action, kind) => {
  const stage = await prepareFetched(action, kind);
  // The change itself is the same for every kind; each fetches and stages in its own way. Starting npm takes a second.
  const most = kind === 'an npm package' ? 3 : 5;
  const seen = await dieOften(
    stage,
    action,
    (at, calls) => at === 1 || at === calls || at % Math.ceil(calls / most) === 0,
  );
  expect(seen.size).toBe(2);
});

/** The same two versions as a kind of origin offers them. */
async function prepareFetched(action: string, kind: string): Promise<Stage> {
  const maker = ORIGIN_MAKERS[kind];
  if (maker === undefined) throw new Error(`there is no ${kind}`);
  const root = makeTree({ 'before/': '' });
  const before = join(root, 'before');
  const origin = await maker.make(before);
  const env = { ...origin.env, PATH: process.env['PATH'] ?? '' };
  const installer = new SkillInstaller({ cwd: before, home: before, env: { ...env, HOME: before } });
  const offer = (body: string, more: readonly OfferedFile[] = []): void =>
    origin.offer([...['a', 'b'].map((name) => ({ path: `${name}/SKILL.md`, content: skill(name, body) })), ...more]);
  offer('One.\n');
  if (action !== 'install') await installer.install({ url: origin.url, all: true });
  offer('Two.\n', [{ path: 'b/more/x.md', content: 'x' }]);
  if (action === 'rollback') await installer.update([], async ({ updates }) => updates);
  return { root, source: origin.url, before, env };
}

/** Kills the process at each wanted step, in a copy of the home each, and returns the states that were seen afterwards. */
async function dieOften(
  { root, source, before, env = {} }: Stage,
  action: string,
  isWanted: (at: number, calls: number) => boolean,
): Promise<ReadonlySet<string>> {
  const rest = [join(root, 'cache'), JSON.stringify(env)];
  const whole = join(root, 'whole');
  cpSync(before, whole, { recursive: true });
  const { output } = await run([whole, source, action, '0', ...rest]);
  const { ok, calls } = JSON.parse(output) as { readonly ok: boolean; readonly calls: number };
  expect([ok, output]).toEqual([true, output]);
  const [old, after] = [digestsOf(before), digestsOf(whole)];
  expect(Object.keys(old)).toHaveLength(action === 'install' ? 0 : 2);
  expect(after).not.toEqual(old);
  const seen = new Set<string>();
  const dieAt = async (at: number): Promise<void> => {
    const home = join(root, `home-${at}`);
    cpSync(before, home, { recursive: true });
    expect(await run([home, source, action, String(at), ...rest])).toMatchObject({ signal: 'SIGKILL' });
    const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
    const verified = await installer.verify();
    expect([at, verified]).toMatchObject([at, { ok: true }]);
    const found = digestsOf(home);
    expect([at, [old, after]]).toEqual([at, expect.arrayContaining([found]) as unknown]);
    seen.add(JSON.stringify(found));
    expect(await installer.rollback('none')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
    expect(digestsOf(home)).toEqual(found);
    // A dead process holds no lock; the next process to take the lock removes its file.
    const left = findLeftovers(home).filter((path) => !path.endsWith('.lock') && !path.startsWith('.npm/'));
    expect([at, left]).toEqual([at, []]);
  };
  const steps = Array.from({ length: calls }, (_, at) => at + 1).filter((at) => isWanted(at, calls));
  const work = async (): Promise<void> => {
    for (let at = steps.shift(); at !== undefined; at = steps.shift()) await dieAt(at);
  };
  await Promise.all([work(), work()]);
  return seen;
}

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
