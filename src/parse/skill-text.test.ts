import { describe, expect, test } from 'vitest';

import type { Outcome } from '../model/outcome.ts';
import { parseSkill } from './parse-skill.ts';
import { changeSkillText, replaceBody } from './skill-text.ts';

function setField(text: string, field: string, value: string): Outcome<{ readonly text: string }> {
  return changeSkillText(text, { fields: new Map([[field, value]]) });
}

describe('setting a frontmatter field', () => {
  test.each([
    ['that is new', '---\nname: a\n---\nBody\n', '---\nname: a\nversion: "2"\n---\nBody\n'],
    ['that is there', '---\nversion: 1 # old\nname: a\n---\nBody\n', '---\nversion: "2" # old\nname: a\n---\nBody\n'],
    ['with CRLF', '---\r\nname: a\r\n---\r\nBody\r\n', '---\r\nname: a\r\nversion: "2"\r\n---\r\nBody\r\n'],
    ['with CRLF that is there', '---\r\nversion: 1\r\n---\r\nB', '---\r\nversion: "2"\r\n---\r\nB'],
    ['in empty frontmatter', '---\n---', '---\nversion: "2"\n---'],
    ['after a byte-order mark', '\uFEFF---\nname: a\n---\nB', '\uFEFF---\nname: a\nversion: "2"\n---\nB'],
    [
      'after blank lines, with blanks at the fences',
      '\n\n--- \na: b\n---  \nB',
      '\n\n--- \na: b\nversion: "2"\n---  \nB',
    ],
    [
      'and not its namesake elsewhere',
      '---\nm:\n  version: 1\n---\nversion: 1\n',
      '---\nm:\n  version: 1\nversion: "2"\n---\nversion: 1\n',
    ],
    ['beside a value with a line separator', '---\nx: "a\u2028b"\n---\nB', '---\nx: "a\u2028b"\nversion: "2"\n---\nB'],
    ['and not one that begins like it', '---\nversions: 1\n---\n', '---\nversions: 1\nversion: "2"\n---\n'],
  ])('%s leaves every other byte unchanged', (_, text, expected) => {
    expect(setField(text, 'version', '2')).toEqual({ ok: true, text: expected });
  });

  test.each(['$&', '$1 $$', 'a: b # c', '"quoted"', 'back\\slash', 'two\nlines', '---', '中文 😀', ''])(
    'to %j reads back as the same value',
    (value) => {
      for (const text of ['---\nname: demo\nx: old\n---\nBody', '---\nname: demo\n---\nBody']) {
        const set = setField(text, 'x', value);
        expect(set.ok && parseSkill(set.text, { dir: '/skills/demo' })).toMatchObject({
          ok: true,
          body: 'Body',
          skill: { name: 'demo', extra: { x: value } },
        });
      }
    },
  );

  test.each([
    ['Body only', '---\nx: z\n---\n\nBody only'],
    ['', '---\nx: z\n---\n'],
    ['---\nname: a\n', '---\nname: a\nx: z\n---\n'],
    ['Text\n---\nname: a\n---\n', '---\nx: z\n---\n\nText\n---\nname: a\n---\n'],
  ])('adds the frontmatter that %j lacks', (text, expected) => {
    expect(setField(text, 'x', 'z')).toEqual({ ok: true, text: expected });
  });
});

describe('replacing the body of a SKILL.md', () => {
  test.for([
    [
      'keeps the frontmatter byte for byte',
      '---\na:  1 # c\n---\nold',
      '---\nb: 2\n---\n\nnew\n',
      '---\na:  1 # c\n---\n\nnew\n',
    ],
    ['keeps CRLF fences', '---\r\na: 1\r\n---\r\nold', '---\nb: 2\n---\nnew', '---\r\na: 1\r\n---\r\nnew'],
    ['takes all of a source without frontmatter', '---\na: 1\n---\nold', 'new\n', '---\na: 1\n---\nnew\n'],
    ['of a text without frontmatter gives the body alone', 'old', '---\nb: 2\n---\nnew', 'new'],
    ['with nothing keeps the frontmatter', '---\na: 1\n---\nold', '---\nb: 2\n---', '---\na: 1\n---\n'],
    ['keeps rules in the body', '---\na: 1\n---\nold', '---\nb: 2\n---\nx\n---\ny', '---\na: 1\n---\nx\n---\ny'],
  ] as const)('%s', ([, text, source, expected]) => {
    expect(replaceBody(text, source)).toBe(expected);
  });

  test('that ends with its closing fence keeps the fence', () => {
    const text = replaceBody('---\nname: demo\n---', '---\nb: 2\n---\nNew body.\n');
    expect(parseSkill(text, { dir: '/skills/demo' })).toMatchObject({
      ok: true,
      body: 'New body.',
      skill: { name: 'demo', diagnostics: [{ code: 'DESCRIPTION_MISSING' }] },
    });
  });
});
