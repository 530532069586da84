import fc from 'fast-check';
import { expect, test } from 'vitest';

import { changeGlobs, isForHost } from './host-globs.ts';

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
])('the globs %j for an agent select the skills %j', (globs, chosen) => {
  expect(listChosen(globs, ['pdf', 'mail', 'x-1', 'x-2'])).toEqual(chosen);
});

test('a project can only hide skills from an agent, not show more', () => {
  const config = { hosts: { codex: ['!pdf'] }, project: { hosts: { codex: ['pdf', 'mail'] } } };
  expect(['pdf', 'mail', 'x'].filter((name) => isForHost(name, 'codex', config))).toEqual(['mail']);
  expect(isForHost('pdf', 'gemini', config)).toBe(true);
});

test('switching one skill for an agent changes no other skill, and repeating it changes nothing', () => {
  const names = ['pdf', 'mail', 'x-1', 'x-2'];
  const glob = fc.constantFrom('pdf', '!pdf', 'mail', '!mail', 'x-*', '!x-*', '*', '!*');
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 5 }), fc.constantFrom(...names), fc.boolean(), (globs, name, isOn) => {
      const changed = changeGlobs(globs, name, isOn);
      expect(listChosen(changed, names)).toEqual(
        names.filter((each) => (each === name ? isOn : listChosen(globs, names).includes(each))),
      );
      expect(changeGlobs(changed, name, isOn)).toEqual(changed);
    }),
    { seed: 20_261_117 },
  );
});
