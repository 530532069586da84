import { describe, expect, test } from 'vitest';

import { codes, fenced, flaw, parsed } from '../../test/support/parsed.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { parseSkill, type ParseOutcome } from './parse-skill.ts';

const TEXT = '---\nname: demo\ndescription: Fills forms.\n---\n\n# Title\n\nDo it.\n';

function parse(content: string | Uint8Array): ParseOutcome {
  return parseSkill(content, { dir: '/skills/demo', file: '/skills/demo/SKILL.md' });
}

/** Matches a refusal: one diagnostic, and the same words in the outcome. */
function refusal(words: string, line?: number): object {
  const message = expect.stringContaining(words);
  const at = line === undefined ? {} : { line };
  return {
    ok: false,
    code: 'PARSE_FAILED',
    message,
    diagnostics: [{ code: 'PARSE_FAILED', severity: 'error', path: '/skills/demo/SKILL.md', message, ...at }],
  };
}

describe('a SKILL.md', () => {
  const expected = parse(TEXT);

  test('gives a skill with its id from the directory and its body trimmed', () => {
    expect(expected).toMatchObject({
      ok: true,
      body: '# Title\n\nDo it.',
      skill: { id: 'demo', dir: '/skills/demo', file: '/skills/demo/SKILL.md', name: 'demo', diagnostics: [] },
    });
  });

  test.each<[string, string | Uint8Array]>([
    ['as bytes and as text', Buffer.from(TEXT)],
    ['with a byte-order mark', `\uFEFF${TEXT}`],
    ['with a byte-order mark, as bytes', Buffer.from(`\uFEFF${TEXT}`)],
    ['with CRLF', TEXT.replaceAll('\n', '\r\n')],
    ['with lone CR', TEXT.replaceAll('\n', '\r')],
    ['with CRLF and a byte-order mark', `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`],
    ['with blank lines before the fence', `\n \n\t\n${TEXT}`],
    ['with blanks after the fences', TEXT.replaceAll('---\n', '---  \t\n')],
    ['without a final newline', TEXT.trimEnd()],
    ['with blank lines after the body', `${TEXT}\n\n  \n`],
    ['from the middle of a larger buffer', Buffer.from(`xx${TEXT}yy`).subarray(2, -2)],
  ])('gives the same skill %s', (_, content) => {
    expect(parse(content)).toEqual(expected);
  });

  test('gives another text digest if the text differs, even by a blank before the fence', () => {
    const digests = [TEXT, ` ${TEXT}`, TEXT.replace('Do it.', 'Do so.')].map((text) => parsed(text).textDigest);
    expect(new Set(digests).size).toBe(3);
  });

  test('is called SKILL.md unless another name is given', () => {
    expect(parsed(TEXT).file).toMatch(/demo.SKILL\.md$/);
  });
});

describe('when a SKILL.md is loaded', () => {
  test('a closing fence at the end of the file gives an empty body', () => {
    expect(parse('---\nname: demo\ndescription: d\n---')).toMatchObject({
      ok: true,
      body: '',
      skill: { diagnostics: [] },
    });
  });

  test('--- inside a value or a block scalar is text', () => {
    const skill = parsed('---\nname: demo\ndescription: before --- after\nnote: |\n  a\n  ---\n  b\n---\nBody');
    expect([skill.description, skill.extra['note']]).toEqual(['before --- after', 'a\n---\nb\n']);
  });

  test('without frontmatter, its text is the body and the directory gives the name', () => {
    const outcome = parse('# Title\n\nDo this. Then that.\n');
    expect(outcome).toMatchObject({
      ok: true,
      body: '# Title\n\nDo this. Then that.',
      skill: { name: 'demo', title: 'Title', description: '', brief: 'Do this' },
    });
    expect(outcome.ok && codes(outcome.skill)).toEqual(['FRONTMATTER_MISSING', 'DESCRIPTION_MISSING']);
  });

  test('unclosed frontmatter is read as far as it goes, and reported', () => {
    const outcome = parse('---\nname: demo\ndescription: d\n\n# Title\n\nText.\n');
    expect(outcome).toMatchObject({ ok: true, body: '# Title\n\nText.', skill: { name: 'demo', description: 'd' } });
    expect(outcome.ok && flaw(outcome.skill, 'FRONTMATTER_NOT_CLOSED')).toMatchObject({ severity: 'warning', line: 1 });
  });

  test('empty frontmatter counts as frontmatter', () => {
    expect(parsed('---\n---\nBody').diagnostics).toEqual([expect.objectContaining({ code: 'DESCRIPTION_MISSING' })]);
  });
});

