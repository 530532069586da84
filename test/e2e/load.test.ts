import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, skillplaneOnTerminal } from '../support/command-line.ts';
import { makeFifo } from '../support/fifo.ts';
import { link, makeTree, skillText, writeTree } from '../support/tree.ts';

const TEXT = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, '# PDF\n\nUse qpdf.\n');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x0a]);

function makeHome(): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    '.agents/skills/pdf/SKILL.md': TEXT,
    '.agents/skills/pdf/references/tables.md': '# Tables\n',
    '.agents/skills/pdf/scripts/fill.sh': 'echo filled\n',
    '.agents/skills/pdf/assets/logo.png': PNG,
    '.agents/skills/pdf/evil.txt': 'a\tb\u001B[2Jc\u202Ed\n',
    '.agents/skills/pdf/out': link('../../../secret'),
    '.agents/skills/off/SKILL.md': skillText({ name: 'off', description: 'Off.' }),
    secret: 'foreign',
  });
}

const NO_SKILL = 'no skill called "pfd"; available: off, pdf';

/** The bytes that `read` writes to a pipe. */
function readBytes(url: string, home: string): Buffer {
  const env = { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: process.env['PATH'] };
  const options = { cwd: home, env, maxBuffer: 32 * 1024 * 1024 };
  return spawnSync(process.execPath, [resolve('bin/skillplane.mjs'), 'read', url], options).stdout;
}

describe('load', () => {
  test('prints the whole SKILL.md unchanged, or only its body', async () => {
    const home = makeHome();
    expect(await skillplane(['load', 'pdf'], { home })).toEqual({ code: 0, stderr: '', stdout: TEXT });
    expect(await skillplane(['load', 'pdf', '--body'], { home })).toEqual({
      code: 0,
      stderr: '',
      stdout: '# PDF\n\nUse qpdf.\n',
    });
  });

  test('--json prints record, body, source text, tokens, resources and omissions', async () => {
    const { code, stdout } = await skillplane(['load', 'pdf', '--json'], { home: makeHome() });
    expect(code).toBe(0);
    const loaded = JSON.parse(stdout) as { readonly skill: object };
    expect(loaded).toMatchObject({
      ok: true,
      skill: { name: 'pdf', description: 'Fill PDF forms.', source: 'agents-user', status: 'enabled' },
      body: '# PDF\n\nUse qpdf.',
      raw: TEXT,
      tokens: 4,
      resources: [
        { path: 'assets/logo.png', size: 7, kind: 'asset' },
        { path: 'evil.txt', kind: 'other' },
        { path: 'references/tables.md', kind: 'reference' },
        { path: 'scripts/fill.sh', kind: 'script' },
      ],
      leftOut: [{ path: 'out', kind: 'link', reason: 'is a link' }],
    });
    expect(loaded.skill).not.toHaveProperty('stamp');
  });

  test('counts as a use', async () => {
    const home = makeHome();
    await skillplane(['load', 'pdf'], { home });
    const { stdout } = await skillplane(['usage', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'pdf' }], neverUsed: [] });
  });

  test('fails with exit code 1 and a sentence, or a JSON document', async () => {
    const home = makeHome();
    expect(await skillplane(['load', 'pfd'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: `skillplane: ${NO_SKILL}\n`,
    });
    const json = await skillplane(['load', 'pfd', '--json'], { home });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message: NO_SKILL });
    const off = await skillplane(['load', 'off'], { home });
    expect(off).toMatchObject({ code: 1, stdout: '' });
    expect(off.stderr).toMatch(/^skillplane: cannot load "off": ./);
  });

  test('makes terminal controls visible on a terminal, and keeps lines and tabs', () => {
    const home = makeHome();
    writeTree(home, {
      '.agents/skills/pdf/SKILL.md':
        '---\r\nname: pdf\r\ndescription: x\r\n---\r\n\r\na\tb\u001B]0;x\u0007\r\nc\u202Ed',
    });
    const shown = skillplaneOnTerminal(['load', 'pdf'], { home, columns: 80 });
    expect(shown).toBe(String.raw`---
name: pdf
description: x
---

a${'\t'}b\u{1b}]0;x\u{7}
c\u{202e}d
`);
  });
});

