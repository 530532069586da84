import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { fold, openPhrases } from './phrases.ts';

const SEED = 20_261_115;

function isIn(phrase: string, text: string): boolean {
  return findAll([phrase], text).length === 1;
}

function findAll(phrases: readonly string[], text: string): readonly string[] {
  const all = openPhrases<string>();
  for (const phrase of phrases) all.add(fold(phrase), phrase);
  return [...all.findIn(text)];
}

describe('a trigger phrase', () => {
  test.each<[string, readonly [string, readonly string[], readonly string[]]]>([
    ['as a whole word', ['form', ['form', 'the form.', '(form)', '"Form"', 'a/form/b', 'form’s'], ['forms', 'reform']]],
    ['in any case', ['Straße', ['STRASSE', 'strasse', 'straße'], ['stras']]],
    ['with or without accents', ['Café', ['cafe', 'CAFÉ', 'cafe\u0301'], ['caf']]],
    ['in any width', ['pdf', ['ＰＤＦ'], []]],
    ['whatever sigma ends it', ['ΟΔΟΣ', ['οδος', 'οδοσ', 'οδος.gr'], []]],
    ['with soft hyphens and joiners inside', ['deploy', ['de\u00ADploy', 'de\u200Dploy'], ['de ploy']]],
    ['with any apostrophe', ["what's new", ['What’s new', 'whatʼs new'], ['whats new']]],
    [
      'with blanks, hyphens and underscores alike',
      [
        'pull request',
        ['pull-request', 'PULL_REQUEST', 'pull \n request', 'pull – request', 'pull\u2011request', 'pull\u00A0request'],
        ['pullrequest', 'pull, request', 'pull requests', 'pull the request'],
      ],
    ],
    ['with hyphens only in the phrase', ['-pull-request_', ['pull request'], ['pullrequest']]],
    ['in any script', ['форма', ['Форма для', 'ФОРМА'], ['формат']]],
    ['with the marks that are letters', ['हिन्दी', ['हिन्दी में'], ['हिन्दीभाषा']]],
    ['with digits', ['k8s', ['use K8s!'], ['k8', 'k8sx', '1k8s']]],
  ])('is found %s', (_, [phrase, good, bad]) => {
    expect(good.filter((text) => !isIn(phrase, text))).toEqual([]);
    expect(bad.filter((text) => isIn(phrase, text))).toEqual([]);
  });
});

describe('signs in a trigger phrase', () => {
  test.each([
    [
      'c++',
      ['use C++.', 'c++/rust', 'c++', '(c++)', 'c++17', 'c++, please', 'c++-code'],
      ['c', 'c+', 'c+++', 'xc++', 'c++x'],
    ],
    ['c', ['c', 'use C.', 'c/c++', 'c-d', 'c+d', 'c#1', "c's"], ['c++', 'c#', 'c+', 'c++17', 'c#.']],
    ['c#', ['c#', 'C#10', 'c#.'], ['c', 'c##', 'c#x']],
    ['c+', ['c+ d'], ['c++']],
    ['.net', ['.NET', 'use .net core', '(.net)'], ['net', 'asp.net', '.network']],
    ['net', ['net', '.net', 'asp.net'], ['network']],
    ['node.js', ['Node.js', 'node.js.'], ['nodejs', 'node js', 'node. js', 'node.jsx']],
    ['ci/cd', ['CI/CD'], ['ci cd']],
    ['@types', ['see @types/node'], ['types', 'me@types']],
    ['++', ['++', 'a ++ b'], ['c++', '+', '+++', '++i']],
    ['🚀', ['🚀', 'ship it🚀now', '🚀🚀'], ['ship']],
    ['❤️', ['❤', 'I ❤️ it'], []],
    ['what?', ['what?', 'what??'], ['what', 'what ?']],
  ])('count: %s', (phrase, good, bad) => {
    expect(good.filter((text) => !isIn(phrase, text))).toEqual([]);
    expect(bad.filter((text) => isIn(phrase, text))).toEqual([]);
  });
});

describe('a trigger phrase in a script without blanks', () => {
  test.each([
    ['部署', ['请帮我部署服务', '部署'], ['部', '署部']],
    ['サーバー', ['サーバーを', 'サーバーA'], ['サーバ']],
    ['デプロイ', ['本番にデプロイして'], ['デプロ']],
    ['ติดตั้ง', ['ช่วยติดตั้งให้หน่อย'], ['ติด']],
    ['배포', ['배포를 해줘', '자동배포'], ['배 포']],
    ['python脚本', ['写一个 Python 脚本', 'python脚本'], ['python 3 脚本', 'cpython脚本']],
    ['python', ['用python写', '用 python 写'], ['用pythonic写']],
    ['机器 学习', ['机器学习', '机器 学习'], ['机器的学习']],
  ])('is found among its neighbours: %s', (phrase, good, bad) => {
    expect(good.filter((text) => !isIn(phrase, text))).toEqual([]);
    expect(bad.filter((text) => isIn(phrase, text))).toEqual([]);
  });
});

