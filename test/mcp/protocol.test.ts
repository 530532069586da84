import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { VERSION } from '../../src/model/version.ts';
import { connectHttp, connectStdio, dataOf, type Era } from '../support/mcp-client.ts';
import { startHttp } from '../support/mcp-process.ts';
import { link, skillText, writeTree } from '../support/tree.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3);
const PDF = `---
name: pdf
description: "Fill PDF forms: dates, names."
license: MIT
metadata:
  version: "1.10"
  author: Ann
allowed-tools: Bash(pdf:*) Read
count: 3
ratio: 1.0
flag: true
list: [a, 2, null]
argument-hint: "[file]"
---
# PDF

Fill $1 with care.
`;

const SKILLS = {
  '.agent/skills/pdf/SKILL.md': PDF,
  '.agent/skills/pdf/references/tables & more.md': '# Tables\n',
  '.agent/skills/pdf/references/deep/er.txt': 'deeper\n',
  '.agent/skills/pdf/assets/logo.png': PNG,
  '.agent/skills/pdf/.hidden': 'dot\n',
  '.agent/skills/pdf/.git/config': 'secret\n',
  '.agent/skills/pdf/leak': link('/etc/passwd'),
  '.agent/skills/pdf/scripts/hello.sh': '#!/bin/sh\necho hello "$1"\n',
  '.agent/skills/secret/SKILL.md': skillText({
    name: 'secret',
    description: 'Hidden from models.',
    'disable-model-invocation': true,
  }),
  '.agent/skills/quiet/SKILL.md': skillText({
    name: 'quiet',
    description: 'Not for users.',
    'user-invocable': false,
  }),
  '.agent/skills/numbered/SKILL.md':
    '---\nname: numbered\ndescription: Has a number.\nmetadata:\n  version: 1.0\n---\nx\n',
  // The same name in a source of lower priority.
  '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'The shadow.' }),
};

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'skillplane-mcp-')));
  writeTree(home, SKILLS);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const MATRIX: readonly [transport: string, era: Era][] = [
  ['stdio', 'modern'],
  ['stdio', 'legacy'],
  ['http', 'modern'],
  ['http', 'legacy'],
];

