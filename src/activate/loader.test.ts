import { chmodSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../test/support/child.ts';
import { closePath } from '../../test/support/closed.ts';
import { makeFifo } from '../../test/support/fifo.ts';
import { foundSkill, sourceRoot } from '../../test/support/found.ts';
import { link, makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import { findSkill } from '../catalog/find.ts';
import { locateSkill } from '../catalog/locate.ts';
import type { Skill } from '../model/skill.ts';
import { SkillLoader } from './loader.ts';

const BODY = '# PDF\n\nFill forms.';
const TEXT = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, `${BODY}\n`);

interface Library {
  readonly root: string;
  readonly dir: string;
  readonly loader: SkillLoader;
  readonly recorded: readonly Skill[];
}

/** A project's skill `pdf` with these files, whose record has the given parts. */
function openLibrary(files: Tree = {}, given: Partial<Skill> = {}): Library {
  const inside = Object.entries(files).map(([path, content]) => [`skills/pdf/${path}`, content]);
  const root = makeTree({ 'outside/secret': 'foreign', 'skills/pdf/SKILL.md': TEXT, ...Object.fromEntries(inside) });
  const dir = join(root, 'skills/pdf');
  const place = sourceRoot(join(root, 'skills'), { id: 'project', level: 'project' });
  const skill = { ...foundSkill(dir, {}, place).skill, ...given };
  const recorded: Skill[] = [];
  const loader = new SkillLoader({
    find: (name) => findSkill([skill], name),
    locate: (found) => locateSkill(found, { roots: [place], userId: process.getuid?.() }),
    record: async (used) => void recorded.push(used),
  });
  return { root, dir, loader, recorded };
}

describe('loading a skill', () => {
  test('returns its record, body, raw text, token count and resources', async () => {
    const { loader, dir } = openLibrary({ 'scripts/fill.sh': 'ls', 'out.md': link('../../outside/secret') });
    const loaded = await loader.load('pdf');
    expect(loaded).toMatchObject({
      ok: true,
      skill: { name: 'pdf', source: 'project', description: 'Fill PDF forms.', file: join(dir, 'SKILL.md') },
      body: BODY,
      raw: TEXT,
      tokens: Math.ceil(BODY.length / 4),
      resources: [{ path: 'scripts/fill.sh', size: 2, kind: 'script' }],
      leftOut: [{ path: 'out.md', reason: 'is a link' }],
    });
    expect(Object.keys(loaded).sort()).toEqual(['body', 'leftOut', 'ok', 'raw', 'resources', 'skill', 'tokens']);
  });

  test('finds the skill by its name, by its id, or by a spelling that differs in case', async () => {
    const { loader } = openLibrary({}, { name: 'Forms' });
    for (const id of ['Forms', 'pdf', 'FORMS']) expect(await loader.load(id)).toMatchObject({ ok: true, body: BODY });
  });

  test('rereads a changed file into a new record with the same name, source and state', async () => {
    const shadows = [{ source: 'user', name: 'pdf', dir: '/x', file: '/x/SKILL.md' }];
    const { loader, dir } = openLibrary({}, { shadows });
    const changed = skillText({ name: 'other', description: 'New.', version: '2.0', tags: ['a'] }, 'New body.\n');
    writeFileSync(join(dir, 'SKILL.md'), changed);
    expect(await loader.load('pdf')).toMatchObject({
      ok: true,
      skill: { name: 'pdf', description: 'New.', version: '2.0', tags: ['a'], source: 'project', shadows, tokens: 3 },
      body: 'New body.',
      raw: changed,
      tokens: 3,
    });
  });

  test('notices a change that kept the file’s size and timestamps', async () => {
    const { loader, dir } = openLibrary();
    utimesSync(join(dir, 'SKILL.md'), 1, 1);
    await loader.load('pdf');
    writeFileSync(join(dir, 'SKILL.md'), TEXT.replace('# PDF', '# FDP'));
    utimesSync(join(dir, 'SKILL.md'), 1, 1);
    expect(await loader.load('pdf')).toMatchObject({ body: BODY.replace('# PDF', '# FDP') });
  });

  test('returns the raw text unchanged, with its line endings and byte-order mark', async () => {
    const { loader, dir } = openLibrary();
    const raw = `\uFEFF---\r\nname: pdf\r\n---\r\n\r\n${BODY.replaceAll('\n', '\r\n')}\r\n\r\n`;
    writeFileSync(join(dir, 'SKILL.md'), raw);
    expect(await loader.load('pdf')).toMatchObject({ raw, body: BODY });
  });

  test('records a use if it succeeds, and none if it fails', async () => {
    const { loader, dir, recorded } = openLibrary();
    await loader.load('pdf');
    expect(recorded).toMatchObject([{ name: 'pdf', description: 'Fill PDF forms.' }]);
    await loader.load('gone');
    writeFileSync(join(dir, 'SKILL.md'), '');
    await loader.load('pdf');
    loader.readUrl('skill://pdf');
    loader.resources('pdf');
    expect(recorded).toHaveLength(1);
  });

  test('needs no recorder, and fails if the file disappears at the last moment', async () => {
    const { dir } = openLibrary();
    const { skill } = foundSkill(dir);
    const loader = new SkillLoader({
      find: () => ({ ok: true, skill }),
      locate: () => ({ ok: true, skill, realDir: dir }),
    });
    expect(await loader.load('pdf')).toMatchObject({ ok: true });
    rmSync(join(dir, 'SKILL.md'));
    expect(await loader.load('pdf')).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: `${join(dir, 'SKILL.md')}: File not found`,
    });
  });
});

