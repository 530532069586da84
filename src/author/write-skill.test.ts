import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { sourceUrl } from '../../test/support/child.ts';
import { crashAt, stopEach } from '../../test/support/crash-points.ts';
import { hostileText } from '../../test/support/hostile-text.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import { fail } from '../model/outcome.ts';
import { isScalar } from '../parse/fields.ts';
import { splitFrontmatter } from '../parse/frontmatter.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { validateFolder } from '../parse/strict/validate.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { writeSkill, type WriteSkillOptions } from './write-skill.ts';

const DRAFT = { name: 'pdf', description: 'Fill forms.', body: 'Use qpdf.' };

describe('writing a skill with any text in its fields', () => {
  /** A valid description: not empty, not too long, more than a number or a word of YAML. */
  const description = hostileText().filter(
    (text) => text.trim() !== '' && text.length <= 1_024 && !isScalar(text.trim()),
  );
  const facet = hostileText().filter((text) => text !== '');
  const body = fc.constantFrom(
    '',
    'Body.',
    '# T\n\n---\nnot: frontmatter\n---\n',
    '---\n\nx',
    '  indented\n',
    'a\r\nb',
  );

  test('creates a valid file that reads back as it was written', async () => {
    const root = makeTree();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(description, facet, body, async (description, value, text) => {
        count += 1;
        const name = `s${count}`;
        const tags = [value, 'b'];
        const metadata = { key: value };
        const draft = { name, description, body: text, version: value, domain: value, tags, metadata };
        const written = await writeSkill(draft, { source: { path: root } });
        if (!written.ok) throw new Error(written.message);
        const file = readFileSync(written.path, 'utf8');
        expect(validateFolder(openSkillFolder(join(root, name)))).toMatchObject({ ok: true });
        const yaml: unknown = parse(splitFrontmatter(file).yaml);
        const fields = { name, description: description.trim(), version: value, domain: value, tags, metadata };
        expect(yaml).toEqual(fields);
        const parsed = parseSkill(file, { dir: join(root, name) });
        expect(parsed).toMatchObject({
          ok: true,
          body: text.replaceAll('\r\n', '\n').trim(),
          skill: { name, description: description.trim(), metadata },
        });
      }),
      { seed: 20261115, numRuns: propertyRuns(300) },
    );
  });
});

