import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import {
  commitRaw,
  gitEnvironment,
  makeRepository,
  writeBlob,
  type TestRepository,
} from '../../../test/support/git-repositories.ts';
import { link, makeTree, skillText } from '../../../test/support/tree.ts';
import type { Outcome } from '../../model/outcome.ts';
import { digestFolder } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { writeFiles } from '../../platform/files/write-folder.ts';
import { openRepository } from '../../platform/repository/open-repository.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { findSkills } from '../origins/find-skills.ts';
import { readTree, type TreeContent } from './read-tree.ts';

async function open(source: TestRepository): Promise<Repository> {
  const root = makeTree({ 'home/': '' });
  const options = { environment: gitEnvironment(join(root, 'home')), into: join(root, 'into') };
  const fetched = await openRepository({ kind: 'file', url: source.url }, options);
  if (!fetched.ok) throw new Error(fetched.message);
  onTestFinished(() => fetched.repository.close());
  return fetched.repository;
}

async function readAndStage(
  repository: Repository,
  { path, into }: { readonly path: string; readonly into: string },
): Promise<Outcome<TreeContent>> {
  const read = await readTree(repository, path);
  const written = read.ok ? writeFiles(into, read.contents) : read;
  return written.ok ? read : written;
}

async function refusal(source: TestRepository, path = ''): Promise<string> {
  const parent = makeTree();
  const staged = await readAndStage(await open(source), { path, into: join(parent, 'staged') });
  expect(readdirSync(parent)).toEqual([]);
  return staged.ok ? '' : staged.message;
}

const SKILL = skillText({ name: 'pdf', description: 'Fill forms.' });

test('a skill from a git repository is written byte for byte and has the digest of its checkout', async () => {
  const binary = Buffer.from([0, 255, 10, 13, 10, 254, 0]);
  const source = makeRepository({
    'skills/pdf/SKILL.md': SKILL,
    'skills/pdf/scripts/run.sh': '#!/bin/sh\n',
    'skills/pdf/assets/x.bin': binary,
    'skills/pdf/empty': '',
    '.gitattributes': '* text=auto eol=crlf ident export-subst\n',
    'other/x': 'x',
  });
  const repository = await open(source);
  const listed = await repository.listTree();
  const found = await findSkills({
    entries: listed.ok ? listed.entries : [],
    read: (id, maxBytes) => repository.readBlob(id, maxBytes),
    name: 'repo',
  });
  expect(found.skills).toMatchObject([{ name: 'pdf', path: 'skills/pdf' }]);
  const into = join(makeTree(), 'a/staged');
  const staged = await readAndStage(repository, { path: 'skills/pdf', into });
  const expected = digestFolder(openSkillFolder(join(source.dir, 'skills/pdf')));
  expect(staged).toMatchObject({ ok: true, digest: expected.ok ? expected.digest : '', leftOut: [] });
  expect(readFileSync(join(into, 'assets/x.bin'))).toEqual(binary);
  expect(readFileSync(join(into, 'SKILL.md'), 'utf8')).toBe(SKILL);
  expect(statSync(join(into, 'scripts/run.sh')).mode & 0o777).toBe(0o755);
  expect(statSync(join(into, 'SKILL.md')).mode & 0o777).toBe(0o644);
});

test('links refuse a skill of a repository, and only that one', async () => {
  const source = makeRepository({
    'skills/good/SKILL.md': SKILL,
    'skills/bad/SKILL.md': SKILL,
    'skills/bad/x': link('/etc/passwd'),
    'skills/bad/y': link('SKILL.md'),
  });
  expect(await refusal(source, 'skills/bad')).toMatch(/"x": is a link.*"y": is a link/);
  const staged = await readAndStage(await open(source), { path: 'skills/good', into: join(makeTree(), 'x') });
  expect(staged.ok).toBe(true);
});

test('harmful paths in a repository are refused, and the message contains no control characters', async () => {
  const source = makeRepository({ 'SKILL.md': SKILL });
  const blob = writeBlob(source, 'x');
  const names = ['\u001b[31m', 'a\nb', 'CON', 'Skill.md', 'a\\b', 'x ', Buffer.from([0x61, 0xff])];
  const entries = ['SKILL.md', ...names].map((name) => ['100644', name, blob] as const);
  commitRaw(
    source,
    entries.toSorted((a, b) => Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))),
  );
  const message = await refusal(source);
  expect(message).toContain('not installed');
  expect(message).toContain('and 1 more');
  expect(message).not.toMatch(/[\u001b\n]/);
});

test('submodules of a repository are not installed, and are reported', async () => {
  const source = makeRepository({ 'SKILL.md': SKILL });
  const inner = source.git(['rev-parse', 'HEAD']).trim();
  source.git(['update-index', '--add', '--cacheinfo', `160000,${inner},lib`]);
  source.git(['commit', '--quiet', '--message', 'x']);
  const into = join(makeTree(), 'x');
  expect(await readAndStage(await open(source), { path: '', into })).toMatchObject({
    ok: true,
    leftOut: [{ path: 'lib' }],
  });
  expect(readdirSync(into)).toEqual(['SKILL.md']);
});

test('staging a skill never writes into an existing folder or through a link', async () => {
  const repository = await open(makeRepository({ 'SKILL.md': SKILL }));
  const root = makeTree({ 'there/x': 'x', 'outside/': '' });
  symlinkSync('outside', join(root, 'link'));
  for (const name of ['there', 'link'])
    expect(await readAndStage(repository, { path: '', into: join(root, name) })).toMatchObject({ ok: false });
  expect([readdirSync(join(root, 'there')), readdirSync(join(root, 'outside'))]).toEqual([['x'], []]);
});

test('staging leaves nothing behind if an object of the repository is unreadable or not as listed', async () => {
  const repository = await open(makeRepository({ 'SKILL.md': SKILL, 'z.md': 'z' }));
  const parent = makeTree();
  for (const bytes of [Buffer.from('zz'), undefined]) {
    const broken: Repository = {
      ...repository,
      async readBlob(id, maxBytes) {
        const read = await repository.readBlob(id, maxBytes);
        if (!read.ok || read.bytes.length !== 1) return read;
        return bytes === undefined ? { ok: false, code: 'INSTALL_FAILED', message: 'gone' } : { ok: true, bytes };
      },
    };
    expect(await readAndStage(broken, { path: '', into: join(parent, 'x') })).toMatchObject({ ok: false });
  }
  expect(existsSync(join(parent, 'x'))).toBe(false);
  expect(await readAndStage(repository, { path: 'nowhere', into: join(parent, 'x') })).toMatchObject({
    ok: false,
    code: 'SKILL_NOT_FOUND',
  });
});
