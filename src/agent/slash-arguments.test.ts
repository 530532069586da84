import { describe, expect, test } from 'vitest';

import { fillArguments, splitArguments } from './slash-arguments.ts';

function fill(body: string, args: string, isDeclared = false): string {
  return fillArguments(body, args, { isDeclared });
}

test.each([
  ['', []],
  ['  ', []],
  ['a  b\nc', ['a', 'b', 'c']],
  ['"a b" c', ['a b', 'c']],
  [`'a b' c`, ['a b', 'c']],
  ['--title="a b" c', ['--title=a b', 'c']],
  [`--title='a b'`, ['--title=a b']],
  ['"" b', ['', 'b']],
  [`don't can't`, [`don't`, `can't`]],
  ['say "hello', ['say', '"hello']],
  [`"it's" 'say "x"'`, [`it's`, 'say "x"']],
  [String.raw`C:\new "D:\a b"`, [String.raw`C:\new`, String.raw`D:\a b`]],
])('%j is parted as a shell would', (args, words) => {
  expect(splitArguments(args)).toEqual(words);
});

describe('$ARGUMENTS', () => {
  test('is all that was typed, quotation marks included, wherever it stands', () => {
    expect(fill('Fix $ARGUMENTS.\n```sh\ngh issue view $ARGUMENTS\n```', '"a b" c')).toBe(
      'Fix "a b" c.\n```sh\ngh issue view "a b" c\n```',
    );
  });

  test('is empty where nothing was typed', () => {
    expect(fill('Fix `$ARGUMENTS` now', '')).toBe('Fix `` now');
  });

  test('is a word of its own', () => {
    expect(fill('$ARGUMENTS_DIR $argumentS ARGUMENTS', 'x')).toBe('$ARGUMENTS_DIR $argumentS ARGUMENTS');
  });
});

describe('$1 to $9', () => {
  test('are the arguments by their place', () => {
    expect(fill('Move $1 to `$2`, $1!', '"my file" there')).toBe('Move my file to `there`, my file!');
    expect(fill('$9', '1 2 3 4 5 6 7 8 nine ten')).toBe('nine');
  });

  test('stay where there are fewer arguments', () => {
    expect(fill('$1 and $2', 'one')).toBe('one and $2');
    expect(fill('$1 and $2', '')).toBe('$1 and $2');
  });

  test('are not looked for in what was filled in', () => {
    expect(fill('$1 $2 $ARGUMENTS', '$2 $ARGUMENTS')).toBe('$2 $ARGUMENTS $2 $ARGUMENTS');
    expect(fill('$1', '$& $1')).toBe('$&');
  });

  test.each(['$5M', '$1.50', '$1,000', '$10', '$1-$5', '$1–5', '$1/mo', '$1k', '$1+', String.raw`\$1`, 'A$1', '$$1'])(
    'are not meant by %s',
    (text) => {
      expect(fill(`It is ${text} here`, 'a b c d e')).toBe(`It is ${text} here`);
    },
  );

  test.each(['$1.', '$1,', '($1)', '"$1"', '$1 - x', '$1-$x', '$1: y'])('are meant by %s', (text) => {
    expect(fill(`It is ${text}`, 'a')).toBe(`It is ${text.replace('$1', 'a')}`);
  });
});

describe('a block of code', () => {
  const code = ['Use $1:', '', '```sh', 'echo "$1"', '```', '', '  ~~~', "awk '{print $1}'", '  ~~~', 'Then $1.'];
  const body = code.join('\n');

  test('keeps its own $1 where the skill does not ask for arguments', () => {
    expect(fill(body, 'x')).toBe(body.replace('Use $1', 'Use x').replace('Then $1', 'Then x'));
  });

  test('is filled in where the skill declares them, or says $ARGUMENTS anywhere', () => {
    expect(fill(body, 'x', true)).toBe(body.replaceAll('$1', 'x'));
    expect(fill(`$ARGUMENTS\n${body}`, 'x')).toBe(`x\n${body.replaceAll('$1', 'x')}`);
  });

  test('ends with the text where it is not closed, and a longer fence holds a shorter one', () => {
    expect(fill('$1\n```\n$1\n$1', 'x')).toBe('x\n```\n$1\n$1');
    expect(fill('````\n```\n$1\n````\n$1', 'x')).toBe('````\n```\n$1\n````\nx');
    expect(fill('```\n$1\n````\n$1', 'x')).toBe('```\n$1\n````\nx');
    expect(fill('$1\n```', 'x')).toBe('x\n```');
  });

  test('is not begun by code within a line', () => {
    expect(fill('```inline``` $1\n$1', 'x')).toBe('```inline``` x\nx');
  });
});

test('long instructions take no long time', () => {
  const bodies = ['```\n', '$1 ', '~~~ x\n```\n', '"', "'", '$'].map((piece) => piece.repeat(100_000));
  const before = process.cpuUsage();
  for (const body of bodies) fill(body, body.slice(0, 10_000));
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(5_000_000);
});
