import { expect, test } from 'vitest';

import { encodeText } from './encode.ts';

test('a character is printed the same alone and beside others', () => {
  const differing: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    // A letter that no quick look knows.
    if (`${encodeText(character)}\u00e9` !== encodeText(`${character}\u00e9`)) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
});

test('control and invisible characters are printed as escapes', () => {
  expect(encodeText('a\u001b[31mb\u202ec\u200bd\ne')).toBe(String.raw`a\u{1b}[31mb\u{202e}c\u{200b}d\u{a}e`);
  expect(encodeText('“a” – b… → ✓')).toBe('“a” – b… → ✓');
});