describe.each(MATRIX)('MCP over %s, %s protocol:', (transport, era) => {
  let client: Client;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    const args = ['--allow-scripts', '--ctx'];
    if (transport === 'stdio') {
      client = await connectStdio(home, { era, args });
      stop = () => client.close();
    } else {
      const server = await startHttp(home, args);
      client = await connectHttp(server.url, { era, headers: server.headers });
      stop = async () => {
        await client.close();
        await server.stop();
      };
    }
  });
  afterAll(() => stop());

  test('the server says who it is and what it can do, and carries the catalog in its instructions', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'skillplane', title: 'Skillplane', version: VERSION });
    // A client of the older protocol has no stream over HTTP on which it could hear of changes.
    const listChanged = transport === 'stdio' || era === 'modern';
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged },
      prompts: { listChanged },
      resources: { listChanged },
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    });
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toContain('load_skill');
    expect(instructions).toContain('- pdf: Fill PDF forms: dates, names.');
    expect(instructions).not.toContain('secret');
    expect(instructions.length).toBeLessThanOrEqual(4_000);
  });

  test('the tools are listed with annotations and schemas of what they take', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_skills',
      'load_skill',
      'search_skills',
      'read_skill_resource',
      'run_skill_script',
      'ctx',
    ]);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('load_skill')).toMatchObject({
      title: 'Load a skill',
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      inputSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 100_000 },
    });
    expect(byName.get('search_skills')?._meta).toEqual({ 'anthropic/alwaysLoad': true });
    for (const tool of tools) expect(tool).not.toHaveProperty('outputSchema');
    expect(byName.get('run_skill_script')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    for (const { description } of tools) expect(description?.length).toBeGreaterThan(40);
  });

  test('search_skills finds a skill by a request, as text and as data', async () => {
    const answer = await client.callTool({ name: 'search_skills', arguments: { query: 'fill in a form', limit: 1 } });
    expect(answer.isError).toBeFalsy();
    expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining('\n- pdf: ') }]);
    expect(dataOf(answer)).toMatchObject({ results: [{ name: 'pdf', score: expect.any(Number) }] });
  });

  test('load_skill gives the instructions whole each time, since the server cannot tell conversations apart', async () => {
    for (let round = 0; round < 2; round += 1) {
      const answer = await client.callTool({ name: 'load_skill', arguments: { name: 'pdf' } });
      expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining('Fill $1 with care.') }]);
      expect(dataOf(answer)).toMatchObject({ name: 'pdf', isRepeated: false, dir: join(home, '.agent/skills/pdf') });
    }
  });

  test('list_skills and read_skill_resource answer', async () => {
    const listed = await client.callTool({ name: 'list_skills', arguments: {} });
    expect(listed.content).toEqual([{ type: 'text', text: expect.stringContaining('- numbered: ') }]);
    const read = await client.callTool({
      name: 'read_skill_resource',
      arguments: { name: 'pdf', path: 'references/deep/er.txt' },
    });
    expect(dataOf(read)).toMatchObject({ size: 7, contentType: 'text/plain' });
  });

  test('run_skill_script runs a script of a trusted skill', async () => {
    const answer = await client.callTool({
      name: 'run_skill_script',
      arguments: { name: 'pdf', script: 'hello.sh', args: ['you'] },
    });
    expect(dataOf(answer)).toMatchObject({ succeeded: true, exitCode: 0 });
    expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining('hello you') }]);
  });

  test('a failing tool answers with a code and no paths of the machine; an unknown tool is an error', async () => {
    const failed = await client.callTool({ name: 'load_skill', arguments: { name: 'nothing-like-it' } });
    expect(failed).toMatchObject({ isError: true, _meta: { 'skillplane/code': 'SKILL_NOT_FOUND' } });
    expect(JSON.stringify(failed)).not.toContain(home);
    const wrong = await client.callTool({ name: 'load_skill', arguments: { name: 7 } });
    expect(wrong).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'write_skill', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  test('ctx answers statements with JSON, and says where one is wrong', async () => {
    const found = await client.callTool({ name: 'ctx', arguments: { statement: '?s "fill a form" ^1' } });
    expect(dataOf(found)).toMatchObject({ answer: { ok: true, results: [{ id: 'pdf' }] } });
    const wrong = await client.callTool({ name: 'ctx', arguments: { statement: '?x' } });
    expect(wrong).toMatchObject({ isError: true, _meta: { 'skillplane/code': 'CTX_INVALID' } });
  });

  test('ctx does no more than the server was allowed', async () => {
    const statements = ['+s mine content="Do it." description="Mine."', '~s pdf description="x"', '-s pdf'];
    for (const statement of statements)
      expect(await client.callTool({ name: 'ctx', arguments: { statement } })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Allow writing skills when you start the server') }],
      });
    const run = await client.callTool({ name: 'ctx', arguments: { statement: '>s pdf script=hello.sh args="you"' } });
    expect(dataOf(run)).toMatchObject({ answer: { ok: true, stdout: 'hello you\n' } });
  });

  test('the model learns of no hidden skill by any tool', async () => {
    for (const [name, args] of [
      ['list_skills', {}],
      ['search_skills', { query: 'hidden from models' }],
      ['load_skill', { name: 'secret' }],
      ['read_skill_resource', { url: 'skill://secret' }],
      ['ctx', { statement: '!s secret' }],
    ] as const) {
      const answer = await client.callTool({ name, arguments: args });
      expect(JSON.stringify(answer)).not.toContain('Hidden from models');
    }
  });

  test('there is a prompt for each skill that users may invoke, the hidden ones included', async () => {
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names).toContain('pdf');
    expect(names).toContain('secret');
    expect(names).not.toContain('quiet');
    expect(prompts.find(({ name }) => name === 'pdf')).toMatchObject({
      title: 'PDF',
      description: 'Fill PDF forms: dates, names.',
      arguments: [{ name: 'arguments', description: '[file]', required: false }],
    });
  });

  test('a prompt begins with what the user typed, then has the instructions, and names no path of the machine', async () => {
    const { messages } = await client.getPrompt({ name: 'pdf', arguments: { arguments: 'form.pdf now' } });
    expect(messages).toEqual([
      {
        role: 'user',
        content: {
          type: 'text',
          text: 'The user called the skill "pdf" with: form.pdf now\nFollow its instructions:\n\n# PDF\n\nFill form.pdf with care.',
        },
      },
    ]);
    await expect(client.getPrompt({ name: 'quiet' })).rejects.toMatchObject({ code: -32_602 });
  });

  test('resources are the SKILL.md files of the skills that models may know of', async () => {
    const { resources } = await client.listResources();
    expect(resources.find(({ name }) => name === 'pdf')).toEqual({
      uri: 'skill://pdf/SKILL.md',
      name: 'pdf',
      title: 'PDF',
      description: 'Fill PDF forms: dates, names',
      mimeType: 'text/markdown',
      size: Buffer.byteLength(PDF),
    });
    expect(resources.map(({ name }) => name)).not.toContain('secret');
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(resources.length);
  });

  test('files of skills are read byte for byte', async () => {
    const text = await client.readResource({ uri: 'skill://pdf/SKILL.md' });
    expect(text.contents).toEqual([{ uri: 'skill://pdf/SKILL.md', mimeType: 'text/markdown', text: PDF }]);
    const bytes = await client.readResource({ uri: 'skill://pdf/assets/logo.png' });
    expect(bytes.contents).toMatchObject([{ mimeType: 'image/png', blob: Buffer.from(PNG).toString('base64') }]);
  });

  test('the Skills extension lists each skill once, with its frontmatter as it is and every file', async () => {
    const skills = new SkillsClient(client);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const { skills: entries } = await skills.list();
    const pdf = entries.filter(({ uri }) => uri === 'skill://pdf/SKILL.md');
    expect(pdf).toEqual([
      {
        uri: 'skill://pdf/SKILL.md',
        frontmatter: {
          name: 'pdf',
          description: 'Fill PDF forms: dates, names.',
          license: 'MIT',
          metadata: { version: '1.10', author: 'Ann' },
          'allowed-tools': 'Bash(pdf:*) Read',
          count: 3,
          ratio: 1,
          flag: true,
          list: ['a', 2, null],
          'argument-hint': '[file]',
        },
        resources: [
          described('skill://pdf/.hidden', 'dot\n'),
          described('skill://pdf/SKILL.md', PDF),
          described('skill://pdf/assets/logo.png', PNG),
          described('skill://pdf/references/deep/er.txt', 'deeper\n'),
          described('skill://pdf/references/tables%20%26%20more.md', '# Tables\n'),
          described('skill://pdf/scripts/hello.sh', '#!/bin/sh\necho hello "$1"\n'),
        ],
      },
    ]);
    const names = entries.map(({ frontmatter }) => frontmatter.name);
    expect(names).toContain('quiet');
    expect(names).not.toContain('secret');
    expect(names).not.toContain('numbered');
  });

  test('every listed file is read and verified by the client of the SDK', async () => {
    const skills = new SkillsClient(client);
    const { skill } = await skills.get('skill://pdf/SKILL.md');
    for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources)
      expect(await skills.read(skill, uri)).toMatchObject({ verified: true });
  });

  test('a directory is read one level at a time', async () => {
    const skills = new SkillsClient(client);
    const root = await skills.readDirectory('skill://pdf');
    expect(root.resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['skill://pdf/.hidden', undefined],
      ['skill://pdf/SKILL.md', 'text/markdown'],
      ['skill://pdf/assets', 'inode/directory'],
      ['skill://pdf/references', 'inode/directory'],
      ['skill://pdf/scripts', 'inode/directory'],
    ]);
    const below = await skills.readDirectory('skill://pdf/references');
    expect(below.resources.map(({ name }) => name)).toEqual(['deep', 'tables & more.md']);
  });

  test.each([
    'skill://nothing/SKILL.md',
    'skill://secret/SKILL.md',
    'skill://pdf',
    'skill://pdf/',
    'skill://pdf/references',
    'skill://pdf/missing.md',
    'skill://pdf/.git/config',
    'skill://pdf/leak',
    'skill://pdf/../pdf/SKILL.md',
    'skill://pdf/x/../SKILL.md',
    'skill://pdf/%2e%2e/pdf/SKILL.md',
    'skill://pdf/..%2f..%2fetc%2fpasswd',
    'skill://pdf//SKILL.md',
    'skill://pdf/./SKILL.md',
    'skill://pdf/SKILL.md?x',
    'skill://pdf/SKILL.md#x',
    'skill://user@pdf/SKILL.md',
    'skill://pdf:80/SKILL.md',
    'skill://pdf/%00',
    'skill://pdf/%ff',
    'skill://pdf/a\\b',
    'skill:///etc/passwd',
    'skill://PDF/SKILL.md',
    'file:///etc/passwd',
    'https://example.com/SKILL.md',
    'not a uri',
    '',
    `skill://pdf/${'a/'.repeat(40)}b`,
  ])('reading %s is -32602, by each method', async (uri) => {
    const request = (method: string): Promise<unknown> => client.request({ method, params: { uri } }, ANYTHING);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
    await expect(request('skills/get')).rejects.toMatchObject({ code: -32_602 });
    const folders = ['skill://pdf', 'skill://pdf/references'];
    const directory = request('resources/directory/read').then(
      () => 'listed',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    expect(await directory).toBe(folders.includes(uri) ? 'listed' : -32_602);
  });

  test('an unknown cursor is -32602', async () => {
    for (const list of [
      () => client.listPrompts({ cursor: 'x' }),
      () => client.listResources({ cursor: '!' }),
      () => new SkillsClient(client).list({ cursor: 'Zm9v' }),
    ])
      await expect(list()).rejects.toMatchObject({ code: -32_602 });
  });
});

/** A schema that takes any answer. */
const ANYTHING = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;

function described(uri: string, content: string | Uint8Array): object {
  const bytes = Buffer.from(content);
  return { uri, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}
