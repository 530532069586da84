import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { skillplane, SKILLPLANE } from '../support/command-line.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const SKILLS: Tree = {
  'origin/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms in PDF files.' }),
  'origin/pdf/scripts/fill.sh': '#!/bin/sh\necho filled\n',
};

async function run(home: string, args: string, cwd = join(home, 'project')): Promise<void> {
  const { code, stderr } = await skillplane(args.split(' '), { home, cwd });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
}

/** The permissions of everything in a folder that others than its owner have, by path. */
function listOpen(root: string, isCounted: (path: string) => boolean = () => true): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isCounted);
  return ['', ...paths]
    .map((path) => ({ path, stats: lstatSync(join(root, path)) }))
    .filter(({ stats }) => !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0)
    .map(({ path, stats }) => `${path} ${(stats.mode & 0o777).toString(8)}`)
    .sort();
}

/** The files of a skill may be read by everyone, as their author wrote them. */
const isOurs = (path: string): boolean => !/^(?:skills|plugins)\/(?!\.skillplane(?:\/|$))[^/]+/.test(path);

beforeAll(() => {
  const mask = process.umask(0o022);
  return () => void process.umask(mask);
});

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

describe('a new agent home', () => {
  test.each([
    ['by listing skills', ['show']],
    ['by searching', ['search forms']],
    ['by changing a setting', ['config set usage false']],
    ['by creating a skill', ['new notes']],
    [
      'by installing, trusting and updating',
      ['install ../origin --yes', 'trust pdf --yes', 'update', 'remove pdf --yes'],
    ],
    ['by recording use', ['load skill-author', 'usage']],
    ['by disabling a skill', ['disable gh']],
    ['by syncing with agents', ['install ../origin --yes', 'sync claude-code', 'sync --undo']],
    ['by connecting an agent', ['hosts connect claude-code']],
  ])('can be read by its user alone if it was written %s', async (_what, commands) => {
    const home = makeTree({ ...SKILLS, 'project/.git/': '', '.claude/': '' });
    for (const command of commands) {
      await run(home, command);
      expect(listOpen(join(home, '.agent'), isOurs)).toEqual([]);
    }
  });
});

describe('the program itself, which keeps its compiled code,', () => {
  /** Starts the program under a umask that closes nothing, as a terminal would. */
  function start(cwd: string, env: Readonly<Record<string, string>>): number | null {
    const [node = '', ...words] = SKILLPLANE;
    const script = 'umask 000; exec "$@"';
    const PATH = process.env['PATH'] ?? '';
    return spawnSync('sh', ['-c', script, 'sh', node, ...words, 'show'], { cwd, env: { PATH, ...env } }).status;
  }

  test('opens nothing of a new agent home to others', () => {
    const home = makeTree({ 'project/.git/': '' });
    expect(start(join(home, 'project'), { HOME: home })).toBe(0);
    expect(existsSync(join(home, '.agent/cache/compiled'))).toBe(true);
    const open = listOpen(join(home, '.agent'), (path) => !path.startsWith('cache/compiled/'));
    expect(open).toEqual([]);
  });

  test('closes the folder of compiled code that an earlier version opened', () => {
    const home = makeTree({ 'project/.git/': '', '.agent/cache/compiled/': '' });
    chmodSync(join(home, '.agent/cache/compiled'), 0o777);
    expect(start(join(home, 'project'), { HOME: home })).toBe(0);
    expect(modeOf(join(home, '.agent/cache/compiled'))).toBe('700');
  });

  test.each([{ HOME: '' }, { HOME: '.' }, { HOME: '', AGENT_HOME: '.agent' }])(
    'takes no compiled code from a project: %j',
    (env) => {
      const home = makeTree({ 'project/.git/': '', 'project/.agent/cache/': '' });
      start(join(home, 'project'), env);
      expect(existsSync(join(home, 'project/.agent/cache/compiled'))).toBe(false);
    },
  );
});

test('an agent home that others can enter stays as it is, except for the folders that hold only our state', async () => {
  const home = makeTree({
    ...SKILLS,
    'project/.git/': '',
    '.agent/cache/': '',
    '.agent/config.yaml': '# mine\n',
    '.agent/skills/own/SKILL.md': skillText({ name: 'own', description: 'Mine.' }),
  });
  for (const path of ['.agent', '.agent/cache', '.agent/skills', '.agent/skills/own'])
    chmodSync(join(home, path), 0o755);
  for (const path of ['config.yaml', 'skills/own/SKILL.md']) chmodSync(join(home, '.agent', path), 0o644);
  for (const command of ['show', 'search forms', 'disable own', 'install ../origin --yes']) await run(home, command);
  expect(listOpen(join(home, '.agent'), isOurs)).toEqual([' 755', 'config.yaml 644', 'skills 755']);
  expect(modeOf(join(home, '.agent/cache'))).toBe('700');
  expect(['', 'own', 'own/SKILL.md'].map((path) => modeOf(join(home, '.agent/skills', path)))).toEqual([
    '755',
    '755',
    '644',
  ]);
});

test('files in a project have the usual modes', async () => {
  const home = makeTree({ ...SKILLS, 'project/.git/': '' });
  await run(home, 'install ../origin --project --yes');
  await run(home, 'disable pdf --project');
  const modesOf = (...paths: readonly string[]): readonly string[] =>
    paths.map((path) => modeOf(join(home, 'project', path)));
  expect(modesOf('.agent', '.agent/config.yaml', '.agent/skills-lock.yaml')).toEqual(['755', '644', '644']);
  expect(modesOf('.agents/skills', '.agents/skills/pdf', '.agents/skills/pdf/SKILL.md')).toEqual(['755', '755', '644']);
});

test('a copy that other agents get of a skill that others cannot read is closed to them', async () => {
  const tree = Object.fromEntries(
    ['open', 'closed', 'inside'].map((name) => [
      `.agent/skills/${name}/SKILL.md`,
      skillText({ name, description: 'Mine.' }),
    ]),
  );
  const home = makeTree({ ...tree, 'project/.git/': '', '.claude/': '' });
  chmodSync(join(home, '.agent/skills/closed'), 0o700);
  chmodSync(join(home, '.agent/skills/inside/SKILL.md'), 0o600);
  await run(home, 'sync claude-code --copy');
  const copies = ['open', 'closed', 'inside'].map((name) => modeOf(join(home, '.claude/skills', name)));
  expect(copies).toEqual(['755', '700', '700']);
});