describe('many trigger phrases', () => {
  test('are found in text order, each once, even inside one another', () => {
    const phrases = ['review', 'code review', 'code', 'code review checklist', 'review of code', 'absent'];
    expect(findAll(phrases, 'Review: a code review, then code review')).toEqual(['review', 'code', 'code review']);
  });

  test('with the same spelling all match', () => {
    const all = openPhrases<number>();
    for (const value of [1, 2, 3]) all.add('x', value);
    expect([...all.findIn('x x')]).toEqual([1, 2, 3]);
  });

  test('that are empty or extremely long are never found', () => {
    const endless = 'x '.repeat(50_000);
    expect(findAll(['', '  ', '--', '\u0301', endless], `${endless} -- \u0301`)).toEqual([]);
    const name = 'a-'.repeat(32).slice(0, 63);
    expect(findAll([name], `use ${name}`)).toEqual([name]);
  });
});

describe('for any trigger phrases and text,', () => {
  const units = [
    'a',
    'b',
    'C',
    'é',
    '1',
    '+',
    '++',
    '#',
    '.',
    '/',
    "'",
    ' ',
    '  ',
    '-',
    '_',
    '\n',
    '部',
    'の',
    '배',
    'ก',
    '🚀',
    'ß',
    'Σ',
  ];
  const text = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...units), maxLength });
  const anyText = fc.oneof(
    text(12),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );

  test('matching gives the same result as a slow comparison at every place', () => {
    const phrases = fc.array(text(4), { minLength: 1, maxLength: 6 });
    const cases = phrases.chain((all) =>
      fc.record({
        all: fc.constant(all),
        parts: fc.array(fc.oneof(text(2), fc.constantFrom(...all)), { maxLength: 8 }),
      }),
    );
    let found = 0;
    fc.assert(
      fc.property(cases, ({ all, parts }) => {
        const message = parts.join('');
        const expected = all.filter((phrase) => isInSlowly(fold(phrase), fold(message)));
        const actual = findAll(all, message);
        found += actual.length;
        expect(actual.toSorted()).toEqual([...new Set(expected)].sort());
      }),
      { numRuns: propertyRuns(5_000), seed: SEED },
    );
    expect(found).toBeGreaterThan(propertyRuns(3_000));
  });

  test('a phrase between blanks is found', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, phrase, after) => {
        expect(isIn(phrase, `${before} ${phrase} ${after}`)).toBe(fold(phrase) !== '');
      }),
      { numRuns: propertyRuns(5_000), seed: SEED },
    );
  });

  test('a phrase inside a longer word is not found', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'z', 'é', 'ж', '1'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(letters, letters, letters, (before, word, after) => {
        const isInside = (text: string): boolean => fold(text) !== fold(word) && isIn(word, text);
        expect([`${before}${word}`, `${word}${after}`, `${before}${word}${after}`].filter(isInside)).toEqual([]);
      }),
      { numRuns: propertyRuns(2_000), seed: SEED },
    );
  });

  test('case, accents and the sign between words make no difference', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', 'ж', 'Σ', 'i'), minLength: 1, maxLength: 5 });
    const sign = fc.constantFrom(' ', '-', '_', ' - ', '\n', '–');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), sign, sign, (words, one, other) => {
        expect(isIn(words.join(one), `x ${words.join(other).toUpperCase()} y`)).toBe(true);
        expect(isIn(words.join(one).toUpperCase(), `x ${words.join(other).normalize('NFD').toLowerCase()} y`)).toBe(
          true,
        );
      }),
      { numRuns: propertyRuns(2_000), seed: SEED },
    );
  });

  test('folding a folded text changes nothing', () => {
    fc.assert(
      fc.property(anyText, (one) => {
        expect(fold(fold(one))).toBe(fold(one));
      }),
      { numRuns: propertyRuns(5_000), seed: SEED },
    );
  });
});

/** The rules once more, character by character and without any preparation. */
function isInSlowly(phrase: string, text: string): boolean {
  if (phrase === '') return false;
  const characters = Array.from(text);
  const wanted = Array.from(phrase);
  return characters.some((_, at) => {
    if (wanted.some((character, offset) => characters[at + offset] !== character)) return false;
    const [before = ' ', next = ' ', second = ' '] = [at - 1, at + wanted.length, at + wanted.length + 1].map(
      (place) => characters[place],
    );
    const [first = '', last = ''] = [wanted[0], wanted.at(-1)];
    const isFreeBefore = isOwn(first) || !(isLetter(before) || (/[+#]/.test(first) && /[+#]/.test(before)));
    if (isOwn(last)) return isFreeBefore;
    if (isLetter(next) && !(/\d/.test(next) && !isLetter(last))) return false;
    if (!isLetter(last)) return isFreeBefore && !(/[+#]/.test(last) && /[+#]/.test(next));
    return isFreeBefore && !(/[+#]/.test(next) && !isLetter(second));
  });
}

function isLetter(character: string): boolean {
  return /^[\p{L}\p{N}\p{M}]$/u.test(character) && !isOwn(character);
}

function isOwn(character: string): boolean {
  return /^[部の배ก🚀]$/u.test(character);
}
