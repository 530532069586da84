import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { SkillInstaller } from '../src/install/installer.ts';
import { runModule } from './support/child.ts';
import { crashAt, recordCrashes, type ChangingModule } from './support/crash-points.ts';
import { findLeftovers, readInstalled } from './support/installed.ts';
import { ORIGIN_MAKERS, type OfferedFile } from './support/origin-worlds.ts';
import { makeTree, skillText, writeTree } from './support/tree.ts';

const LIBRARY = new URL('../dist/install.js', import.meta.url).href;

const skill = (name: string, body: string): string => skillText({ name, description: `Does ${name}.` }, body);

/** Does one action and fails if that fails. */
const ACTING = `
const [home, source, action, env] = process.argv.slice(1);
const { SkillInstaller } = await import(${JSON.stringify(LIBRARY)});
const installer = new SkillInstaller({ cwd: home, home, env: { ...JSON.parse(env), HOME: home } });
const done = await {
  install: () => installer.install({ url: source, all: true }),
  update: () => installer.update([], async ({ updates }) => updates),
  rollback: () => installer.rollback('a'),
  remove: () => installer.remove('a'),
}[action]();
if (!done.ok) throw new Error(done.message);
`;

/** The installed skills with their digests. */
const describeInstalled = (home: string): string =>
  Object.entries(readInstalled(home))
    .map(([name, { digest }]) => `${name} ${digest}`)
    .join('\n');

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

const ACTIONS = ['install', 'update', 'rollback', 'remove'];

test.each(ACTIONS)('%s, stopped at any of its steps, leaves the old state or the new one', async (action) => {
  const stage = await prepare(action);
  const { states, seen, middle } = await recoverAll(stage, action);
  expect(seen).toEqual(new Set(states));
  const killed = join(stage.root, 'killed');
  cpSync(stage.before, killed, { recursive: true });
  expect(await crashAt(toModule(killed, stage, action), middle)).toBe(true);
  expect(states).toContain(await recover(killed));
});

const FETCHED = ['a .skill file', 'an index of archives', 'an npm package'].flatMap((kind) =>
  ['install', 'update', 'rollback'].map((action) => [action, kind] as const),
);

test.each(FETCHED)(
  '%s from %s, stopped at any of its steps, leaves the old state or the new one',
  async (action, kind) => {
    const { states, seen } = await recoverAll(await prepareFetched(action, kind), action);
    expect(seen).toEqual(new Set(states));
  },
);

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

interface Recovered {
  /** Before the action and after it. */
  readonly states: readonly [string, string];
  /** After a crash and one more command. */
  readonly seen: ReadonlySet<string>;
  /** The number of a call in the middle of the action. */
  readonly middle: number;
}

/** Recovers from every state in which a crash could leave the home. */
async function recoverAll(stage: Stage, action: string): Promise<Recovered> {
  const home = join(stage.root, 'home');
  cpSync(stage.before, home, { recursive: true });
  const crashes = await recordCrashes(toModule(home, stage, action));
  const states = [describeInstalled(stage.before), describeInstalled(home)] as const;
  expect(Object.keys(readInstalled(stage.before))).toHaveLength(action === 'install' ? 0 : 2);
  expect(states[1]).not.toBe(states[0]);
  const seen = new Set<string>();
  for (const { at, restore } of crashes) {
    restore();
    const found = await recover(home).catch((error: unknown) => {
      throw new Error(`after a crash before call ${at}: ${String(error)}`, { cause: error });
    });
    seen.add(found);
  }
  return { states, seen, middle: crashes[Math.floor(crashes.length / 2)]?.at ?? 0 };
}

const toModule = (home: string, { source, env = {} }: Stage, action: string): ChangingModule => ({
  code: ACTING,
  args: [home, source, action, JSON.stringify(env)],
  home,
});

/** Runs one more command, after which nothing half-done may be left, and returns what is installed. */
async function recover(home: string): Promise<string> {
  const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
  expect(await installer.verify()).toMatchObject({ ok: true });
  const found = describeInstalled(home);
  expect(await installer.rollback('none')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  expect(describeInstalled(home)).toBe(found);
  // A dead process holds no lock; the next process to take the lock removes its file.
  expect(findLeftovers(home).filter((path) => !path.endsWith('.lock') && !path.startsWith('.npm/'))).toEqual([]);
  return found;
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
