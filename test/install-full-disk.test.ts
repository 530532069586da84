import { spawnSync } from 'node:child_process';

import { beforeEach, describe, expect, test } from 'vitest';

import { makeTree, skillText } from './support/tree.ts';

const LIBRARY = new URL('../dist/install.js', import.meta.url).href;

/** Runs as root of its own namespace, where a small disk can be mounted. */
const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount'] as const;
const canMount =
  spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).status === 0;

/**
 * Repeats one operation on a disk with ever more room until it succeeds. After each attempt it says what is installed
 * and which files exist.
 */
const FILLING = `
import { execFileSync } from 'node:child_process';
import { openSync, closeSync, writeSync, ftruncateSync, fstatSync, readdirSync, rmSync } from 'node:fs';
const { SkillInstaller } = await import(${JSON.stringify(LIBRARY)});
const [home, source, newer, action] = process.argv.slice(1);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', home]);
const installer = new SkillInstaller({ cwd: home, home, env: { HOME: home } });
const expectOk = (outcome) => { if (!outcome.ok) throw new Error(outcome.message); };
if (action !== 'install') expectOk(await installer.install({ url: source }));
execFileSync('cp', ['-r', newer + '/.', source]);
const actions = {
  install: () => installer.install({ url: source }),
  update: () => installer.update([], async ({ updates }) => updates),
  remove: () => installer.remove('a'),
};
const fillBut = (room) => {
  const fd = openSync(home + '/ballast', 'w');
  try { for (;;) writeSync(fd, Buffer.alloc(4096, 1)); } catch { /* full */ }
  ftruncateSync(fd, fstatSync(fd).size - room);
  closeSync(fd);
};
const attempts = [];
for (let room = 0; room <= 400 * 1024 && !attempts.at(-1)?.isDone; room += 4096) {
  fillBut(room);
  const done = await actions[action]();
  const message = done.ok ? done.failed?.[0]?.message : done.message;
  const isDone = done.ok && done.failed?.length !== 1;
  rmSync(home + '/ballast');
  const verified = await installer.verify();
  const files = readdirSync(home, { recursive: true }).filter((path) => !/^\\.agent(?:\\/cache.*|\\/pending)?$/.test(path));
  attempts.push({ isDone, message, plugins: verified.plugins?.map(({ name, state }) => name + ' ' + state), files: files.sort() });
}
console.log(JSON.stringify(attempts));
`;

interface Attempt {
  readonly isDone: boolean;
  readonly message?: string;
  readonly plugins: readonly string[];
  readonly files: readonly string[];
}

function fill(action: string): readonly Attempt[] {
  const big = 'x'.repeat(40_000);
  const text = (body: string): string => skillText({ name: 'a', description: 'Does a.' }, body);
  const root = makeTree({
    'home/': '',
    'source/SKILL.md': text('One.\n'),
    'newer/SKILL.md': text('Two.\n'),
    'newer/docs/a.md': big,
    'newer/docs/b.md': big,
  });
  const args = ['home', 'source', 'newer'].map((name) => `${root}/${name}`);
  const node = [process.execPath, '--input-type=module', '--eval', FILLING, '--', ...args, action];
  const { stdout, stderr } = spawnSync(UNSHARE[0], [...UNSHARE.slice(1), ...node], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as readonly Attempt[];
}

/** Skipped if no disk can be mounted. */
describe('changing skills on a full disk:', () => {
  beforeEach(({ skip }) => skip(!canMount, 'no disk can be mounted here'));
  test.each(['install', 'update', 'remove'])('%s completes or leaves everything unchanged', (action) => {
    const attempts = fill(action);
    const [first, last] = [attempts[0], attempts.at(-1)];
    expect(first).toMatchObject({
      isDone: false,
      message: expect.stringMatching(/no space|full|could not be/i) as string,
    });
    expect(last?.isDone).toBe(true);
    expect(last?.plugins).toEqual(action === 'remove' ? [] : ['a unchanged']);
    for (const attempt of attempts.slice(0, -1)) {
      expect(attempt.plugins).toEqual(action === 'install' ? [] : ['a unchanged']);
      expect(attempt.files).toEqual(first?.files);
    }
  });
});
