import { linkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nextLine, startModule } from '../../test/support/child.ts';
import { makeFifo } from '../../test/support/fifo.ts';
import { foundSkill } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { link, makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import { listResources, readResource } from './resources.ts';

const TEXT = skillText({ name: 'pdf', description: 'Fill forms.' });

/** The skill `pdf` with these files; what else the tree holds lies beside it, as `../outside`. */
function pdfSkill(files: Tree = {}): LocatedSkill {
  const inside = Object.entries(files).map(([path, content]) => [`pdf/${path}`, content]);
  const root = makeTree({ 'outside/secret': 'foreign', 'pdf/SKILL.md': TEXT, ...Object.fromEntries(inside) });
  const realDir = join(root, 'pdf');
  return { skill: foundSkill(realDir).skill, realDir };
}

function pathsOf(located: LocatedSkill): readonly string[] {
  return listResources(located).resources.map(({ path }) => path);
}

describe('the list of resources', () => {
  test('has every nested file except SKILL.md, with URL, size and kind, sorted by path', () => {
    const located = pdfSkill({
      'scripts/fill.sh': '#!/bin/sh\n',
      'scripts/lib/deep/util.py': '',
      'references/tables.md': 'text',
      'docs/more.md': 'more',
      'assets/logo.png': Buffer.alloc(7),
      'toolsets/index.ts': 'x',
      'forms.md': 'forms',
      scripts2: '',
      'sub/SKILL.md': '',
      '.hidden/a b': '',
    });
    const url = 'skill://pdf/';
    expect(listResources(located)).toEqual({
      resources: [
        { path: '.hidden/a b', url: `${url}.hidden/a%20b`, size: 0, kind: 'other' },
        { path: 'assets/logo.png', url: `${url}assets/logo.png`, size: 7, kind: 'asset' },
        { path: 'docs/more.md', url: `${url}docs/more.md`, size: 4, kind: 'reference' },
        { path: 'forms.md', url: `${url}forms.md`, size: 5, kind: 'other' },
        { path: 'references/tables.md', url: `${url}references/tables.md`, size: 4, kind: 'reference' },
        { path: 'scripts/fill.sh', url: `${url}scripts/fill.sh`, size: 10, kind: 'script' },
        { path: 'scripts/lib/deep/util.py', url: `${url}scripts/lib/deep/util.py`, size: 0, kind: 'script' },
        { path: 'scripts2', url: `${url}scripts2`, size: 0, kind: 'other' },
        { path: 'sub/SKILL.md', url: `${url}sub/SKILL.md`, size: 0, kind: 'other' },
        { path: 'toolsets/index.ts', url: `${url}toolsets/index.ts`, size: 1, kind: 'other' },
      ],
      leftOut: [],
    });
  });

  test('takes the kind from a top-level folder such as scripts/, not from a file of that name', () => {
    expect(listResources(pdfSkill({ scripts: 'x' })).resources).toMatchObject([{ path: 'scripts', kind: 'other' }]);
    expect(listResources(pdfSkill({ 'other/scripts/a': '' })).resources).toMatchObject([{ kind: 'other' }]);
    expect(listResources(pdfSkill({ 'constructor/a': '' })).resources).toMatchObject([{ kind: 'other' }]);
  });

  test('leaves out links, pipes and folders such as .git and node_modules, and says so', () => {
    const located = pdfSkill({
      'a.md': '',
      'linked.md': link('a.md'),
      secret: link('../outside/secret'),
      '.git/config': '',
      'node_modules/x/index.js': '',
      'scripts/__pycache__/a.pyc': '',
    });
    makeFifo(join(located.realDir, 'pipe'));
    expect(listResources(located)).toMatchObject({
      resources: [{ path: 'a.md' }],
      leftOut: [
        { path: '.git', reason: 'is left out' },
        { path: 'linked.md', reason: 'is a link' },
        { path: 'node_modules', reason: 'is left out' },
        { path: 'pipe', reason: 'is not a regular file' },
        { path: 'secret', reason: 'is a link' },
        { path: 'scripts/__pycache__', reason: 'is left out' },
      ],
    });
  });

  test('leaves out the skill’s own file even if it is spelled skill.md', () => {
    const root = makeTree({ 'pdf/skill.md': TEXT, 'pdf/a': '' });
    const { skill } = foundSkill(join(root, 'pdf'));
    const located = { skill: { ...skill, file: join(root, 'pdf/skill.md') }, realDir: join(root, 'pdf') };
    expect(pathsOf(located)).toEqual(['a']);
  });
});

describe('a resource', () => {
  test('is read as text, or in base64 with its media type', () => {
    const located = pdfSkill({ 'references/a.md': '# A', 'scripts/a.sh': 'ls', 'assets/a.png': Buffer.from([0, 255]) });
    expect(readResource(located, 'references/a.md')).toEqual({
      ok: true,
      url: 'skill://pdf/references/a.md',
      contentType: 'text/markdown',
      size: 3,
      text: '# A',
    });
    expect(readResource(located, 'scripts/a.sh')).toMatchObject({ contentType: 'text/plain', text: 'ls' });
    expect(readResource(located, 'assets/a.png')).toEqual({
      ok: true,
      url: 'skill://pdf/assets/a.png',
      contentType: 'image/png',
      size: 2,
      base64: 'AP8=',
    });
    expect(readResource(located, 'SKILL.md')).toMatchObject({ contentType: 'text/markdown', text: TEXT });
  });

  test('is read through links that stay inside the skill, and through hard links', () => {
    const located = pdfSkill({ 'real/a': 'own', linked: link('real/a'), folder: link('real') });
    linkSync(join(located.realDir, '../outside/secret'), join(located.realDir, 'hard'));
    for (const path of ['linked', 'folder/a', 'hard']) expect(readResource(located, path)).toMatchObject({ ok: true });
  });

  test.each([
    ['out', 'it is a link that leaves the skill'],
    ['folder-out/secret', 'its real path is outside the skill'],
    ['chain', 'it is a link that leaves the skill'],
    ['environ', 'it is a link that leaves the skill'],
    ['proc/environ', 'its real path is outside the skill'],
    ['proc/root/etc/passwd', 'its real path is outside the skill'],
    ['dev/zero', 'it is not a regular file'],
    ['zero', 'it is a link that leaves the skill'],
    ['pipe', 'it is not a regular file'],
    ['folder', 'it is not a regular file'],
    ['huge', 'it is larger than 10485760 bytes'],
    ['sparse', 'it is larger than 10485760 bytes'],
    ['../outside/secret', 'the path leaves the skill with ".."'],
    ['/etc/passwd', 'the path is absolute; it must be relative to the skill'],
    ['folder\\a', 'the path contains a backslash; use /'],
    ['folder/', 'the path has an empty segment or "."'],
    ['', 'the path is empty'],
  ])('is refused as %j: %s', (path, reason) => {
    const located = pdfSkill({
      'folder/a': '',
      out: link('../outside/secret'),
      'folder-out': link('../outside'),
      chain: link('out'),
      environ: link('/proc/self/environ'),
      proc: link('/proc/self'),
      dev: link('/dev'),
      zero: link('/dev/zero'),
      huge: '',
      sparse: '',
    });
    makeFifo(join(located.realDir, 'pipe'));
    truncateSync(join(located.realDir, 'huge'), 10 * 1024 * 1024 + 1);
    truncateSync(join(located.realDir, 'sparse'), 2 ** 40);
    const read = readResource(located, path);
    expect(read).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(read).toMatchObject({ message: expect.stringMatching(/^skill:\/\/pdf\b/) });
    expect(read).toMatchObject({ message: expect.stringContaining(`: ${reason}`) });
  });

  test('of exactly 10 MiB is read', () => {
    const located = pdfSkill({ large: '' });
    truncateSync(join(located.realDir, 'large'), 10 * 1024 * 1024);
    expect(readResource(located, 'large')).toMatchObject({ ok: true, size: 10 * 1024 * 1024 });
  });
});

describe('a missing resource', () => {
  test('is reported as not found, with the files that exist', () => {
    const located = pdfSkill({ 'references/tables.md': '', 'scripts/fill.sh': '' });
    expect(readResource(located, 'tables.md')).toEqual({
      ok: false,
      code: 'RESOURCE_NOT_FOUND',
      message: 'File not found: skill://pdf/tables.md; there are references/tables.md, scripts/fill.sh',
    });
    expect(readResource(pdfSkill(), 'a b')).toMatchObject({
      message: 'File not found: skill://pdf/a%20b; the skill has only its SKILL.md',
    });
    expect(readResource(located, 'scripts/fill.sh/x')).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect(readResource(located, 'Scripts/fill.sh')).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  test('is reported with the ten most similar paths if the skill has many files', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`assets/icon-${10 + at}.png`, '']));
    const located = pdfSkill({ ...many, 'references/tables.md': '', 'references/forms.md': '' });
    for (const path of ['reference/Tables.md', 'references/unknown.txt', 'unknown/forms.md']) {
      expect(readResource(located, path)).toMatchObject({
        message: expect.stringMatching(/references\/forms\.md.* and 22 others$/),
      });
    }
    const ten = pdfSkill(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, ''])));
    expect(readResource(ten, 'x')).toMatchObject({ message: expect.stringMatching(/f8, f9$/) });
  });

  test('whose path is too long for the file system is a failure, not a thrown error', () => {
    expect(readResource(pdfSkill(), 'x'.repeat(5_000))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readResource(pdfSkill(), 'x/'.repeat(5_000) + 'x')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });
});

