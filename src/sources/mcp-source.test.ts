import { expect, test } from 'vitest';

import { sha256Of } from '../parse/digest.ts';
import { mcpSource, type McpSkillsClient } from './mcp-source.ts';

const { signal } = new AbortController();
const TEXT = '---\nname: pdf\ndescription: Fill PDF forms.\n---\n';
const DIGEST = sha256Of(TEXT);

function resource(path: string): object {
  return { uri: `skill://pdf/${path}`, digest: DIGEST, size: TEXT.length };
}

const ENTRY = {
  uri: 'skill://pdf/SKILL.md',
  frontmatter: { name: 'pdf', description: 'Fill PDF forms.' },
  resources: [resource('SKILL.md'), resource('a%20b.md')],
};

/** A client whose server lists these entries. */
function clientOf(...skills: readonly unknown[]): McpSkillsClient<unknown> {
  return {
    list: async () => ({ skills }),
    read: async (_, uri) => ({ bytes: Buffer.from(uri) }),
  };
}

test('an MCP source lists files with the digests of the server, and reads each by its URI', async () => {
  const source = mcpSource(clientOf(ENTRY), { id: 'shop' });
  expect(await source.list(signal)).toEqual([
    {
      id: 'pdf',
      frontmatter: ENTRY.frontmatter,
      files: [
        { path: 'SKILL.md', digest: DIGEST, size: TEXT.length },
        { path: 'a b.md', digest: DIGEST, size: TEXT.length },
      ],
    },
  ]);
  expect(textOf(await source.read('pdf', 'a b.md', signal))).toBe('skill://pdf/a%20b.md');
  await expect(source.read('pdf', 'other.md', signal)).rejects.toThrow('the server does not list it');
});

test('an MCP source keeps two skills of one name apart', async () => {
  const twin = { ...ENTRY, uri: 'skill://team/pdf/SKILL.md', resources: 'dynamic' };
  expect(await mcpSource(clientOf(ENTRY, twin)).list(signal)).toMatchObject([
    { id: 'pdf' },
    { id: 'team.pdf', files: [{ path: 'SKILL.md' }] },
  ]);
});

test.each([
  ['without a URI of a SKILL.md', { ...ENTRY, uri: 'skill://pdf' }],
  ['without its files', { ...ENTRY, resources: undefined }],
  ['with a file of another skill', { ...ENTRY, resources: [{ ...resource('x'), uri: 'skill://other/x' }] }],
  ['with a file without a digest', { ...ENTRY, resources: [{ uri: 'skill://pdf/x', size: 1 }] }],
  ['with too many files', { ...ENTRY, resources: Array.from({ length: 513 }, () => resource('x')) }],
  ['with too many bytes', { ...ENTRY, resources: [{ ...resource('x'), size: 2 ** 25 }] }],
])('an MCP source reports a skill that the server lists %s', async (_, entry) => {
  expect(await mcpSource(clientOf(entry)).list(signal)).toEqual([{ id: 'pdf', problem: expect.any(String) }]);
});

test('an MCP source follows the pages of a list, but not without end', async () => {
  let pages = 0;
  const client: McpSkillsClient<unknown> = {
    ...clientOf(),
    list: async ({ cursor }) => {
      pages += 1;
      return {
        skills: [],
        invalid: [{ reason: 'no digest' }],
        ...(cursor === 'last' ? {} : { nextCursor: pages === 1 ? 'last' : 'more' }),
      };
    },
  };
  expect(await mcpSource(client).list(signal)).toEqual([
    { id: 'invalid-0-0', problem: 'the server lists it wrongly: no digest' },
    { id: 'invalid-1-0', problem: 'the server lists it wrongly: no digest' },
  ]);
  await expect(mcpSource(client).list(signal)).rejects.toThrow('its list has more than 1000 pages');
});

function textOf(content: unknown): string {
  return content instanceof Uint8Array ? Buffer.from(content).toString() : '';
}
