import { expect, test } from 'vitest';

import { findException, isForHost, withExceptions } from './host-globs.ts';

function listChosen(globs: readonly string[], names: readonly string[]): readonly string[] {
  return names.filter((name) => isForHost(name, 'codex', { hosts: { codex: globs }, project: {} }));
}

test.each([
  [[], ['pdf', 'mail', 'x-1', 'x-2']],
  [['!pdf'], ['mail', 'x-1', 'x-2']],
  [['pdf'], ['pdf']],
  [
    ['!x-*', 'x-1'],
    ['pdf', 'mail', 'x-1'],
  ],
  [
    ['*', '!x-*'],
    ['pdf', 'mail'],
  ],
  [['!*'], []],
  [['+pdf'], ['pdf', 'mail', 'x-1', 'x-2']],
  [['+pdf', '!x-*', '!pdf'], ['mail']],
])('the globs %j for an agent select the skills %j', (globs, chosen) => {
  expect(listChosen(globs, ['pdf', 'mail', 'x-1', 'x-2'])).toEqual(chosen);
});

test('a project can only hide skills from an agent, not show more', () => {
  const config = { hosts: { codex: ['!pdf'] }, project: { hosts: { codex: ['pdf', 'mail'] } } };
  expect(['pdf', 'mail', 'x'].filter((name) => isForHost(name, 'codex', config))).toEqual(['mail']);
  expect(isForHost('pdf', 'gemini', config)).toBe(true);
});

test.each([
  [undefined, undefined, undefined],
  [['!mail'], undefined, undefined],
  [['+pdf'], undefined, 'given'],
  [['pdf'], undefined, 'given'],
  [['mail'], undefined, 'kept'],
  [['!pdf'], undefined, 'kept'],
  [['-pdf'], undefined, 'not given'],
  [['-p*', '+pdf'], undefined, 'given'],
  [['!p*', '+pdf'], undefined, 'given'],
  [['+pdf'], ['!pdf'], 'kept'],
  [['-pdf'], ['!pdf'], 'kept'],
  [undefined, ['+pdf'], undefined],
] as const)('the globs %j of a user and %j of a project say of pdf: %s', (user, project, expected) => {
  const hosts = user === undefined ? {} : { codex: user };
  const config = { hosts, project: project === undefined ? {} : { hosts: { codex: project } } };
  expect(findException('pdf', 'codex', config)).toBe(expected);
});

test.each([
  [[], 'given', ['+pdf']],
  [['mail'], 'given', ['mail', 'pdf']],
  [['+pdf'], 'kept', ['!pdf']],
  [['!pdf', '!mail'], 'not given', ['!mail', '-pdf']],
  [['!pdf', '!mail'], 'default', ['!mail']],
  [['-pdf'], 'default', []],
  [['pdf'], 'default', ['!pdf']],
] as const)('to the globs %j, the exception "%s" for pdf makes %j', (globs, kind, expected) => {
  expect(withExceptions({ codex: globs }, [{ name: 'pdf', host: 'codex', kind }])).toEqual({ codex: expected });
});