describe('broken YAML in a SKILL.md', () => {
  test('with an unquoted colon is read as intended, and the diagnostic shows the line and the fix', () => {
    const skill = parsed('\n---\nname: demo\ndescription: Use when: asked\n---\n');
    expect(skill.description).toBe('Use when: asked');
    expect(flaw(skill, 'YAML_RECOVERED')).toEqual({
      code: 'YAML_RECOVERED',
      severity: 'warning',
      path: expect.stringMatching(/demo.SKILL\.md$/),
      line: 4,
      field: 'description',
      message: 'invalid YAML was read as intended; write description: "Use when: asked"',
    });
  });

  test.each([
    ['a leading @', '@claude fills forms'],
    ['a leading backquote', '`pdf` forms'],
    ['a leading %', '%PDF forms'],
    ['a leading *', '*Fills* forms'],
    ['[a] [b]', '[file] [format]'],
    ['text after a closing quote', '"PDF" forms'],
  ])('with %s is read as intended', (_, description) => {
    const skill = parsed(fenced(`name: demo\ndescription: ${description}`));
    expect(skill.description).toBe(description);
    expect(flaw(skill, 'YAML_RECOVERED')).toMatchObject({ line: 3, field: 'description' });
  });

  test('is reported for every recovered value', () => {
    const skill = parsed(fenced('name: demo\ndescription: a: b\nmetadata:\n  author: @me\ntags:\n  - `x`'));
    expect(skill).toMatchObject({ description: 'a: b', metadata: { author: '@me' }, tags: ['`x`'] });
    const recovered = skill.diagnostics.filter(({ code }) => code === 'YAML_RECOVERED');
    expect(recovered.map(({ line, field }) => [line, field])).toEqual([
      [3, 'description'],
      [5, 'author'],
      [7, ''],
    ]);
  });

  test('indented with tabs is read as intended and reported', () => {
    const skill = parsed(fenced('name: demo\ndescription: d\nmetadata:\n\tauthor: me'));
    expect(skill.metadata).toEqual({ author: 'me' });
    expect(flaw(skill, 'YAML_RECOVERED')).toMatchObject({ severity: 'warning', line: 5 });
  });

  test('is the only YAML that is recovered; valid YAML is left alone', () => {
    expect(parsed(fenced('name: demo\ndescription: "a: b" # c')).diagnostics).toEqual([]);
  });

  test.for([
    ['a list', fenced('- a\n- b'), 'must be a mapping', 2],
    ['a text', fenced('just text'), 'must be a mapping', 2],
    ['flow style that is broken', fenced('{name: demo, x: a: b}'), 'invalid YAML', 2],
    ['an alias', fenced('name: demo\ndescription: &a b\nlicense: *a'), 'aliases (*name) are not allowed', 4],
  ] as const)('that cannot be recovered is refused: %s', ([, text, words, line]) => {
    expect(parse(text)).toEqual(refusal(words, line));
  });

  test('that is an alias bomb is refused', () => {
    const bomb = Array.from(
      { length: 9 },
      (_, at) => `a${at}: &a${at} [${at === 0 ? 'x' : `*a${at - 1},*a${at - 1}`}]`,
    );
    expect(parse(fenced(bomb.join('\n')))).toEqual(refusal('aliases (*name) are not allowed', 3));
  });
});

describe('a frontmatter key', () => {
  test('that is given twice has its first value, and the second is reported with its line', () => {
    const skill = parsed(fenced('name: demo\ndescription: first\ndescription: second'));
    expect(skill.description).toBe('first');
    expect(flaw(skill, 'DUPLICATE_KEY')).toMatchObject({ severity: 'warning', field: 'description', line: 4 });
  });

  test('that is given twice or refused is reported even beside recovered values', () => {
    const skill = parsed(fenced('name: demo\nname: two\n__proto__: x\ndescription: a: b'));
    expect(codes(skill)).toEqual(expect.arrayContaining(['YAML_RECOVERED', 'DUPLICATE_KEY', 'KEY_REFUSED']));
  });
});

