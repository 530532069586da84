import fc from 'fast-check';

/** Text that looks like frontmatter: keys, scalars of every style, lists, comments, odd blanks, stray indentation. */
export function yamlish(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(line(), { minLength: 1, maxLength: 8 }), fc.boolean())
    .map(([lines, isEnded]) => `${lines.join('\n')}${isEnded ? '\n' : ''}`);
}

/** Frontmatter as people write it, then damaged here and there, or not at all: characters put in or taken out. */
export function damagedYaml(): fc.Arbitrary<string> {
  const damage = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('', ...MARKS), fc.nat(2));
  const entries = fc
    .uniqueArray(pick(KEYS.slice(0, 9)), { minLength: 1, maxLength: 4 })
    .chain((keys) => fc.tuple(...keys.map(soundEntry)));
  return fc.tuple(entries, fc.array(damage, { maxLength: 2 })).map(([texts, damages]) =>
    damages.reduce((text, [where, mark, taken]) => {
      const at = Math.floor(where * text.length);
      return `${text.slice(0, at)}${mark}${text.slice(at + taken)}`;
    }, texts.join('')),
  );
}

/** One valid entry, or a comment or blank line before one, with all the lines that belong to it. */
export function soundEntry(key: string): fc.Arbitrary<string> {
  const words = fc.array(pick(WORDS), { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));
  const lines = fc.array(words, { minLength: 1, maxLength: 4 });
  const indented = (texts: readonly string[], indent: string): string =>
    texts.map((text) => `${indent}${text}\n`).join('');
  return fc.oneof(
    words.map((text) => `${key}: ${text}\n`),
    lines.map((texts) => `${key}: ${texts.join('\n  ')}\n`),
    words.map((text) => `${key}: "${text}: \t# ${text}"\n`),
    words.map((text) => `${key}: '${text}: it''s'\n`),
    fc.tuple(pick(['|', '>', '|-', '>-']), lines).map(([header, texts]) => {
      return `${key}: ${header}\n${indented(texts, '  ').replace('\n', '\n\n')}`;
    }),
    lines.map((texts) => `${key}: |\n  all: @x\n${indented(texts, '  \t')}`),
    fc.tuple(pick(['', '  ']), lines).map(([indent, items]) => `${key}:\n${indented(items, `${indent}- `)}`),
    lines.map((texts) => `${key}:\n${texts.map((text, at) => `  k${at}: ${text}\n`).join('')}`),
    lines.map((items) => `${key}: [${items.join(', ')}]\n`),
    pick(['# a comment: with a colon\n', '\n']).map((before) => `${before}${key}: v\n`),
    fc.constant(`${key}:\n`),
  );
}

/** A value that is no YAML where it stands, and the text that its writer meant. */
export function brokenValue(): fc.Arbitrary<string> {
  const marks = ['@', '`', '%', '*x* ', '[a] ', '{a} ', '"a" ', "'a' ", 'a: b: ', '- ', '&a b: '];
  return fc.tuple(pick(marks), pick(WORDS)).map(([mark, word]) => `${mark}${word} c: d`);
}

const KEYS = ['name', 'description', 'tags', 'a', 'b', 'a.b', 'x-y', '_z', 'metadata', '"q"', 'k k', 'true', '1', 'é'];
const WORDS = ['a', 'b c', 'use', 'PDF', '1.0', 'true', 'null', '~', 'No', '🙂', '中文', 'é', 'null null', '0x1F'];
const BLANKS = [' ', '  ', '\u00a0', '\u3000', '\u2009', '\t', ''];
/** Characters that mean something to YAML, or look as if they did. */
const MARKS = [
  ": |:| #|#|- |-|? |\"|'|, |[|]|{|}|&a|*a|!t|>|%|@|`|\\| |  |...|---|''|;".split('|'),
  ['|', '\n', '\n ', '\n  ', '\u00a0', '\u3000', '\u0085', '\u2028', '\0'],
].flat();

const pick = (from: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...from);
const join = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''));
const some = (part: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(part, { maxLength }).map((texts) => texts.join(''));

function plain(): fc.Arbitrary<string> {
  return some(fc.oneof({ arbitrary: pick(WORDS), weight: 4 }, pick([' ', ' ', ...MARKS]), pick(BLANKS)), 5);
}

function scalar(): fc.Arbitrary<string> {
  return fc.oneof(
    plain(),
    pick(WORDS),
    join(pick(['"', "'"]), plain(), pick(['"', "'", '" ', '"x', "' #c", ''])),
    plain().map((text) => JSON.stringify(text)),
    plain().map((text) => `'${text.replaceAll("'", "''")}'`),
    pick(['|', '>', '|-', '>-', '|+', '>+', '|2', '>2-', '| # c', '|x']),
    fc.array(fc.oneof(pick(WORDS), plain()), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    join(pick(KEYS), pick([': ', ':']), pick(WORDS)).map((pair) => `{${pair}}`),
  );
}

function line(): fc.Arbitrary<string> {
  const indent = pick(['', '', '', ' ', '  ', '    ', '\t', '\u00a0']);
  return fc.oneof(
    { arbitrary: join(indent, pick([...KEYS, 'null']), pick([': ', ': ', ':', ':  ', ' : ']), scalar()), weight: 6 },
    { arbitrary: join(indent, pick(KEYS), pick([':', ': '])), weight: 2 },
    { arbitrary: join(indent, pick(['- ', '- ', '-', '-  ']), scalar()), weight: 3 },
    { arbitrary: join(indent, scalar()), weight: 2 },
    join(indent, pick(['', ' ', '# c', '#', '# k: v', '...', '--- x'])),
  );
}
