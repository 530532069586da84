import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { readLines } from '../bench/real-skills.ts';
import { makeRepository, writeBlob, type TestRepository } from './support/git-repositories.ts';
import { makeTree, writeTree } from './support/tree.ts';

interface Host {
  /** Adds a repository such as `team/skills`. */
  readonly add: (name: string, files: Readonly<Record<string, string>>) => TestRepository;
  /** Fetches what these lists name. */
  readonly fetch: (lists: Readonly<Record<string, readonly string[]>>) => Fetched;
}

interface Fetched {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly problems: string;
  readonly into: string;
}

/** Repositories below one address, as a hosting site has them. */
function makeHost(): Host {
  const root = makeTree({ 'host/': '', 'home/': '' });
  const into = join(root, 'cache');
  return {
    add: (name, files) => makeRepository(files, join(root, 'host', name)),
    fetch: (lists) => {
      const texts = Object.entries(lists).map(([name, lines]) => [`lists/${name}.txt`, `${lines.join('\n')}\n`]);
      writeTree(root, Object.fromEntries(texts));
      const options = { from: pathToFileURL(join(root, 'host')).href, lists: join(root, 'lists'), into };
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
      const env = { PATH: process.env['PATH'], HOME: join(root, 'home') };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/fetch-corpus.ts', ...args], {
        env,
        encoding: 'utf8',
      });
      return { code: status, lines: stdout.trim().split('\n'), problems: stderr, into };
    },
  };
}

const GONE = '0123456789'.repeat(4);

test('fetching the corpus finds listed files as they were, even if a repository has changed since, and says how many', () => {
  const { add, fetch } = makeHost();
  const skills = add('team/skills', {
    'pdf/SKILL.md': 'Old.\r\n',
    'a b/SKILL.md': '\uFEFFMail.',
    'x/SKILL.md': 'Not listed.',
  });
  const [pdf, mail] = [writeBlob(skills, 'Old.\r\n'), writeBlob(skills, '\uFEFFMail.')];
  skills.commit({ 'pdf/SKILL.md': 'New.' });
  const more = add('other/more', { 'skills/lint/SKILL.md': 'Lint.' });
  const lint = writeBlob(more, 'Lint.');
  const fetched = fetch({
    vendor: ['team/skills', `${mail} a b/SKILL.md`, `${pdf} pdf/SKILL.md`],
    wild: ['other/more', `${lint} skills/lint/SKILL.md`, `${GONE} skills/gone/SKILL.md`],
  });
  expect(fetched).toMatchObject({ code: 0, problems: '' });
  expect(fetched.lines).toEqual([
    'team/skills: 2 of 2 files',
    'other/more: 1 of 2 files',
    'vendor: 2 of 2 files',
    'wild: 1 of 2 files',
    'Some files are no longer public, so figures can differ a little from ours.',
  ]);
  expect(readLines(join(fetched.into, 'vendor.jsonl.gz'))).toEqual([
    { path: 'team+skills/a b/SKILL.md', text: '\uFEFFMail.' },
    { path: 'team+skills/pdf/SKILL.md', text: 'Old.\r\n' },
  ]);
  expect(readLines(join(fetched.into, 'wild.jsonl.gz'))).toEqual([
    { path: 'other+more/skills/lint/SKILL.md', text: 'Lint.' },
  ]);
});

test('fetching the corpus again uses what it has, and a repository that is gone is named', () => {
  const { add, fetch } = makeHost();
  const skills = add('team/skills', { 'pdf/SKILL.md': 'Pdf.' });
  const pdf = writeBlob(skills, 'Pdf.');
  const list = { vendor: ['team/skills', `${pdf} pdf/SKILL.md`] };
  expect(fetch(list).code).toBe(0);
  skills.git(['update-ref', '-d', 'HEAD']);
  skills.git(['prune']);
  expect(fetch(list)).toMatchObject({ code: 0, lines: ['team/skills: 1 of 1 files', 'vendor: 1 of 1 files'] });
  const gone = fetch({ vendor: [...list.vendor, 'team/gone', `${GONE} SKILL.md`] });
  expect(gone).toMatchObject({ code: 0, problems: expect.stringMatching(/^team\/gone: .*does not/) });
  expect(gone.lines).toContain('vendor: 1 of 2 files');
});

test('fetching the corpus without finding anything fails and writes no corpus', () => {
  const fetched = makeHost().fetch({ vendor: ['team/gone', `${GONE} SKILL.md`] });
  expect(fetched).toMatchObject({ code: 1, lines: ['team/gone: 0 of 1 files', 'vendor: 0 of 1 files'] });
  expect(existsSync(join(fetched.into, 'vendor.jsonl.gz'))).toBe(false);
});

test('a bench without its skills or its requests says what is missing and how to get it', () => {
  const root = makeTree();
  const env = { PATH: process.env['PATH'], HOME: root, SKILLPLANE_CORPUS: root, SKILLPLANE_REQUESTS: root };
  const skip = (needed: string): string => {
    const code = `import { explainSkip } from './bench/real-skills.ts'; console.log(explainSkip('x', ${needed}))`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' }).stdout;
  };
  expect(skip('[]')).toContain('`npm run bench:corpus` fetches them');
  writeTree(root, { 'vendor.jsonl.gz': '' });
  expect(skip("['gone.gz']")).toContain('there is no gone.gz. The requests are not part of this repository.');
  expect(skip('[]')).toBe('undefined\n');
});

test('the lists of the bench corpus name 7,118 files of public repositories, each with a digest and a path', () => {
  const lists = ['vendor', 'wild'].map((name) => readList(`bench/lists/${name}.txt`));
  expect(lists.map((list) => list.filter(({ isFile }) => isFile).length)).toEqual([4_138, 2_980]);
  const others = lists.flat().filter(({ isFile }) => !isFile);
  expect(others.filter(({ line }) => !/^[\w.-]+\/[\w.-]+$/.test(line))).toEqual([]);
});

function readList(path: string) {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => ({ line, isFile: /^[0-9a-f]{40} .*\/?skill\.md$/i.test(line) }));
}
