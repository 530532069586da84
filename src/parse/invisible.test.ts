import { describe, expect, test } from 'vitest';

import { findInvisible } from './invisible.ts';

const ENGLAND = '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';

describe('an invisible character', () => {
  test.each([
    ['a tag character', 'x\u{E0041}', { kind: 'tag', codePoint: 'U+E0041', offset: 1, line: 1 }],
    ['a right-to-left override', 'one\ntwo \u202Ethree', { kind: 'bidi', codePoint: 'U+202E', offset: 8, line: 2 }],
    ['an isolate', '\u2066x', { kind: 'bidi', codePoint: 'U+2066', offset: 0, line: 1 }],
    ['an Arabic letter mark', 'x\u061C', { kind: 'bidi', codePoint: 'U+061C', offset: 1, line: 1 }],
    ['a zero-width space', 'a\u200Bb', { kind: 'zero-width', codePoint: 'U+200B', offset: 1, line: 1 }],
    ['a word joiner', '\n\na\u2060b', { kind: 'zero-width', codePoint: 'U+2060', offset: 3, line: 3 }],
    ['a byte-order mark inside', 'a\uFEFFb', { kind: 'zero-width', codePoint: 'U+FEFF', offset: 1, line: 1 }],
    ['a joiner between letters', 'a\u200Db', { kind: 'zero-width', codePoint: 'U+200D', offset: 1, line: 1 }],
    ['a selector after a letter', 'a\uFE0Fb', { kind: 'selector', codePoint: 'U+FE0F', offset: 1, line: 1 }],
    ['a second selector', '☺\uFE0F\uFE0E', { kind: 'selector', codePoint: 'U+FE0E', offset: 2, line: 1 }],
    ['a selector after a digit', '1\uFE0F.', { kind: 'selector', codePoint: 'U+FE0F', offset: 1, line: 1 }],
    ['a supplementary selector', '葛\u{E0100}', { kind: 'selector', codePoint: 'U+E0100', offset: 1, line: 1 }],
    ['a Mongolian selector', 'a\u180B', { kind: 'selector', codePoint: 'U+180B', offset: 1, line: 1 }],
    ['a Hangul filler', 'a\u3164', { kind: 'blank', codePoint: 'U+3164', offset: 1, line: 1 }],
    ['a half-width filler', 'a\uFFA0', { kind: 'blank', codePoint: 'U+FFA0', offset: 1, line: 1 }],
    ['a filler for jamo', 'a\u115F', { kind: 'blank', codePoint: 'U+115F', offset: 1, line: 1 }],
    ['blank Braille', 'a\u2800b', { kind: 'blank', codePoint: 'U+2800', offset: 1, line: 1 }],
    ['an annotation', 'a\uFFF9', { kind: 'zero-width', codePoint: 'U+FFF9', offset: 1, line: 1 }],
    ['a grapheme joiner', 'a\u034F', { kind: 'zero-width', codePoint: 'U+034F', offset: 1, line: 1 }],
    ['a soft hyphen', 'a\u00AD', { kind: 'zero-width', codePoint: 'U+00AD', offset: 1, line: 1 }],
    ['a noncharacter', 'a\uFFFE', { kind: 'zero-width', codePoint: 'U+FFFE', offset: 1, line: 1 }],
    [
      'a joiner after an emoji and no other',
      '👩\u200Db',
      { kind: 'zero-width', codePoint: 'U+200D', offset: 2, line: 1 },
    ],
    ['a joiner after a blank', ' \u200Cb', { kind: 'zero-width', codePoint: 'U+200C', offset: 1, line: 1 }],
  ])('is found with code point, offset and line: %s', (_, text, character) => {
    expect(findInvisible(text)).toEqual([character]);
  });

  test('is found with an offset in UTF-16 units, as JavaScript counts', () => {
    const text = '😀\u200B';
    const [character] = findInvisible(text);
    expect(character?.offset).toBe(2);
    expect(text.charCodeAt(2)).toBe(0x200b);
  });

  test('is found up to five times by default, or as often as the caller asks', () => {
    const hidden = Array.from('ignore all', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const found = findInvisible(`Fill forms.${hidden}`);
    expect(found.map(({ codePoint }) => codePoint)).toEqual(['U+E0069', 'U+E0067', 'U+E006E', 'U+E006F', 'U+E0072']);
    expect(found.map(({ offset }) => offset)).toEqual([11, 13, 15, 17, 19]);
    expect(findInvisible(hidden, 2)).toHaveLength(2);
  });

  test('is found if it is a tag in an unfinished flag emoji', () => {
    expect(findInvisible(ENGLAND.slice(0, -2))).toHaveLength(5);
  });

  test('is found if it is a tag in a flag emoji of no country', () => {
    expect(findInvisible('🏴\u{E0072}\u{E006D}\u{E007F}')).toHaveLength(3);
  });

  test('is found if it is a tag after a finished flag emoji', () => {
    expect(findInvisible(`${ENGLAND}\u{E0041}`)).toEqual([
      { kind: 'tag', codePoint: 'U+E0041', offset: ENGLAND.length, line: 1 },
    ]);
  });
});

describe('legitimate text', () => {
  test.each([
    ['plain text', 'Fill PDF forms.\n'],
    ['emoji families', '👨‍👩‍👧'],
    ['emoji with variation selectors', '☺️ 1️⃣ ❤️‍🔥 🏳️‍🌈'],
    ['emoji with a skin tone', '👩🏽‍🚀'],
    ['the flag of England', `go ${ENGLAND}!`],
    ['two flags side by side', ENGLAND + ENGLAND],
    ['Persian with a non-joiner', 'می\u200Cخواهم'],
    ['Hindi with a joiner', 'क्\u200Dष'],
    ['Mongolian with a selector', 'ᠠ\u180B'],
    ['a picture in Braille', '\u2800⣿\u2800\u2800⣿'],
    ['Chinese', '填写表格。'],
    ['Hebrew and Arabic', 'שלום مرحبا'],
  ])('has no invisible character to report: %s', (_, text) => {
    expect(findInvisible(text)).toEqual([]);
  });
});

test('control characters are reported as invisible, except tabs and line ends', () => {
  expect(findInvisible('a\0b\u001B[31m\tc\n\r\u0085\x04')).toEqual([
    { kind: 'control', codePoint: 'U+0000', offset: 1, line: 1 },
    { kind: 'control', codePoint: 'U+001B', offset: 3, line: 1 },
    { kind: 'control', codePoint: 'U+0085', offset: 12, line: 2 },
    { kind: 'control', codePoint: 'U+0004', offset: 13, line: 2 },
  ]);
});

test('half of a surrogate pair is reported as invisible', () => {
  expect(findInvisible('a\uD83Db 🙂')).toEqual([{ kind: 'control', codePoint: 'U+D83D', offset: 1, line: 1 }]);
});
