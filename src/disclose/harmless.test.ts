import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { harmlessBlock, harmlessLine, spellOut, visibleText } from './harmless.ts';

const SEED = 20_261_115;

describe('a skill’s line of text shown to a model', () => {
  test.each([
    ['Fill PDF forms.', 'Fill PDF forms.'],
    ['  padded  \t with\n\nlines\r\nand\u2028more\u0085or\u00a0less ', 'padded with lines and more or less'],
    ['a b ', 'a b'],
    [`far${' '.repeat(900)}away`, 'far away'],
    ['bell\x07 escape\x1b[31m', 'bell\uFFFD escape\uFFFD[31m'],
    ['zero\u200bwidth\u2060', 'zero\uFFFDwidth\uFFFD'],
    ['soft\u00adhyphen', 'soft\uFFFDhyphen'],
    ['right\u202eto left\u2066', 'right\uFFFDto left\uFFFD'],
    ['tags \u{E0049}\u{E0067}\u{E006E}\u{E006F}', 'tags \uFFFD'],
    ['half \ud83d pair', 'half \uFFFD pair'],
    ['annotation\uFFF9', 'annotation\uFFFD'],
    ['selector \uFE0F alone', 'selector \uFFFD alone'],
    ['filler\u3164', 'filler\uFFFD'],
    ['selectors 😀\u{E0100}\u{E0101}', 'selectors 😀\uFFFD'],
    ['selectors 😀\uFE0F\uFE0E\uFE0F', 'selectors 😀\uFE0F\uFFFD'],
    ['selector a\uFE0Fb', 'selector a\uFFFDb'],
    ['blank\u2800Braille', 'blank\uFFFDBraille'],
    ['joiner a\u200Db', 'joiner a\uFFFDb'],
  ])('is made harmless: %j becomes %j', (text, line) => {
    expect(harmlessLine(text)).toBe(line);
  });

  test.each(['👩‍💻 and ❤️‍🔥', 'keycap 1️⃣', 'می‌خواهم', 'क्‍ष', '通过协议支持', 'naïve — “quoted”'])(
    'keeps the invisible characters that its script needs: %s',
    (text) => {
      expect(harmlessLine(text)).toBe(text);
    },
  );
});

test('a skill’s text shown to a model keeps its lines and tabs', () => {
  expect(harmlessBlock('# A\r\n\r\n\tcode  x\u200b\x1b[1m\rb\n')).toBe('# A\n\n\tcode  x\uFFFD[1m\nb\n');
});

describe('a name or path shown to a model', () => {
  test.each([
    ['pdf-forms', 'pdf-forms'],
    ['two  blanks', 'two  blanks'],
    ['a\nb', String.raw`a\u{a}b`],
    ['a\u200b\u{E0041}', String.raw`a\u{200b}\u{e0041}`],
    [String.raw`C:\skills\pdf`, String.raw`C:\skills\pdf`],
    [String.raw`a\u{a}b`, String.raw`a\u{5c}u{a}b`],
    ['👩‍💻', '👩‍💻'],
  ])('is made harmless: %j becomes %j', (name, shown) => {
    expect(visibleText(name)).toBe(shown);
  });

  test('can have chosen characters escaped, too', () => {
    expect(spellOut('a*b, c', /[*,]/g)).toBe(String.raw`a\u{2a}b\u{2c} c`);
  });

  test('looks different from every other', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '\\', 'u{', '}', '\u200b', '\n', '5c', '200b') });
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(visibleText(a) === visibleText(b)).toBe(a === b);
      }),
      { seed: SEED },
    );
  });
});
