import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { runModule, sourceUrl } from '../../test/support/child.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import type { SkillsSection } from '../model/config.ts';
import type { ConfigEditor } from './config-editor.ts';
import { editConfig } from './edit-config.ts';
import { parseConfig } from './parse-config.ts';
import { SCHEMA_LINE } from './schema-file.ts';

/** Returns the file's text after the edit; `undefined` starts without a file. */
async function edited(text: string | undefined, edit: (editor: ConfigEditor) => void): Promise<string> {
  const file = join(makeTree(text === undefined ? {} : { 'config.yaml': text }), 'config.yaml');
  expect(await editConfig({ file, isUsers: true }, edit)).toMatchObject({ ok: true, path: file });
  return readFileSync(file, 'utf8');
}

function sectionOf(text: string): SkillsSection {
  const parsed = parseConfig(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.section;
}

const addPdf = (editor: ConfigEditor): void => editor.add('disabled', 'pdf');

describe('an edit of config.yaml', () => {
  test('creates the file and its folders if there are none', async () => {
    const file = join(makeTree(), 'home/.agent/config.yaml');
    expect(await editConfig({ file, isUsers: true }, addPdf)).toEqual({ ok: true, path: file, changed: ['disabled'] });
    expect(readFileSync(file, 'utf8')).toBe(`${SCHEMA_LINE}skills:\n  disabled:\n    - pdf\n`);
    expect(readdirSync(join(file, '..'))).toEqual(['config.schema.json', 'config.yaml']);
  });

  test('adds to a list only if the value is new', async () => {
    const once = await edited('skills:\n  disabled:\n    - a\n', addPdf);
    expect(once).toBe('skills:\n  disabled:\n    - a\n    - pdf\n');
    expect(await edited(once, addPdf)).toBe(once);
  });

  test('removes from a list, even if there is nothing to remove', async () => {
    const text = 'skills:\n  disabled:\n    - a\n    - pdf\n';
    const remove = (editor: ConfigEditor): void => editor.remove('disabled', 'pdf');
    expect(await edited(text, remove)).toBe('skills:\n  disabled:\n    - a\n');
    expect(sectionOf(await edited('other: 1\n', remove))).toEqual({});
  });

  test.each([
    'skills:\n  disabled:\n    - pdf # why\n    - a\n',
    'skills:\n  disabled:\n    # why\n    - pdf\n',
    'skills:\n  disabled:\n    - a # it\n    # why\n    - pdf # not\n  enabled: true\n',
  ])('removes from a list and keeps its comments: %j', async (text) => {
    const after = await edited(text, (editor) => editor.remove('disabled', 'pdf'));
    expect(sectionOf(after).disabled).toEqual(text.includes('- a') ? ['a'] : []);
    for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment);
  });

  test('that would lose a comment is refused, and the file stays unchanged', async () => {
    const text = 'skills:\n  disabled:\n    - pdf # why\n';
    const file = join(makeTree({ 'config.yaml': text }), 'config.yaml');
    expect(await editConfig({ file, isUsers: true }, (editor) => editor.set('disabled', ['a']))).toMatchObject({
      ok: false,
      next: { edit: expect.stringContaining('config.yaml') },
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('sets, replaces and removes a value', async () => {
    const set = await edited('skills:\n  enabled: true\n', (editor) => {
      editor.set('enabled', false);
      editor.set('plugins', [{ url: 'https://example.org/a', enabled: true }]);
    });
    expect(sectionOf(set)).toEqual({ enabled: false, plugins: [{ url: 'https://example.org/a', enabled: true }] });
    const taken = await edited(set, (editor) => editor.set('plugins', undefined));
    expect(sectionOf(taken)).toEqual({ enabled: false });
  });

  test.each([
    undefined,
    '',
    '# nothing yet\n',
    'other: 1\n',
    'skills:\n',
    'skills:\n  # disabled: [a]\n',
    'skills: {}\n',
    'skills:\n  disabled:\n',
    'other: 1',
  ])('adds a setting to a file without it: %j', async (text) => {
    const after = await edited(text, addPdf);
    expect(sectionOf(after)).toEqual({ disabled: ['pdf'] });
    for (const comment of (text ?? '').match(/#.*/g) ?? []) expect(after).toContain(comment);
  });

  test.each([undefined, '', 'other: 1\n', 'skills:\n', 'skills: {}\n'])(
    'may remove a setting that the file does not have: %j',
    async (text) => {
      expect(sectionOf(await edited(text, (editor) => editor.set('enabled', undefined)))).toEqual({});
    },
  );

  test('keeps the items of a list behind an alias', async () => {
    const after = await edited('names: &names [a, b]\nskills:\n  disabled: *names\n', addPdf);
    expect(sectionOf(after).disabled).toEqual(['a', 'b', 'pdf']);
  });

  test('quotes names that YAML would read as something else', async () => {
    const names = ['true', '2048', 'null', '- x', 'a: b', '#c', '"q"', ' blank ', 'zeile\nzwei', '*x', '@at'];
    const after = await edited(undefined, (editor) => {
      for (const name of names) editor.add('disabled', name);
    });
    expect(sectionOf(after).disabled).toEqual(names);
  });

  test('of a linked file changes the file behind the link', async () => {
    const dir = makeTree({ 'dotfiles/config.yaml': 'skills: {}\n', 'config.yaml': link('dotfiles/config.yaml') });
    await editConfig({ file: join(dir, 'config.yaml'), isUsers: true }, addPdf);
    expect(sectionOf(readFileSync(join(dir, 'dotfiles/config.yaml'), 'utf8')).disabled).toEqual(['pdf']);
  });
});

describe('an edit of config.yaml', () => {
  test('keeps every comment, wherever it stands', async () => {
    const text = `# first line

# about the other
other: 1 # beside it

skills: # beside the section
  # about the list
  disabled: # beside the list
    # about a
    - a # beside a
    # after a
  # about the timeout
  scriptTimeout: 30000 # ms
  # last of the section

# last line
`;
    const after = await edited(text, addPdf);
    for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment);
    expect(sectionOf(after)).toEqual({ disabled: ['a', 'pdf'], scriptTimeout: 30_000 });
  });

  test('keeps every other line of a typical file', async () => {
    const text = `# mine
provider: openai
prompt: |
  two  blanks

  and: a colon
skills:
  disabled:
    - a # why
  includeSkills: []
last: "quoted"
`;
    expect(await edited(text, addPdf)).toBe(text.replace('- a # why\n', '- a # why\n    - pdf\n'));
  });

  test.each([
    ['lists without indentation', 'other:\n- a\n- b\n'],
    ['four spaces of indentation', 'other:\n    deep:\n        x: 1\n'],
    ['flow collections without spaces', 'other: {a: 1,b: [2,3]}\n'],
    ['aligned comments', 'a: 1      # one\nbb: 2     # two\n'],
    ['folded text', 'other: >-\n  one\n  two\n\n  three\n'],
    ['several blank lines', 'a: 1\n\n\nb: 2\n'],
    ['numbers and dates as written', 'a: 0x1F\nb: 1_000\nc: 1.50\nd: 2024-01-01\n'],
    ['anchors and aliases', 'base: &base {a: 1}\nother: *base\n'],
  ])('keeps other sections byte for byte: %s', async (_what, other) => {
    const after = await edited(`${other}skills:\n  disabled:\n    - a\n`, addPdf);
    expect(after).toBe(`${other}skills:\n  disabled:\n    - a\n    - pdf\n`);
  });

  test('keeps Windows line endings', async () => {
    const after = await edited('other: 1\r\nskills:\r\n  disabled:\r\n    - a\r\n', addPdf);
    expect(after).toBe('other: 1\r\nskills:\r\n  disabled:\r\n    - a\r\n    - pdf\r\n');
  });

  test('keeps commented-out items of an empty list', async () => {
    const after = await edited('skills:\n  disabled: # none yet\n    # - gh\n  enabled: true\n', addPdf);
    expect(after).toContain('# none yet');
    expect(after).toContain('# - gh');
    expect(sectionOf(after)).toEqual({ disabled: ['pdf'], enabled: true });
  });

  test('keeps a comment about the setting after the section', async () => {
    const after = await edited('skills:\n  disabled:\n    - a\n    # in it\n# about other\nother: 1\n', addPdf);
    expect(after).toContain('\n# about other\nother: 1\n');
  });
});

describe('a name that is a number in config.yaml', () => {
  test('is the same name with and without quotes', async () => {
    const add = (editor: ConfigEditor): void => editor.add('disabled', '404');
    const remove = (editor: ConfigEditor): void => editor.remove('disabled', '404');
    expect(sectionOf(await edited('skills:\n  disabled: [404, a]\n', add)).disabled).toEqual(['404', 'a']);
    expect(sectionOf(await edited('skills:\n  disabled: [404, a]\n', remove)).disabled).toEqual(['a']);
  });
});

describe('an edit of config.yaml', () => {
  /** The whole meaning of a file, with the edit that was asked for. */
  function meaningWith(text: string, disabled: readonly string[]): unknown {
    const whole: Readonly<Record<string, unknown>> = parse(text) ?? {};
    const skills = whole['skills'] ?? {};
    return { ...whole, skills: { ...skills, disabled } };
  }

  const commentsIn = (text: string): readonly string[] => (text.match(/#.*/g) ?? []).toSorted();

  async function expectRightOrRefused(text: string): Promise<void> {
    const before = sectionOf(text).disabled ?? [];
    const file = join(makeTree({ 'config.yaml': text }), 'config.yaml');
    const outcome = await editConfig({ file, isUsers: true }, addPdf);
    const after = readFileSync(file, 'utf8');
    const expected = outcome.ok ? meaningWith(text, [...before, 'pdf']) : (parse(text) ?? {});
    expect(parse(after) ?? {}).toEqual(expected);
    expect(commentsIn(after)).toEqual(commentsIn(text));
    expect(outcome.ok || after === text).toBe(true);
  }

  test.each([
    ['an alias to a list elsewhere', 'names: &names [a]\nskills:\n  ignoredSkills: *names\n  disabled: [b]\n'],
    ['a section that is an alias', 'base: &base {disabled: [a]}\nskills: *base\n'],
    ['an indented document', '  skills:\n    disabled:\n      - a\n  other: 1\n'],
    ['a document with an end', 'other: 1\n...\n'],
    ['a document with a beginning and an end', '%YAML 1.2\n---\nskills:\n  disabled: [a]\n...\n# after\n'],
    ['a document that is null', '~\n'],
    ['an explicit key', '? skills\n: disabled: [a]\n'],
    ['a quoted key', '"skills":\n  disabled: [a]\nother: 1\n'],
    ['one line of JSON', '{"other": 1, "skills": {"disabled": ["a"]}}\n'],
    ['a byte order mark', '\uFEFFskills:\n  disabled: [a]\nother: 1\n'],
    ['a tag', 'skills: !!map\n  disabled: !!seq [a]\n'],
    ['a block of text at the end of the section', 'skills:\n  userDir: |\n    x\n\n\nother: 1\n'],
    ['a null with a comment', 'skills: ~ # none yet\nother: 1\n'],
  ])('is done right or refused for %s', async (_what, text) => {
    await expectRightOrRefused(text);
    expect(sectionOf(text)).toBeTypeOf('object');
  });

  test('is done right or refused for any combination of YAML parts', async () => {
    const other = fc.constantFrom(
      'a: 1\n',
      '# comment\n',
      '\n',
      'b:\n- x\n- y # why\n',
      'c: {d: [1, 2]}\n',
      'e: |\n  text\n\n   more\n',
      'f: &f [g]\n',
      '"h": "i: j"\n',
    );
    const setting = fc.constantFrom(
      '  disabled: [a]\n',
      '  disabled:\n    - a\n    # later\n    - b\n',
      '  disabled:\n  - a\n',
      '  disabled:\n',
      '  enabled: true # yes\n',
      '  # comment\n',
      '\n',
      '  includeSkills:\n    - "x*"\n',
      '  userDir: >-\n    ~/one\n\n',
      '# at the margin\n',
    );
    const section = fc.oneof(
      fc.array(setting, { maxLength: 5 }).map((settings) => `skills:\n${settings.join('')}`),
      fc.constantFrom('', 'skills: {}\n', 'skills: {disabled: [a], enabled: true} # c\n', 'skills: ~\n'),
    );
    const others = fc.array(other, { maxLength: 4 }).map((parts) => parts.join(''));
    const text = fc
      .tuple(fc.constantFrom('', '---\n', '# first\n'), others, section, others, fc.constantFrom('', '...\n', '# last'))
      .map((parts) => parts.join(''))
      .filter((candidate) => parseConfig(candidate).ok);
    await fc.assert(fc.asyncProperty(text, expectRightOrRefused), { numRuns: propertyRuns(200), seed: 20261115 });
    expect(parseConfig('skills: {}\n').ok).toBe(true);
  });
});

describe('editing an invalid config.yaml', () => {
  test.each([
    ['broken YAML', 'a: 1\nskills: {disabled: [x}\n', 2],
    ['a wrong value in the setting', 'skills:\n  disabled: gh\n', 2],
    ['a list instead of a mapping', '- a\n', 1],
  ])('with %s is refused and changes no byte', async (_what, text, line) => {
    const dir = makeTree({ 'config.yaml': text });
    const file = join(dir, 'config.yaml');
    const before = statSync(file);
    const refused = await editConfig({ file, isUsers: true }, addPdf);
    expect(refused).toEqual({
      ok: false,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${file}:${line}: `),
      next: { edit: expect.stringContaining('config.yaml') },
    });
    const after = statSync(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(readdirSync(dir)).toEqual(['config.yaml']);
  });

  test('works if another setting is wrong, and keeps the wrong value', async () => {
    const text = 'skills:\n  enabled: maybe\n  ignoredSkills: gh\n';
    const file = join(makeTree({ 'config.yaml': text }), 'config.yaml');
    expect(await editConfig({ file, isUsers: true }, addPdf)).toMatchObject({ ok: true, changed: ['disabled'] });
    expect(readFileSync(file, 'utf8')).toBe(`${text}  disabled:\n    - pdf\n`);
  });

  test('with a wrong list entry keeps that entry when another is added', async () => {
    const file = join(makeTree({ 'config.yaml': 'skills:\n  disabled:\n    - gh: too loud\n' }), 'config.yaml');
    expect(await editConfig({ file, isUsers: true }, addPdf)).toMatchObject({ ok: true });
    expect(readFileSync(file, 'utf8')).toBe('skills:\n  disabled:\n    - gh: too loud\n    - pdf\n');
  });

  test('with an unknown alias is refused', async () => {
    const file = join(makeTree({ 'config.yaml': 'skills: *nope\n' }), 'config.yaml');
    expect(await editConfig({ file, isUsers: true }, addPdf)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(readFileSync(file, 'utf8')).toBe('skills: *nope\n');
  });

  test('is refused if it cannot be read', async () => {
    const file = join(makeTree({ 'config.yaml/': '' }), 'config.yaml');
    expect(await editConfig({ file, isUsers: true }, addPdf)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
  });
});

test('two processes that edit config.yaml at once lose nothing', async () => {
  const dir = makeTree({ 'config.yaml': '# kept\n' });
  const file = join(dir, 'config.yaml');
  const code = `
    import { editConfig } from ${JSON.stringify(sourceUrl('config/edit-config.ts'))};
    const [file, name] = process.argv.slice(1);
    const outcomes = [];
    for (let round = 0; round < 25; round += 1)
      outcomes.push(await editConfig({ file, isUsers: true }, (editor) => editor.add('disabled', name + round)));
    console.log(JSON.stringify(outcomes.filter((outcome) => !outcome.ok)));`;
  expect(await Promise.all([runModule(code, [file, 'a']), runModule(code, [file, 'b'])])).toEqual([[], []]);
  const text = readFileSync(file, 'utf8');
  const expected = ['a', 'b'].flatMap((name) => Array.from({ length: 25 }, (_, round) => `${name}${round}`));
  expect(sectionOf(text).disabled?.toSorted()).toEqual(expected.toSorted());
  expect(text).toContain('# kept');
  expect(readdirSync(dir)).toEqual(['config.yaml']);
});
