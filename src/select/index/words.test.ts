import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { stem, tokensOf, wordsOf } from './words.ts';

describe('search words:', () => {
  test.each([
    [
      'hyphens, underscores and camelCase split',
      'pdf-form_filler parseJson',
      ['pdf', 'form', 'filler', 'pars', 'json'],
    ],
    ['names with signs survive', 'C++ c# .NET Node.js', ['cplusplus', 'csharp', 'dotnet', 'nodejs']],
    ['accents are folded', 'Übersicht café', ['ubersicht', 'cafe'].map(stem)],
    ['stop words go', 'please help me to fill the form', ['fill', 'form']],
    ['Chinese comes in pairs of characters', '填写表格', ['填写', '写表', '表格']],
    ['Japanese keeps its voiced sounds and long vowels', 'ｶﾞｲドを', ['ガイ', 'イド', 'ドを']],
    ['Japanese endings and particles go', 'を 作成してください', ['作成', '成し']],
    ['Korean comes in pairs of syllables, without particles', '보고서를 작성해주세요', ['보고', '고서', '작성']],
    ['Russian words have a light stem, and й is a letter', 'заполнить формы файлов', ['заполн', 'форм', 'файл']],
    ['other scripts are words too', 'φόρμα', ['φορμα']],
    ['German words have two forms', 'Prüfe die Straßen für mich', ['pruf', 'pruf-de', 'strassen', 'strass-de']],
    ['signs alone are nothing', '!? -- **', []],
  ])('%s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('reduce the forms of a word to the same stem', () => {
    for (const forms of [
      ['deploy', 'deploys', 'deployed', 'deploying'],
      ['query', 'queries'],
      ['make', 'makes', 'making'],
      ['run', 'runs', 'running'],
      ['box', 'boxes'],
    ]) {
      expect(new Set(forms.map(stem)).size).toBe(1);
    }
    for (const forms of [
      ['проверить', 'проверка', 'проверяет', 'проверь'],
      ['данные', 'данных', 'данными'],
      ['документация', 'документации', 'документацию'],
      ['создать', 'создание', 'создай', 'создаёт', 'создаться'].map((word) => word.replace('ё', 'е')),
    ]) {
      expect(new Set(forms.map(stem)).size).toBe(1);
    }
    for (const word of ['class', 'status', 'analysis', 'sing']) expect(stem(word)).toBe(word);
  });

  test('never contain blanks, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^\S+$/u);
      }),
      { numRuns: 500, seed: 20261115 },
    );
  });
});

test('an ASCII text has the same tokens alone and beside other letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect([...tokensOf(text), 'e']).toEqual(tokensOf(`${text} \u00e9`));
    }),
    { numRuns: 2_000 },
  );
});