describe('a skill that cannot be loaded', () => {
  test('is reported as not found if its name is unknown, with the names that exist', async () => {
    const message = 'no skill called "pfd"; available: pdf';
    const { loader } = openLibrary();
    expect(await loader.load('pfd')).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message });
    expect(loader.resources('pfd')).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message });
    expect(loader.readResource('pfd', 'a')).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message });
    expect(loader.readUrl('skill://pfd/a')).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message });
  });

  const disabled = { enabled: false, status: 'disabled', reasons: ['"pdf" is in disabled'] } as const;
  const unavailable = { available: false, status: 'unavailable', reasons: ['missing commands: qpdf'] } as const;

  test.each([
    [disabled, 'cannot load "pdf": "pdf" is in disabled'],
    [unavailable, 'cannot load "pdf": missing commands: qpdf'],
  ])('is refused while it is $status, with the reason', async (state, message) => {
    const { loader } = openLibrary({ a: '' }, state);
    const refusal = { ok: false, code: 'SKILL_NOT_FOUND', message };
    expect(await loader.load('pdf')).toEqual(refusal);
    expect(loader.resources('pdf')).toEqual(refusal);
    expect(loader.readResource('pdf', 'a')).toEqual(refusal);
    expect(loader.readUrl('skill://pdf')).toEqual(refusal);
  });

  test('is returned if the caller includes disabled or unavailable skills', async () => {
    const isGiven = async (given: Partial<Skill>, options: object): Promise<readonly boolean[]> => {
      const { loader } = openLibrary({ a: '' }, given);
      const loaded = await loader.load('pdf', options);
      const others = [loader.resources('pdf', options), loader.readResource('pdf', 'a', options)];
      return [loaded, ...others, loader.readUrl('skill://pdf', options)].map(({ ok }) => ok);
    };
    const all = [true, true, true, true];
    const none = [false, false, false, false];
    expect(await isGiven(disabled, { includeDisabled: true })).toEqual(all);
    expect(await isGiven(disabled, { includeUnavailable: true })).toEqual(none);
    expect(await isGiven(unavailable, { includeUnavailable: true })).toEqual(all);
    expect(await isGiven(unavailable, { includeDisabled: true })).toEqual(none);
    const both = { ...disabled, available: false };
    expect(await isGiven(both, { includeDisabled: true })).toEqual(none);
    expect(await isGiven(both, { includeDisabled: true, includeUnavailable: true })).toEqual(all);
  });

  test('is reported as not found if its file or folder is gone', async () => {
    const { loader, dir } = openLibrary();
    rmSync(join(dir, 'SKILL.md'));
    expect(await loader.load('pdf')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    rmSync(dir, { recursive: true });
    expect(await loader.load('pdf')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test.each([
    ['empty', ''],
    ['too much frontmatter', `---\nname: ${'x'.repeat(70_000)}\n---\n`],
    ['frontmatter with aliases', '---\nname: &a x\ndescription: *a\n---\n'],
    ['UTF-16', Buffer.from('\uFEFF---\n', 'utf16le')],
  ])('is reported as broken if its file has changed: %s', async (_, text) => {
    const { loader, dir, recorded } = openLibrary();
    writeFileSync(join(dir, 'SKILL.md'), text);
    const loaded = await loader.load('pdf');
    expect(loaded).toEqual({
      ok: false,
      code: 'PARSE_FAILED',
      message: expect.stringMatching(/^cannot read "pdf": \/.*SKILL\.md(?::\d+)?: the f/),
      next: { do: 'fix', path: dir },
    });
    expect(recorded).toEqual([]);
  });

  test.each([
    ['a link out of the skill', (file: string) => symlinkSync('../../outside/secret', file)],
    ['a pipe', (file: string) => makeFifo(file)],
    ['larger than 1 MiB', (file: string) => (writeFileSync(file, TEXT), truncateSync(file, 1024 * 1024 + 1))],
    ['a link to the environment', (file: string) => symlinkSync('/proc/self/environ', file)],
  ])('is refused as unreadable if its file is now %s', async (_, make) => {
    const { loader, dir } = openLibrary();
    rmSync(join(dir, 'SKILL.md'));
    make(join(dir, 'SKILL.md'));
    expect(await loader.load('pdf')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });

  test('is refused with "permission denied" if its file may not be read', async () => {
    const { dir, root } = openLibrary();
    for (const path of [root, join(root, 'skills'), dir]) chmodSync(path, 0o755);
    closePath(join(dir, 'SKILL.md'));
    const code = `
      import { SkillLoader } from ${JSON.stringify(sourceUrl('activate/loader.ts'))};
      const [dir] = process.argv.slice(1);
      const skill = { name: 'pdf', dir, file: dir + '/SKILL.md', enabled: true, available: true };
      const loader = new SkillLoader({ find: () => ({ ok: true, skill }), locate: () => ({ ok: true, skill, realDir: dir }) });
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(await loader.load('pdf')));`;
    expect(await runModule(code, [dir])).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: `${join(dir, 'SKILL.md')}: permission denied`,
    });
  });

  test('is refused if its folder was replaced by a link out of the source', async () => {
    const { loader, dir, root } = openLibrary({ secret: 'own' });
    renameSync(dir, join(root, 'moved'));
    symlinkSync('../moved', dir);
    expect(await loader.load('pdf')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(loader.readUrl('skill://pdf/secret')).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(loader.resources('pdf')).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });
});

describe('a skill:// URL', () => {
  test('with only a name reads the skill’s SKILL.md', () => {
    const { loader } = openLibrary();
    const content = { ok: true, contentType: 'text/markdown', size: TEXT.length, text: TEXT };
    expect(loader.readUrl('skill://pdf')).toEqual({ ...content, url: 'skill://pdf' });
    expect(loader.readUrl('skill://pdf/SKILL.md')).toEqual({ ...content, url: 'skill://pdf/SKILL.md' });
  });

  test('with a path reads that file, is decoded exactly once, and is returned as requested', () => {
    const { loader } = openLibrary({ 'references/a b.md': 'own', '%2e': 'dot' });
    for (const url of [
      'skill://pdf/references/a%20b.md',
      'skill://pdf/references/a b.md',
      'SKILL://%70df/references%2Fa%20b.md',
    ])
      expect(loader.readUrl(url)).toEqual({ ok: true, url, contentType: 'text/markdown', size: 3, text: 'own' });
    expect(loader.readUrl('skill://pdf/%252e')).toMatchObject({ text: 'dot' });
  });

  test('needs the exact name: a different case or the folder’s name is not found', () => {
    const { loader } = openLibrary({}, { name: 'Forms' });
    expect(loader.readUrl('skill://Forms')).toMatchObject({ ok: true });
    for (const name of ['forms', 'pdf', 'PDF']) {
      expect(loader.readUrl(`skill://${name}`)).toEqual({
        ok: false,
        code: 'SKILL_NOT_FOUND',
        message: `no skill called "${name}", but there is "Forms"`,
      });
    }
  });

  test('can name a skill whose name contains any characters', () => {
    const name = 'Team: a/b @ 100% — ü?#';
    const { loader } = openLibrary({ a: 'own' }, { name });
    expect(loader.readUrl(`skill://${encodeURIComponent(name)}/a`)).toMatchObject({ text: 'own' });
    const listed = loader.resources(name);
    expect(listed.ok && listed.resources.map(({ url }) => loader.readUrl(url))).toMatchObject([{ text: 'own' }]);
  });

  test('that is invalid is refused before any skill or file is looked up', () => {
    const loader = new SkillLoader({
      find: () => expect.unreachable('the skill was looked for'),
      locate: () => expect.unreachable('the folder was looked at'),
    });
    for (const url of [
      'skill://..',
      'skill://pdf/../x',
      'skill://pdf/%2e%2e/x',
      'skill://u@pdf/x',
      'pdf',
      'skill://pdf?x',
    ])
      expect(loader.readUrl(url)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test('for a missing file is answered with the files that exist', () => {
    const { loader, root } = openLibrary({ 'references/a.md': '' });
    const read = loader.readUrl('skill://pdf/references/b.md');
    const message = 'File not found: skill://pdf/references/b.md; there are references/a.md';
    expect(read).toEqual({ ok: false, code: 'RESOURCE_NOT_FOUND', message });
    expect(message).not.toContain(root);
  });
});

test('loading never returns a byte from outside while another process swaps the skill’s folder with a link', async () => {
  const { loader, dir, root } = openLibrary({ secret: 'own' });
  const swapper = startModule(SWAP, [root, basename(dir)]);
  expect(await nextLine(swapper)).toBe('swapping');
  const seen = new Set<string>();
  for (let round = 0; round < 5_000; round += 1) {
    const read = loader.readUrl('skill://pdf/secret');
    seen.add(read.ok ? String(read.text) : read.code);
    const listed = loader.resources('pdf');
    for (const { path } of listed.ok ? listed.resources : []) seen.add(path);
  }
  expect(swapper.exitCode).toBeNull();
  expect(seen).toContain('own');
  expect(
    [...seen].filter((result) => !/^(?:own|secret|PATH_REFUSED|SKILL_NOT_FOUND|RESOURCE_NOT_FOUND)$/.test(result)),
  ).toEqual([]);
});

/** The folder outside looks like a skill: files of the same names, and one more. */
const SWAP = `
  import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
  const [root, name] = process.argv.slice(1);
  process.chdir(root);
  writeFileSync('outside/SKILL.md', 'foreign');
  writeFileSync('outside/foreign', 'foreign');
  symlinkSync('../outside', 'link');
  const swap = () => {
    renameSync('skills/' + name, 'aside');
    renameSync('link', 'skills/' + name);
    renameSync('skills/' + name, 'link');
    renameSync('aside', 'skills/' + name);
  };
  swap();
  console.log('swapping');
  for (let round = 0; round < 3_000_000; round += 1) swap();`;
