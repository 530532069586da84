import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import type { PluginDefinition } from '../model/config.ts';
import { editConfig, type ConfigEdit } from './edit-config.ts';

async function edited(text: string, edit: ConfigEdit): Promise<string> {
  const file = join(makeTree({ 'config.yaml': text }), 'config.yaml');
  expect(await editConfig({ file, isUsers: true }, edit)).toMatchObject({ ok: true });
  return readFileSync(file, 'utf8');
}

const put =
  (plugin: PluginDefinition): ConfigEdit =>
  (editor) =>
    editor.putPlugins([plugin]);
const remove =
  (name: string): ConfigEdit =>
  (editor) =>
    editor.removePlugin(name);

const PDF: PluginDefinition = {
  url: 'https://example.org/o/r',
  ref: 'v2',
  name: 'pdf',
  enabled: true,
  installedAt: '2026-01-02T03:04:05.000Z',
};
const PDF_TEXT = `    - url: https://example.org/o/r
      ref: v2
      name: pdf
      enabled: true
      installedAt: 2026-01-02T03:04:05.000Z
`;

describe('putting a plugin into config.yaml', () => {
  test.each(['', 'skills:\n', 'skills: {}\n', 'skills:\n  plugins:\n', 'skills:\n  plugins: []\n'])(
    'creates the list if there is none: %j',
    async (text) => {
      const after = await edited(text, put(PDF));
      expect(await edited(after, put(PDF))).toBe(after);
      expect(after.replaceAll(/\s+/g, ' ')).toContain('name: pdf');
    },
  );

  test.each(['[a, b]', '[ a, b ]'])('keeps a list in brackets as it was written: %s', async (list) => {
    const text = `skills:\n  disabled: ${list}\n  plugins:\n`;
    expect(await edited(text, put(PDF))).toBe(`${text}${PDF_TEXT}`);
  });

  test('adds an entry after the others, which stay unchanged', async () => {
    const text = `other: 1
skills:
  plugins:
    # the first
    - https://example.org/o/first # why
    - url: "https://example.org/o/second"
      colour: red
last: 2
`;
    expect(await edited(text, put(PDF))).toBe(text.replace('last: 2', `${PDF_TEXT}last: 2`));
  });

  test('that is already listed updates it and keeps comments, unknown fields and order', async () => {
    const text = `skills:
  plugins:
    # about pdf
    - name: pdf # the name
      colour: red
      ref: v1 # the ref
      url: https://example.org/o/old
      # before the switch
      enabled: false
    - url: https://example.org/o/other
`;
    const after = await edited(text, put(PDF));
    expect(after).toBe(`skills:
  plugins:
    # about pdf
    - name: pdf # the name
      colour: red
      ref: v2 # the ref
      url: https://example.org/o/r
      # before the switch
      enabled: true
      installedAt: 2026-01-02T03:04:05.000Z
    - url: https://example.org/o/other
`);
  });

  test('removes fields that no longer have a value', async () => {
    const after = await edited(`skills:\n  plugins:\n${PDF_TEXT}`, put({ ...PDF, ref: undefined }));
    expect(after).toBe(`skills:\n  plugins:\n${PDF_TEXT.replace('      ref: v2\n', '')}`);
  });

  test('replaces an entry that is only a URL with a full one', async () => {
    for (const url of ['https://example.org/o/pdf', 'git@example.org:o/pdf.git', 'https://example.org/o/pdf/']) {
      const text = `skills:\n  plugins:\n    # mine\n    - ${url} # why\n`;
      const after = await edited(text, put(PDF));
      expect(after).toContain(PDF_TEXT.trim());
      expect(after).toContain('# mine');
      expect(after).toContain('# why');
      expect(after).not.toContain(url);
    }
  });

  test('works if a URL contains what looks like a comment', async () => {
    const text = 'skills:\n  plugins:\n    - url: https://example.org/o/old#v1\n      name: pdf\n';
    expect(await edited(text, put(PDF))).toContain('url: https://example.org/o/r\n');
  });
});

describe('removing a plugin from config.yaml', () => {
  test('deletes its entry and keeps the others and all comments', async () => {
    const text = `skills:
  plugins:
    - https://example.org/o/first # why
    # about pdf
    - url: https://example.org/o/r#main
      name: pdf # its name
    - url: https://example.org/o/last
  enabled: true
`;
    const after = await edited(text, remove('pdf'));
    expect(after).toContain('- https://example.org/o/first # why\n');
    expect(after).toContain('- url: https://example.org/o/last\n');
    for (const comment of ['# about pdf', '# its name']) expect(after).toContain(comment);
    expect(after).not.toContain('o/r');
    expect(after).toContain('  enabled: true\n');
  });

  test.each(['https://example.org/o/pdf.git', 'git@example.org:pdf', '/folder/pdf/'])(
    'finds an entry that is only a URL: %s',
    async (url) => {
      expect(await edited(`skills:\n  plugins:\n    - ${url}\n`, remove('pdf'))).toBe('skills:\n  plugins: []\n');
    },
  );

  test('that is the last one keeps its comments', async () => {
    const after = await edited(
      `skills:\n  plugins:\n    # keep\n    - name: pdf # this\n      url: x\n`,
      remove('pdf'),
    );
    expect(after).toContain('# keep');
    expect(after).toContain('# this');
    expect(after).toContain('[]');
  });

  test.each(['', 'skills:\n  enabled: true\n', `skills:\n  plugins:\n${PDF_TEXT}`])(
    'that is not listed changes nothing in %j',
    async (text) => {
      expect(await edited(text, remove('other'))).toBe(text);
    },
  );
});

describe('putting an entry into a mapping of config.yaml', () => {
  const entry =
    (name: string, value: string | undefined): ConfigEdit =>
    (editor) =>
      editor.putEntry('preferred', name, value);

  test.each(['', 'skills:\n', 'skills: {}\n', 'skills:\n  preferred:\n', 'skills:\n  preferred: {}\n'])(
    'creates the mapping if there is none: %j',
    async (text) => {
      const after = await edited(text, entry('pdf', 'user'));
      expect(after.replaceAll(/[\s{}]+/g, ' ').trim()).toBe('skills: preferred: pdf: user');
    },
  );

  test('changes only the value of an entry, whatever its key looks like', async () => {
    const text = 'skills:\n  preferred:\n    # about it\n    404: user # why\n    pdf: user\n';
    expect(await edited(text, entry('404', 'project'))).toBe(text.replace('user # why', 'project # why'));
  });

  test('without a value removes it, and the setting with the last entry', async () => {
    const text = 'skills:\n  enabled: true\n  preferred:\n    404: user\n    pdf: user\n';
    const one = await edited(text, entry('404', undefined));
    expect(one).toBe('skills:\n  enabled: true\n  preferred:\n    pdf: user\n');
    expect(await edited(one, entry('pdf', undefined))).toBe('skills:\n  enabled: true\n');
    expect(await edited(text, entry('docx', undefined))).toBe(text);
    expect(await edited('other: 1\n', entry('docx', undefined))).toBe('other: 1\n');
  });
});