test('reading any path of a skill is refused, finds nothing, or returns a file of that skill', () => {
  const located = pdfSkill({
    'a/b/c': 'own',
    'a/c': 'own',
    c: 'own',
    up: link('..'),
    out: link('../outside'),
    here: link('.'),
    'a/back': link('../a'),
    // A folder that every user can list whole, as `/` is not.
    root: link('/etc'),
    file: link('../outside/secret'),
    proc: link('/proc/self/cwd'),
  });
  const names = fc.constantFrom('a', 'b', 'c', 'here', 'back', 'up', 'out', 'root', 'file', 'proc', 'pdf', 'outside');
  const others = fc.constantFrom('secret', 'SKILL.md', 'etc', 'passwd', 'package.json', '..', '.', '', '\\', '\0');
  const segment = fc.oneof({ weight: 4, arbitrary: names }, { weight: 1, arbitrary: others });
  const path = fc.array(segment, { maxLength: 7 }).map((segments) => segments.join('/'));
  const counts = new Map<string, number>();
  const holds = fc.property(path, (given) => {
    const read = readResource(located, given);
    const result = read.ok ? String(read.text) : read.code;
    counts.set(result, (counts.get(result) ?? 0) + 1);
  });
  fc.assert(holds, { seed: 20261115, numRuns: propertyRuns(3_000) });
  expect([...counts.keys()].sort()).toEqual([TEXT, 'PATH_REFUSED', 'RESOURCE_NOT_FOUND', 'own']);
  for (const count of counts.values()) expect(count).toBeGreaterThan(propertyRuns(3, 0));
});

