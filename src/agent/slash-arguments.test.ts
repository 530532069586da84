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
])('the arguments %j of a slash command are split as a shell would', (args, words) => {
  expect(splitArguments(args)).toEqual(words);
});

describe('$ARGUMENTS in a slash command', () => {
  test('is replaced by everything typed, including quotes, also in code blocks', () => {
    expect(fill('Fix $ARGUMENTS.\n```sh\ngh issue view $ARGUMENTS\n```', '"a b" c')).toBe(
      'Fix "a b" c.\n```sh\ngh issue view "a b" c\n```',
    );
  });

  test('is replaced by nothing if nothing was typed', () => {
    expect(fill('Fix `$ARGUMENTS` now', '')).toBe('Fix `` now');
  });

  test('is only replaced as a whole word in capitals', () => {
    expect(fill('$ARGUMENTS_DIR $argumentS ARGUMENTS', 'x')).toBe('$ARGUMENTS_DIR $argumentS ARGUMENTS');
  });
});

describe('$1 to $9 in a slash command', () => {
  test('are replaced by the arguments in order', () => {
    expect(fill('Move $1 to `$2`, $1!', '"my file" there')).toBe('Move my file to `there`, my file!');
    expect(fill('$9', '1 2 3 4 5 6 7 8 nine ten')).toBe('nine');
  });

  test('stay as they are if there are fewer arguments', () => {
    expect(fill('$1 and $2', 'one')).toBe('one and $2');
    expect(fill('$1 and $2', '')).toBe('$1 and $2');
  });

  test('are not replaced inside an argument that was filled in', () => {
    expect(fill('$1 $2 $ARGUMENTS', '$2 $ARGUMENTS')).toBe('$2 $ARGUMENTS $2 $ARGUMENTS');
    expect(fill('$1', '$& $1')).toBe('$&');
  });

  test.each(['$5M', '$1.50', '$1,000', '$10', '$1-$5', '$1–5', '$1/mo', '$1k', '$1+', String.raw`\$1`, 'A$1', '$$1'])(
    'are not replaced in %s',
    (text) => {
      expect(fill(`It is ${text} here`, 'a b c d e')).toBe(`It is ${text} here`);
    },
  );

  test.each(['$1.', '$1,', '($1)', '"$1"', '$1 - x', '$1-$x', '$1: y'])('are replaced in %s', (text) => {
    expect(fill(`It is ${text}`, 'a')).toBe(`It is ${text.replace('$1', 'a')}`);
  });
});

describe('a code block in a slash command', () => {
  const code = ['Use $1:', '', '```sh', 'echo "$1"', '```', '', '  ~~~', "awk '{print $1}'", '  ~~~', 'Then $1.'];
  const body = code.join('\n');

  test('keeps its own $1 if the skill does not ask for arguments', () => {
    expect(fill(body, 'x')).toBe(body.replace('Use $1', 'Use x').replace('Then $1', 'Then x'));
  });

  test('has $1 replaced if the skill declares arguments or uses $ARGUMENTS', () => {
    expect(fill(body, 'x', true)).toBe(body.replaceAll('$1', 'x'));
    expect(fill(`$ARGUMENTS\n${body}`, 'x')).toBe(`x\n${body.replaceAll('$1', 'x')}`);
  });

  test('ends with a fence at least as long as its first, or at the end of the text', () => {
    expect(fill('$1\n```\n$1\n$1', 'x')).toBe('x\n```\n$1\n$1');
    expect(fill('````\n```\n$1\n````\n$1', 'x')).toBe('````\n```\n$1\n````\nx');
    expect(fill('```\n$1\n````\n$1', 'x')).toBe('```\n$1\n````\nx');
    expect(fill('$1\n```', 'x')).toBe('x\n```');
  });

  test('does not start at inline code', () => {
    expect(fill('```inline``` $1\n$1', 'x')).toBe('```inline``` x\nx');
  });
});

test('filling in arguments takes linear time in the length of the instructions', () => {
  const bodies = ['```\n', '$1 ', '~~~ x\n```\n', '"', "'", '$'].map((piece) => piece.repeat(100_000));
  const before = process.cpuUsage();
  for (const body of bodies) fill(body, body.slice(0, 10_000));
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(5_000_000);
});
