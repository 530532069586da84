import { expect, test } from 'vitest';

import { describeNext, type NextStep } from '../../model/next-step.ts';
import { commands } from '../commands.ts';
import { openDialect, reportFailure } from './failure.ts';
import type { Output, Piece } from './output.ts';

const install = openDialect(commands.find(({ name }) => name === 'install'));
const sayNext = (step: NextStep): string => describeNext(step, install);

test.each<[NextStep, string]>([
  [{ give: 'name', aim: 'choose another' }, 'Use --name to choose another.'],
  [{ give: 'useGitCredentials' }, 'Use --use-git-credentials.'],
  [{ either: [{ give: 'skills' }, { give: 'all' }] }, 'Use --skill, or use --all.'],
  [{ give: 'ref', as: 'main' }, 'Use --ref main.'],
  [{ give: 'allow', as: ['SP101', "it's"] }, String.raw`Use --allow SP101 --allow 'it'\''s'.`],
  [{ leaveOut: 'project' }, 'Leave out --project.'],
  [{ give: 'content' }, 'Use `content`.'],
])('the step %j of a library caller is printed with the flags of the command', (step, said) => {
  expect(sayNext(step)).toBe(said);
});

test('without a command, options keep the names of the library', () => {
  expect(describeNext({ give: 'name' }, openDialect())).toBe('Use `name`.');
});

function report(isJson: boolean, next?: NextStep): readonly unknown[] {
  const printed: unknown[] = [];
  const out = {
    json: (value: unknown) => void printed.push(value),
    error: (...pieces: readonly Piece[]) =>
      void printed.push(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')),
  };
  const failure = { code: 'INVALID_NAME', message: 'the name is taken', ...(next === undefined ? {} : { next }) };
  // Of an output no more than this is used.
  expect(reportFailure({ out: out as unknown as Output, isJson, sayNext }, failure)).toBe(1);
  return printed;
}

test('a failure is printed as a message and, on its own line, the next step', () => {
  expect(report(false, { give: 'name' })).toEqual(['skillplane: the name is taken', 'Use --name.']);
  expect(report(false)).toEqual(['skillplane: the name is taken']);
});

test('a failure as JSON has the next step as data', () => {
  expect(report(true, { give: 'name' })).toEqual([
    { ok: false, code: 'INVALID_NAME', message: 'the name is taken', next: { give: 'name' } },
  ]);
  expect(report(true)).toEqual([{ ok: false, code: 'INVALID_NAME', message: 'the name is taken' }]);
});
