import fc from 'fast-check';

/** Text that looks like frontmatter: keys, scalars of every style, lists, comments, odd blanks, stray indentation. */
export function yamlish(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(line(), { minLength: 1, maxLength: 8 }), fc.boolean())
    .map(([lines, isEnded]) => `${lines.join('\n')}${isEnded ? '\n' : ''}`);
}

/** Frontmatter as people write it, with some characters inserted or removed, or none. */
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

/** One valid entry with all its lines, maybe after a comment or a blank line. */
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

/** Nested mappings and lists, brackets, quotes over lines and comments: sound, or damaged in one place. */
export function nestedYaml(): fc.Arbitrary<string> {
  const damage = fc.option(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), pick(MARKS), fc.nat(1)), { freq: 2 });
  const entries = fc.uniqueArray(pick(KEYS.slice(0, 9)), { minLength: 1, maxLength: 3 });
  const blocks = entries.chain((keys) => fc.tuple(...keys.map((key) => nestedEntry(key, 3))));
  return fc.tuple(blocks, damage).map(([lines, damaged]) => {
    const text = lines.flat().join('\n');
    if (damaged === null) return text;
    const [where, mark, taken] = damaged;
    const at = Math.floor(where * text.length);
    return `${text.slice(0, at)}${mark}${text.slice(at + taken)}`;
  });
}

/** The lines of one entry, which may hold others. */
function nestedEntry(key: string, depth: number): fc.Arbitrary<readonly string[]> {
  const words = fc.array(pick(WORDS), { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));
  const behind = pick(['', '', '', ' # c', '  #', ' ']);
  const leaf = fc.oneof(words, words, flow(2), quoted());
  const leaves: fc.Arbitrary<readonly string[]>[] = [
    fc.tuple(leaf, behind).map(([text, comment]) => [`${key}: ${text}${comment}`]),
    fc.tuple(words, words, pick(['  ', ' ', '      '])).map(([a, b, by]) => [`${key}: ${a}`, `${by}${b}`]),
    fc.tuple(words, words, pick(['', '  '])).map(([a, b, gap]) => [`${key}:`, `  ${a}`, gap, `  "${b}", [c]`]),
    fc
      .tuple(pick(['"', "'"]), words, words, fc.constantFrom<readonly string[]>([], [''], ['', '  ']))
      .map(([quote, a, b, gap]) => [`${key}: ${quote}${a} `, ...gap, `  ${b}${quote}`]),
    fc
      .tuple(pick(['|', '>', '>-', '|- # c']), fc.array(join(pick(['  ', '  ', '    ']), words, pick(['', '  ']))))
      .map(([header, lines]) => [
        `${key}: ${header}`,
        ...lines.flatMap((line, at) => (at === 1 ? ['', line] : [line])),
      ]),
    fc.tuple(flow(2), flow(1)).map(([a, b]) => [`${key}: [${a},`, `  ${b},`, '  ]']),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = fc
    .uniqueArray(pick(KEYS.slice(0, 9)), { minLength: 1, maxLength: 2 })
    .chain((keys) => fc.tuple(...keys.map((name) => nestedEntry(name, depth - 1))))
    .map((blocks) => blocks.flat());
  const items = fc.array(
    fc.oneof(
      inner,
      leaf.map((text) => [text]),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const comment = pick(['', '# c', '    # c', '  # c: d']);
  const block = (lines: readonly string[], by: string): readonly string[] => lines.map((line) => `${by}${line}`);
  return fc.oneof(
    ...leaves,
    fc
      .tuple(pick([' ', '  ', '    ']), inner, comment)
      .map(([by, lines, note]) => [`${key}:`, note, ...block(lines, by), note]),
    fc
      .tuple(pick(['', '  ']), items, comment)
      .map(([by, all, note]) => [
        `${key}: ${note.trim()}`,
        ...all.flatMap(([first = '', ...more]) => [`${by}- ${first}`, ...block(more, `${by}  `)]),
      ]),
  );
}

function quoted(): fc.Arbitrary<string> {
  const escapes = pick([
    '',
    '\\\\',
    '\\"',
    '\\n',
    '\\u00e9',
    '\\ud83d\\udca1',
    '\\U0001F4C8',
    '\\x41',
    '\\e',
    '# ',
    ': ',
  ]);
  return fc.oneof(
    fc.tuple(pick(WORDS), escapes, pick(WORDS)).map(([a, b, c]) => `"${a}${b}${c}"`),
    fc.tuple(pick(WORDS), pick(["''", ': ', ' #', '\\']), pick(WORDS)).map(([a, b, c]) => `'${a}${b}${c}'`),
  );
}

function flow(depth: number): fc.Arbitrary<string> {
  const plainItem = fc.tuple(pick(WORDS), pick(['', ':x', '/y', '#', ' b', ': z'])).map(([a, b]) => `${a}${b}`);
  const leaf = fc.oneof(plainItem, quoted(), pick(['', '[]', '{}']));
  if (depth === 0) return leaf;
  const comma = pick([', ', ',', ',\n    ', ' , ']);
  const key = fc.oneof(pick(['a: ', 'b: ', '"c":', '"d": ', "'e' : ", 'f:']), pick(['"g": ']));
  const pair = fc.tuple(key, flow(depth - 1)).map(([name, value]) => `${name}${value}`);
  const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(fc.array(item, { maxLength: 3 }), comma, pick(['', ',', ' '])).map(([all, by, end]) => all.join(by) + end);
  return fc.oneof(
    leaf,
    list(flow(depth - 1)).map((text) => `[${text}]`),
    list(pair).map((text) => `{${text}}`),
  );
}

/** A value that is invalid YAML without quotes. */
export function brokenValue(): fc.Arbitrary<string> {
  const marks = ['@', '`', '%', '*x* ', '[a] ', '{a} ', '"a" ', "'a' ", 'a: b: ', '- ', '&a b: '];
  return fc.tuple(pick(marks), pick(WORDS)).map(([mark, word]) => `${mark}${word} c: d`);
}

const KEYS = ['name', 'description', 'tags', 'a', 'b', 'a.b', 'x-y', '_z', 'metadata', '"q"', 'k k', 'true', '1', 'é'];
const WORDS = ['a', 'b c', 'use', 'PDF', '1.0', 'true', 'null', '~', 'No', '🙂', '中文', 'é', 'null null', '0x1F'];
const BLANKS = [' ', '  ', '\u00a0', '\u3000', '\u2009', '\t', ''];
/** Characters that are special to YAML, or look special. */
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