describe('the limits of a SKILL.md', () => {
  test('allow a file of 1 MiB and not one byte more', () => {
    const full = `${TEXT}${'x'.repeat(MAX_SKILL_FILE_BYTES - TEXT.length)}`;
    for (const content of [full, Buffer.from(full)]) expect(parse(content)).toMatchObject({ ok: true });
    for (const content of [`${full}x`, Buffer.from(`${full}x`)]) {
      expect(parse(content)).toEqual(refusal('the file is larger than 1048576 bytes'));
    }
  });

  test('refuse frontmatter of more than 32 KiB before parsing it', () => {
    const keys = Array.from({ length: 16_000 }, (_, at) => `k${at}: v`).join('\n');
    expect(parse(fenced(keys))).toEqual(refusal('the frontmatter is larger than 32768 bytes', 2));
  });

  test.each([
    ['10,000 brackets that close', `name: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['10,000 brackets that do not close', `name: ${'['.repeat(10_000)}`],
    ['10,000 braces', `name: ${'{'.repeat(10_000)}`],
    ['5,000 dashes', `name:\n  ${'- '.repeat(5_000)}a`],
    ['5,000 dashes alone', '- '.repeat(5_000)],
    ['30,000 question marks', '? '.repeat(30_000)],
    ['60,000 quotes', '"'.repeat(60_000)],
  ])('turn %s into a diagnostic without internal messages of the parser', (_, yaml) => {
    const outcome = parse(fenced(yaml));
    const diagnostics = outcome.ok ? outcome.skill.diagnostics : outcome.diagnostics;
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.map(({ message }) => message).join('\n')).not.toMatch(/call stack|RangeError/);
  });
});

describe('the encoding of a SKILL.md', () => {
  test.each([
    ['little-endian', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['big-endian', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
  ])('is refused by name if it is UTF-16, %s', (_, bytes) => {
    expect(parse(bytes)).toEqual(refusal('the file is UTF-16; save it as UTF-8'));
  });

  test('is refused if it is not valid UTF-8', () => {
    const bytes = Buffer.from(TEXT.replace('Fills', 'Caf\u00e9'), 'latin1');
    expect(parseSkill(bytes, { dir: '/skills/pdf' })).toMatchObject({
      code: 'PARSE_FAILED',
      message: '/skills/pdf/SKILL.md: the file is not valid UTF-8',
    });
  });

  test('may include a genuine replacement character', () => {
    expect(parsed(Buffer.from(TEXT.replace('Fills', '\uFFFD'))).diagnostics).toEqual([]);
  });

  test.each([
    ['', 'nothing'],
    [' \n\t\n', 'blanks'],
    ['\uFEFF', 'a byte-order mark'],
  ])('does not matter for a file of %j, which is refused as empty', (text) => {
    expect(parse(text)).toEqual(refusal('the file is empty'));
    expect(parse(Buffer.from(text))).toEqual(refusal('the file is empty'));
  });
});

describe('an invisible character in a SKILL.md', () => {
  test.for([
    ['a tag in the description', 'error', 'U+E0041', TEXT.replace('forms', 'forms\u{E0041}')],
    ['a right-to-left override in the body', 'error', 'U+202E', TEXT.replace('Do', '\u202EDo')],
    ['a zero-width space in the name', 'warning', 'U+200B', TEXT.replace('demo', 'de\u200Bmo')],
  ] as const)('is reported with code point and offset: %s', ([, severity, codePoint, text]) => {
    const offset = text.search(/[\u{E0041}\u202E\u200B]/u);
    expect(flaw(parsed(text), 'INVISIBLE_CHARACTER')).toMatchObject({
      severity,
      line: text.slice(0, offset).split('\n').length,
      message: expect.stringContaining(`${codePoint} at offset ${offset} `),
    });
  });

  test('is not reported if it is part of an emoji or a script that needs it', () => {
    const honest = '👨‍👩‍👧 ❤️‍🔥 می\u200Cخواهم 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 填写。';
    expect(parsed(TEXT.replace('Do it.', honest)).diagnostics).toEqual([]);
  });
});

test('UTF-16 without a byte-order mark is recognized and refused in either byte order', () => {
  const little = Buffer.from('---\nname: a\n---\n', 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    expect(parseSkill(bytes, { dir: '/skills/a' })).toMatchObject({
      ok: false,
      code: 'PARSE_FAILED',
      message: '/skills/a/SKILL.md: the file is UTF-16; save it as UTF-8',
    });
  }
});