test('every listed resource can be read by its path and has the listed size', () => {
  const name = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 8 });
  const holds = fc.property(fc.uniqueArray(name, { maxLength: 5 }), (names) => {
    const files = names.filter((file) => !/[\0/]|^\.{1,2}$/.test(file) && file.toLowerCase() !== 'skill.md');
    const located = pdfSkill(Object.fromEntries(files.map((file) => [`sub/${file}`, file])));
    const { resources, leftOut } = listResources(located);
    expect([...resources, ...leftOut].map(({ path }) => path).sort()).toEqual(
      files.map((file) => `sub/${file}`).sort(),
    );
    for (const { path, size } of resources) expect(readResource(located, path)).toMatchObject({ ok: true, size });
  });
  fc.assert(holds, { seed: 20261115, numRuns: propertyRuns(100) });
});

test('reading a resource never returns a byte from outside while another process swaps a folder with a link', async () => {
  const located = pdfSkill({ 'sub/secret': 'own' });
  const swapper = startModule(SWAP, [join(located.realDir, '..')]);
  expect(await nextLine(swapper)).toBe('swapping');
  const seen = new Set<string>();
  for (let round = 0; round < 10_000; round += 1) {
    const read = readResource(located, 'sub/secret');
    seen.add(read.ok ? String(read.text) : read.code);
  }
  expect(swapper.exitCode).toBeNull();
  expect(seen).toContain('own');
  expect(seen).not.toContain('foreign');
});

/** In turn `pdf/sub` is a folder of the skill and a link to what lies outside. */
const SWAP = `
  import { renameSync, symlinkSync } from 'node:fs';
  process.chdir(process.argv[1]);
  symlinkSync('../outside', 'link');
  const swap = () => {
    renameSync('pdf/sub', 'aside');
    renameSync('link', 'pdf/sub');
    renameSync('pdf/sub', 'link');
    renameSync('aside', 'pdf/sub');
  };
  swap();
  console.log('swapping');
  for (let round = 0; round < 3_000_000; round += 1) swap();`;
