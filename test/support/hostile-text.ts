import fc from 'fast-check';

// oxfmt-ignore
const HOSTILE = [
  '', ' ', 'a', 'a: b', 'a #b', '# a', '- a', '? a', '---', '...', '\n---\n', '"', "'", '\\', '\\u0041', '{a: b}',
  '[a', '*a', '&a', '!a', '|', '>', '%a', '@a', '`a`', '<<', '=', 'true', 'No', 'null', '~', '1.0', '0x1F', '1e3',
  '2020-01-01', '12:30:45', '.inf', 'a\nb', 'a\r\nb', '\t', ' a', 'a ', 'a\u0085b', '\u2028', '\uFEFF', '\u202E',
  '\uD800', '\uDC00a', '\u0000', '\u001B[31m', '\u{E0041}', '👨‍👩‍👧', 'é', 'e\u0301', '中文', '__proto__', '\uFFFE', '\u{1FFFF}',
];

/** Any mix of plain text and characters that are special to YAML or to a terminal. */
export function hostileText(): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 8 }));
  return fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
}