describe('resources', () => {
  test('lists size, kind and path, and says on stderr what it omits', async () => {
    expect(await skillplane(['resources', 'pdf'], { home: makeHome() })).toEqual({
      code: 0,
      stderr: 'out is a link\n',
      stdout: [
        ' 7  asset      assets/logo.png',
        '13  other      evil.txt',
        ' 9  reference  references/tables.md',
        '12  script     scripts/fill.sh',
        '',
      ].join('\n'),
    });
  });

  test('--json also prints URLs, which can be read', async () => {
    const home = makeHome();
    const { stdout } = await skillplane(['resources', 'pdf', '--json'], { home });
    const { resources, leftOut } = JSON.parse(stdout) as {
      readonly resources: readonly { readonly url: string }[];
      readonly leftOut: unknown;
    };
    expect(resources[0]).toEqual({
      path: 'assets/logo.png',
      url: 'skill://pdf/assets/logo.png',
      size: 7,
      kind: 'asset',
    });
    expect(leftOut).toEqual([{ path: 'out', kind: 'link', reason: 'is a link' }]);
    expect(readBytes(resources[0]?.url ?? '', home)).toEqual(PNG);
  });

  test('escapes terminal controls in file names, and names the first of many omissions', async () => {
    const home = makeHome();
    writeTree(home, { '.agents/skills/pdf/a\n\u001B[31m': '' });
    writeTree(
      home,
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`.agents/skills/pdf/link${at}`, link('out')])),
    );
    const { stdout, stderr } = await skillplane(['resources', 'pdf'], { home });
    expect(stdout).toContain(String.raw`other      a\u{a}\u{1b}[31m`);
    expect(stderr.split('\n')).toHaveLength(22);
    expect(stderr).toMatch(/\nand 11 more; --json lists all\n$/);
  });

  test('says so if there are none, and fails for an unknown skill', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      '.agents/skills/pdf/SKILL.md': TEXT,
    });
    const none = 'The skill has no files besides its SKILL.md.\n';
    expect(await skillplane(['resources', 'pdf'], { home })).toEqual({ code: 0, stdout: '', stderr: none });
    const unknown = await skillplane(['resources', 'x', '--json'], { home });
    expect(unknown.code).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});

describe('read', () => {
  test('writes text and binary files byte for byte', () => {
    const home = makeHome();
    expect(readBytes('skill://pdf', home).toString()).toBe(TEXT);
    expect(readBytes('skill://pdf/assets/logo.png', home)).toEqual(PNG);
    expect(readBytes('skill://pdf/evil.txt', home).toString()).toBe('a\tb\u001B[2Jc\u202Ed\n');
  });

  test('writes ten megabytes whole', () => {
    const home = makeHome();
    const large = Buffer.alloc(10 * 1024 * 1024, 0xfe);
    writeTree(home, { '.agents/skills/pdf/large': large });
    expect(readBytes('skill://pdf/large', home).equals(large)).toBe(true);
  });

  test('--json prints URL, content type, size, and text or base64', async () => {
    const home = makeHome();
    const json = async (url: string): Promise<unknown> =>
      JSON.parse((await skillplane(['read', url, '--json'], { home })).stdout);
    expect(await json('skill://pdf/references%2Ftables.md')).toEqual({
      url: 'skill://pdf/references%2Ftables.md',
      contentType: 'text/markdown',
      size: 9,
      text: '# Tables\n',
    });
    expect(await json('skill://pdf/assets/logo.png')).toEqual({
      url: 'skill://pdf/assets/logo.png',
      contentType: 'image/png',
      size: 7,
      base64: PNG.toString('base64'),
    });
    const { stdout } = await skillplane(['read', 'skill://pdf/evil.txt', '--json'], { home });
    expect(stdout).not.toContain('\u001B');
    expect(JSON.parse(stdout)).toMatchObject({ contentType: 'text/plain', text: 'a\tb\u001B[2Jc\u202Ed\n' });
  });

  test('escapes text on a terminal, and refuses binary files with a hint', () => {
    const home = makeHome();
    const shown = (url: string): string =>
      skillplaneOnTerminal(['read', url], { home, columns: 80, env: { NO_COLOR: '1' } });
    expect(shown('skill://pdf/evil.txt')).toBe(String.raw`a${'\t'}b\u{1b}[2Jc\u{202e}d` + '\n');
    expect(shown('skill://pdf/assets/logo.png')).toBe(
      'skillplane: the file is not text but image/png, 7 bytes\nSend it to a file with >, or add --json.\n',
    );
  });

  test.each([
    ['skill://pdf/../../../secret', 'PATH_REFUSED'],
    ['skill://pdf/%2e%2e/off/SKILL.md', 'PATH_REFUSED'],
    ['skill://pdf//etc/passwd', 'PATH_REFUSED'],
    ['skill://pdf/out', 'PATH_REFUSED'],
    ['skill://pdf/pipe', 'PATH_REFUSED'],
    ['skill://pdf/references', 'PATH_REFUSED'],
    ['skill://..', 'PATH_REFUSED'],
    ['/etc/passwd', 'PATH_REFUSED'],
    ['skill://pdf/gone.md', 'RESOURCE_NOT_FOUND'],
    ['skill://PDF', 'SKILL_NOT_FOUND'],
    ['skill://off', 'SKILL_NOT_FOUND'],
  ])('answers %s with %s, exit code 1, and nothing on stdout but the JSON document', async (url, failure) => {
    const home = makeHome();
    makeFifo(join(home, '.agents/skills/pdf/pipe'));
    const plain = await skillplane(['read', url], { home });
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toMatch(/^skillplane: .+\n(?:.+\n)?$/);
    const json = await skillplane(['read', url, '--json'], { home });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code: failure, message: expect.any(String) });
  });

  test('takes exactly one URL', async () => {
    const home = makeHome();
    expect((await skillplane(['read'], { home })).code).toBe(2);
    expect((await skillplane(['read', 'skill://pdf', 'skill://off'], { home })).code).toBe(2);
  });
});