describe('writing a new skill', () => {
  test('creates it complete, with its other files', async () => {
    const root = makeTree();
    const files = [{ path: 'scripts/a.sh', bytes: Buffer.from('#!/bin/sh\n'), executable: true }];
    expect(await writeSkill(DRAFT, { source: { path: join(root, 'new/skills') }, files })).toEqual({
      ok: true,
      id: 'pdf',
      path: join(root, 'new/skills/pdf/SKILL.md'),
      action: 'created',
    });
    expect(statSync(join(root, 'new/skills/pdf/scripts/a.sh')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, 'new/skills'))).toEqual(['pdf']);
  });

  test('is refused if a toolset that it names is missing', async () => {
    const root = makeTree();
    const draft = { ...DRAFT, toolsets: ['toolsets/index:tools'] };
    expect(await writeSkill(draft, { source: { path: root } })).toMatchObject({
      code: 'SKILL_INVALID',
      message: expect.stringContaining('the skill has no file toolsets/index'),
    });
    const files = [{ path: 'toolsets/index.ts', bytes: Buffer.from('export const tools = [];'), executable: false }];
    expect(await writeSkill(draft, { source: { path: root }, files })).toMatchObject({ ok: true });
  });

  test('leaves nothing behind if one of its files cannot be written', async () => {
    const root = makeTree();
    for (const path of ['../x', 'SKILL.md']) {
      const files = [{ path, bytes: Buffer.from('x'), executable: false }];
      expect(await writeSkill(DRAFT, { source: { path: root }, files })).toMatchObject({ ok: false });
      expect(readdirSync(root)).toEqual([]);
    }
  });

  test('is refused if another folder differs only in case', async () => {
    const root = makeTree({ 'Pdf/x': '' });
    expect(await writeSkill(DRAFT, { source: { path: root } })).toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  test('uses the normalized name for folder and file', async () => {
    const root = makeTree();
    expect(await writeSkill({ ...DRAFT, name: ' ﬁne ' }, { source: { path: root } })).toMatchObject({ id: 'fine' });
    expect(readFileSync(join(root, 'fine/SKILL.md'), 'utf8')).toContain('name: fine\n');
  });
});

describe('updating an existing skill', () => {
  const TEXT = '---\r\nname: pdf\r\n# why\r\ndescription: Use: it\r\nauthor: Ann\r\n---\r\nOld\r\n';
  const write = (root: string, options: Partial<WriteSkillOptions> = {}): ReturnType<typeof writeSkill> =>
    writeSkill({ name: 'pdf', body: 'New\nlines' }, { source: { path: root }, mode: 'update', ...options });

  test('works even if its YAML is broken, and keeps comments, line endings and mode', async () => {
    const root = makeTree({ 'pdf/SKILL.md': TEXT });
    chmodSync(join(root, 'pdf/SKILL.md'), 0o600);
    expect(await write(root)).toMatchObject({ ok: true, action: 'updated' });
    expect(readFileSync(join(root, 'pdf/SKILL.md'), 'utf8')).toBe(
      '---\r\nname: pdf\r\n# why\r\ndescription: "Use: it"\r\nauthor: Ann\r\n---\r\n\r\nNew\r\nlines\r\n',
    );
    expect(statSync(join(root, 'pdf/SKILL.md')).mode & 0o777).toBe(0o600);
  });

  test.for([
    ['without frontmatter', 'Old text.\n', '---\nname: pdf\ndescription: x\n---\n\nOld text.\n'],
    ['without a closing fence', '---\nname: pdf\n\n# T\n', '---\nname: pdf\ndescription: x\n---\n\n# T\n'],
    ['in a file named skill.md', '---\nname: pdf\n---\nB', '---\nname: pdf\ndescription: x\n---\nB', 'skill.md'],
  ] as const)('keeps the body of a skill %s', async ([, text, expected, fileName = 'SKILL.md']) => {
    const root = makeTree({ [`pdf/${fileName}`]: text });
    const written = await writeSkill({ name: 'pdf', description: 'x' }, { source: { path: root }, mode: 'update' });
    expect(written).toMatchObject({ path: join(root, 'pdf', fileName) });
    expect(readFileSync(join(root, 'pdf', fileName), 'utf8')).toBe(expected);
  });

  test('does not touch the file if nothing changes', async () => {
    const root = makeTree({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: "x"\n---\nB' });
    const before = statSync(join(root, 'pdf/SKILL.md')).ino;
    await writeSkill({ name: 'pdf', description: 'x' }, { source: { path: root }, mode: 'update' });
    expect(statSync(join(root, 'pdf/SKILL.md')).ino).toBe(before);
  });

  test.for([
    ['it cannot be read', { 'pdf/SKILL.md': '---\na: &x 1\nb: *x\n---\n' }, 'PARSE_FAILED'],
    ['it is not UTF-8', { 'pdf/SKILL.md': Uint8Array.of(0xff, 0xfe, 0xfd) }, 'PARSE_FAILED'],
    ['its folder is a link', { 'real/SKILL.md': TEXT, pdf: link('real') }, 'PATH_REFUSED'],
    ['its file is a link', { 'real.md': TEXT, 'pdf/SKILL.md': link('../real.md') }, 'PATH_REFUSED'],
    ['its file is a link inside the folder', { 'pdf/real.md': TEXT, 'pdf/SKILL.md': link('real.md') }, 'PATH_REFUSED'],
    ['its file is a folder', { 'pdf/SKILL.md/': '' }, 'PATH_REFUSED'],
    ['there is no such skill', {}, 'SKILL_NOT_FOUND'],
  ] as const)('is refused, and changes nothing, if %s', async ([, tree, code]) => {
    const root = makeTree(tree);
    expect(await write(root)).toMatchObject({ ok: false, code });
    for (const name of ['real/SKILL.md', 'real.md'])
      expect(existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : TEXT).toBe(TEXT);
  });

  test.for([
    ['its frontmatter', { description: 'x' }, '---\na: &x 1\nb: *x\n---\n\nOld  \n', 'Old'],
    ['all of it', { description: 'x', body: 'New' }, '---\na: &x 1\nb: *x\n---\n\nOld\n', 'New'],
    ['an empty file', { description: 'x', body: 'New' }, '', 'New'],
    ['a UTF-16 file', { description: 'x' }, Buffer.from('\uFEFF---\nname: pdf\n---\n\nOld\n', 'utf16le'), 'Old'],
  ] as const)('that is broken rewrites %s and keeps a backup', async ([, changes, broken, body]) => {
    const root = makeTree({ 'pdf/SKILL.md': broken });
    const path = join(root, 'pdf/SKILL.md');
    const options = { source: { path: root }, mode: 'update' } as const;
    expect(await writeSkill({ name: 'pdf', ...changes }, options)).toEqual({
      ok: true,
      id: 'pdf',
      path,
      action: 'updated',
      kept: `${path}.bak`,
    });
    expect(readFileSync(path, 'utf8')).toBe(`---\nname: pdf\ndescription: x\n---\n\n${body}\n`);
    expect(readFileSync(`${path}.bak`)).toEqual(Buffer.from(broken));
  });

  test('that is broken is refused without description and body, or if its creator must be known', async () => {
    const broken = '---\na: &x 1\nb: *x\n---\n';
    const root = makeTree({ 'pdf/SKILL.md': broken });
    const options = { source: { path: root }, mode: 'put' } as const;
    const next = { advice: 'To rewrite it, give a description and a body.' };
    expect(await writeSkill({ name: 'pdf', description: 'x' }, options)).toMatchObject({ code: 'PARSE_FAILED', next });
    expect(await writeSkill({ name: 'pdf', body: 'x' }, options)).toMatchObject({ code: 'PARSE_FAILED', next });
    const judged = { ...options, judge: () => undefined };
    expect(await writeSkill(DRAFT, judged)).toMatchObject({
      code: 'PARSE_FAILED',
      next: { give: 'name', aim: 'choose another' },
    });
    expect(readdirSync(join(root, 'pdf'))).toEqual(['SKILL.md']);
    expect(readFileSync(join(root, 'pdf/SKILL.md'), 'utf8')).toBe(broken);
  });

  test('is refused if the caller’s judge or size limit refuses it', async () => {
    const root = makeTree({ 'pdf/SKILL.md': TEXT });
    const judge = (): ReturnType<typeof fail> => fail('PATH_REFUSED', 'no');
    expect(await write(root, { judge })).toMatchObject({ message: 'no' });
    expect(await write(root, { maxBytes: 50 })).toMatchObject({ code: 'SKILL_INVALID' });
    expect(readFileSync(join(root, 'pdf/SKILL.md'), 'utf8')).toBe(TEXT);
  });
});

describe('writing a skill to a forbidden place', () => {
  test('fails if a file stands where the folder should be', async () => {
    const root = makeTree({ skills: 'x' });
    expect(await writeSkill(DRAFT, { source: { path: join(root, 'skills') } })).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
    });
  });

  test('refuses a path that leaves the boundary through a link or ".."', async () => {
    const root = makeTree({ 'project/inner/': '', 'outside/': '', 'project/out': link('../outside') });
    const boundary = join(root, 'project');
    mkdirSync(join(root, 'project/a'));
    const at = (path: string): ReturnType<typeof writeSkill> =>
      writeSkill(DRAFT, { source: { path: join(boundary, path), boundary } });
    expect(await at('out')).toMatchObject({ code: 'PATH_REFUSED' });
    expect(await at('out/deep/skills')).toMatchObject({ code: 'PATH_REFUSED' });
    expect(await at('../outside')).toMatchObject({ code: 'PATH_REFUSED' });
    expect(await at('inner/skills')).toMatchObject({ ok: true });
    expect(readdirSync(join(root, 'outside'))).toEqual([]);
  });
});

describe('a process killed while it writes and removes skills', () => {
  const WORK = `async (path) => {
    const { writeSkill } = await import(${JSON.stringify(sourceUrl('author/write-skill.ts'))});
    const { removeSkill } = await import(${JSON.stringify(sourceUrl('author/remove-skill.ts'))});
    const files = [{ path: 'a/b.md', bytes: Buffer.from('x'), executable: false }];
    await writeSkill({ name: 'pdf', description: 'First.', body: 'x' }, { source: { path }, files });
    await writeSkill({ name: 'pdf', description: 'Second.' }, { source: { path }, mode: 'update' });
    await removeSkill('pdf', { source: { path }, withFiles: true });
  }`;

  /** Checks what a killed process left, and that another one can write. Returns the description that was there. */
  async function writeAfter(root: string): Promise<string> {
    const isThere = existsSync(join(root, 'pdf'));
    expect(isThere ? readdirSync(join(root, 'pdf')).filter((name) => !name.endsWith('.tmp')) : []).toEqual(
      isThere ? ['SKILL.md', 'a'] : [],
    );
    const text = isThere ? readFileSync(join(root, 'pdf/SKILL.md'), 'utf8') : '';
    expect(await writeSkill(DRAFT, { source: { path: root }, mode: 'put' })).toMatchObject({ ok: true });
    expect(readdirSync(root)).toEqual(['pdf']);
    return /description: (.*)/.exec(text)?.[1] ?? '';
  }

  test('leaves a whole skill or none at every step, and does not block other writers', async () => {
    const homes = Array.from({ length: 60 }, (_, index) => ({ home: makeTree(), at: index + 1 }));
    const stopped = await stopEach(WORK, homes);
    expect(stopped.length).toBeLessThan(homes.length);
    const seen: string[] = [];
    for (const home of stopped) seen.push(await writeAfter(home));
    expect(new Set(seen)).toEqual(new Set(['', 'First.', 'Second.']));
  });

  test('leaves a whole skill or none even if the system kills it, and does not block other writers', async () => {
    const root = makeTree();
    expect(await crashAt({ code: `await (${WORK})(process.argv[1])`, args: [root], home: root }, 12)).toBe(true);
    expect(['', 'First.', 'Second.']).toContain(await writeAfter(root));
  });
});
