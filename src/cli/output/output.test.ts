import { Writable } from 'node:stream';

import { describe, expect, test } from 'vitest';

import { openOutput, type Output } from './output.ts';
import { openStandardStream, type StandardStream } from './standard-stream.ts';

interface Terminal {
  readonly out: Output;
  /** The text that both streams received, in order. */
  readonly words: () => string;
}

function openTerminal({ isTTY = true, columns = 20, env = {}, isQuiet = false } = {}): Terminal {
  const chunks: string[] = [];
  const open = (): StandardStream => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk.toString());
        done();
      },
    });
    return openStandardStream(Object.assign(stream, { isTTY, columns }));
  };
  return { out: openOutput({ stdout: open(), stderr: open(), env, isQuiet }), words: () => chunks.join('') };
}

test.each([
  ['on a terminal is coloured', {}, true],
  ['in a pipe is not coloured', { isTTY: false }, false],
  ['on a terminal with NO_COLOR is not coloured', { env: { NO_COLOR: '1' } }, false],
  ['on a dumb terminal is not coloured', { env: { TERM: 'dumb' } }, false],
  ['in a pipe with FORCE_COLOR is coloured', { isTTY: false, env: { FORCE_COLOR: '1' } }, true],
  [
    'in a pipe with FORCE_COLOR and NO_COLOR is not coloured',
    { isTTY: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' } },
    false,
  ],
])('output %s', (_where, options, isColoured) => {
  const { out, words } = openTerminal(options);
  out.line({ text: 'x', style: 'red' });
  expect(words()).toBe(isColoured ? '\u001B[31mx\u001B[39m\n' : 'x\n');
});

describe('the status line', () => {
  test.each([
    ['line', (out: Output) => out.line('x'), 'x\n'],
    ['note', (out: Output) => out.note('x'), 'x\n'],
    ['raw', (out: Output) => out.raw('x'), 'x\n'],
    ['json', (out: Output) => out.json(1), '1\n'],
  ])('is cleared once by the next output: %s', (_kind, print, printed) => {
    const { out, words } = openTerminal();
    out.status('Fetching');
    print(out);
    print(out);
    expect(words()).toBe(`Fetching\r\u001B[K${printed}${printed}`);
  });

  test('replaces the previous one, is escaped, and stays on one line', () => {
    const { out, words } = openTerminal();
    out.status('a\u001B[2J');
    out.status('b'.repeat(50));
    expect(words()).toBe(`a\\u{1b}[2J\r\u001B[K${'b'.repeat(19)}`);
  });

  test('is shown neither in a pipe nor on a terminal that cannot move its cursor', () => {
    for (const options of [{ isTTY: false }, { env: { TERM: 'dumb' } }]) {
      const { out, words } = openTerminal(options);
      out.status('Fetching');
      out.line('x');
      expect(words()).toBe('x\n');
    }
  });
});

test('quiet output omits notes and the status line, but never answers and errors', () => {
  const { out, words } = openTerminal({ isQuiet: true });
  out.status('Fetching');
  out.note('by the way');
  out.line('answer');
  out.error('trouble');
  expect(words()).toBe('answer\ntrouble\n');
});

test.each([
  ['changed /home/me/.agent/config.yaml', 'changed ~/.agent/config.yaml'],
  ['/home/me', '~'],
  ['in /home/me.', 'in ~.'],
  ['`validate /home/me/x`', '`validate ~/x`'],
  ['PATH=/home/me/bin:/home/me/x', 'PATH=~/bin:~/x'],
  ['/home/mei/x and /a/home/me/x', '/home/mei/x and /a/home/me/x'],
  ['"/home/me/a b"', '"/home/me/a b"'],
])('paths below the home folder are printed with ~: %s', (text, printed) => {
  const { out, words } = openTerminal({ columns: 80, env: { HOME: '/home/me' } });
  out.line(text);
  expect(words()).toBe(`${printed}\n`);
});

test('JSON and raw output keep paths unchanged', () => {
  const { out, words } = openTerminal({ columns: 80, env: { HOME: '/home/me' } });
  out.json('/home/me/x');
  out.raw('/home/me/x');
  expect(words()).toBe('"/home/me/x"\n/home/me/x\n');
});

describe('an output line that is too long', () => {
  const PIECES = ['  - ', { text: 'one two three', style: 'bold' }, ' four'] as const;

  test.each(['line', 'note', 'error'] as const)('is wrapped below its text on a terminal: %s', (kind) => {
    const { out, words } = openTerminal({ columns: 12, env: { NO_COLOR: '1' } });
    out[kind](...PIECES);
    expect(words()).toBe('  - one two\n    three\n    four\n');
  });

  test('keeps its style in every part', () => {
    const { out, words } = openTerminal({ columns: 12 });
    out.line(...PIECES);
    expect(words()).toBe('  - \u001B[1mone two\u001B[22m\n    \u001B[1mthree\u001B[22m\n    four\n');
  });

  test('stays whole in a pipe, and as an exact line', () => {
    const pipe = openTerminal({ isTTY: false, columns: 12 });
    pipe.out.error(...PIECES);
    const terminal = openTerminal({ columns: 12, env: { NO_COLOR: '1' } });
    terminal.out.exactLine(...PIECES);
    for (const { words } of [pipe, terminal]) expect(words()).toBe('  - one two three four\n');
  });

  test('is measured as printed: escaped, and with ~ for the home folder', () => {
    const { out, words } = openTerminal({ columns: 12, env: { HOME: '/home/a-long-name' } });
    out.line('a b /home/a-long-name/x');
    out.line('a b c\u0007 d');
    expect(words()).toBe('a b ~/x\na b c\\u{7} d\n');
  });
});
