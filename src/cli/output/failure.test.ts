import { expect, test } from 'vitest';

import { commands } from '../commands.ts';
import { openHints, renderHints, reportFailure } from './failure.ts';
import type { Output, Piece } from './output.ts';

const install = commands.find(({ name }) => name === 'install');
const render = openHints(commands, install);

test.each([
  ['Use `name` to choose another.', 'Use --name to choose another.'],
  ['Pass `useGitCredentials`.', 'Pass --use-git-credentials.'],
  ['Narrow it with `skills`, or take `all: true`.', 'Narrow it with --skill, or take --all.'],
  ['Try `ref: main`.', 'Try --ref main.'],
  ['Run `trust pdf` first.', 'Run `skillplane trust pdf` first.'],
  ['Run `doctor`.', 'Run `skillplane doctor`.'],
  ['Run `manage enable pdf`.', 'Run `skillplane manage enable pdf`.'],
  ['Run `enable pdf`, or `rollback pdf`.', 'Run `skillplane enable pdf`, or `skillplane rollback pdf`.'],
  ['Run `list` or `show`.', 'Run `skillplane list` or `skillplane show`.'],
  ['Edit `enabledSources` in `config.yaml`.', 'Edit `enabledSources` in `config.yaml`.'],
  ['nothing is quoted.', 'Nothing is quoted.'],
])('the hint %j is printed as %j', (hint, rendered) => {
  expect(render(hint)).toBe(rendered);
});

test('hints inside a list are worded for the command line', () => {
  const items = [{ name: 'a', hint: 'Use `name`.' }, { name: 'b' }];
  expect(renderHints(items, { renderHint: render })).toEqual([{ name: 'a', hint: 'Use --name.' }, { name: 'b' }]);
});

test('hints turn only options of the current command, or of one named before, into flags', () => {
  expect(openHints(commands)('Use `name`.')).toBe('Use `name`.');
  expect(openHints(commands)('`verbose`: `show` with `verbose` lists them.')).toBe(
    '`verbose`: `skillplane show` with --verbose lists them.',
  );
});

function report(isJson: boolean, hint?: string): readonly unknown[] {
  const printed: unknown[] = [];
  const out = {
    json: (value: unknown) => void printed.push(value),
    error: (...pieces: readonly Piece[]) =>
      void printed.push(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')),
  };
  const failure = { code: 'INVALID_NAME', message: 'the name is taken', ...(hint === undefined ? {} : { hint }) };
  // Of an output no more than this is used.
  expect(reportFailure({ out: out as unknown as Output, isJson, renderHint: render }, failure)).toBe(1);
  return printed;
}

test('a failure is printed as a message and, on its own line, the hint', () => {
  expect(report(false, 'Use `name`.')).toEqual(['skillplane: the name is taken', 'Use --name.']);
  expect(report(false)).toEqual(['skillplane: the name is taken']);
});

test('a failure as JSON has the hint as its own key, worded for the command line', () => {
  expect(report(true, 'Use `name`.')).toEqual([
    { ok: false, code: 'INVALID_NAME', message: 'the name is taken', hint: 'Use --name.' },
  ]);
  expect(report(true)).toEqual([{ ok: false, code: 'INVALID_NAME', message: 'the name is taken' }]);
});
