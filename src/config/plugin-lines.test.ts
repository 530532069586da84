import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { makeTree } from '../../test/support/tree.ts';
import type { PluginDefinition } from '../model/config.ts';
import { editConfig } from './edit-config.ts';
import { planPlugins } from './plan-plugins.ts';
import { putPluginLines } from './plugin-lines.ts';

const PDF: PluginDefinition = {
  url: 'https://example.org/o/r',
  name: 'pdf',
  enabled: true,
  installedAt: '2026-01-02T03:04:05.000Z',
};
const DOCX = { ...PDF, name: 'docx', ref: 'v1' };

async function editByParser(text: string, plugins: readonly PluginDefinition[]): Promise<string> {
  const file = join(makeTree({ 'config.yaml': text }), 'config.yaml');
  expect(await editConfig(file, (editor) => editor.putPlugins(plugins))).toMatchObject({ ok: true });
  return readFileSync(file, 'utf8');
}

const KNOWN = `# mine
other: 1
skills:
  disabled: [a]
  plugins:
    - url: https://example.org/o/r
      name: pdf
      enabled: false
      installedAt: 2025-01-02T03:04:05.000Z
      colour: "red"
  pinned: # why
    - b
last: 2
`;

describe('plugins written into config.yaml line by line', () => {
  test.each([
    ['no file', '', [PDF, DOCX]],
    ['other settings', '# mine\nother: 1 # why\n', [PDF]],
    ['no line ending', 'other: 1', [PDF]],
    ['an entry of the same name', KNOWN, [PDF]],
    ['a new entry between others', KNOWN, [DOCX]],
    ['new and existing entries', KNOWN, [DOCX, PDF, { ...PDF, name: 'true' }]],
  ])('give the same result as the YAML editor: %s', async (...[, text, plugins]) => {
    const edited = putPluginLines(text, plugins);
    expect(parse(edited ?? '')).toEqual(parse(await editByParser(text, plugins)));
    const lines = new Set(edited?.split('\n'));
    expect(text.split('\n').filter((line) => !lines.has(line) && !/enabled|installedAt/.test(line))).toEqual([]);
  });

  test('give the same text as the YAML editor in a new file', async () => {
    expect(putPluginLines('', [DOCX, PDF])).toBe(await editByParser('', [DOCX, PDF]));
  });

  test.each([
    ['a comment beside a value', KNOWN.replace('enabled: false', 'enabled: false # for now')],
    ['a comment between entries', KNOWN.replace('      name: pdf', '      # which\n      name: pdf')],
    ['an entry in brackets', KNOWN.replace('plugins:', 'plugins:\n    - { url: x, name: pdf }')],
    ['a name twice', KNOWN.replace('plugins:', 'plugins:\n    - url: x\n      name: pdf')],
    ['a field less', KNOWN.replace('      enabled: false\n', '')],
    ['a field more', KNOWN.replace('      name: pdf\n', '      ref: v2\n      name: pdf\n')],
    ['no list', 'skills:\n  disabled: [a]\n'],
    ['no mapping', 'skills: 1\n'],
    ['an alias', 'a: &x 1\nskills: *x\n'],
    ['Windows line endings', KNOWN.replaceAll('\n', '\r\n')],
    ['a document end', `${KNOWN}...\n`],
    ['plugins elsewhere', `x:\n  plugins:\n    - url: x\n${KNOWN}`],
  ])('are left to the YAML editor if the file has %s', (_, text) => {
    expect(putPluginLines(text, [PDF])).toBeUndefined();
  });

  test('are cached, so that the next start needs no YAML parser', async () => {
    const agentHome = makeTree({ 'config.yaml': '' });
    const planned = await planPlugins({ agentHome }, (now) => ({ put: [...now, PDF], remove: [] }));
    expect(planned).toMatchObject({ ok: true, text: expect.stringContaining('name: pdf') });
    expect(readdirSync(join(agentHome, 'cache'))).toHaveLength(1);
  });
});
