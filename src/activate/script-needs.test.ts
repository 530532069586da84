import { expect, test } from 'vitest';

import type { ProgramFinder } from '../platform/process/programs.ts';
import { readInlineDependencies, withPackages } from './script-needs.ts';

test.each([
  ['# /// script\n# dependencies = ["requests<3", \'rich\']\n# ///\nimport x\n', ['requests<3', 'rich']],
  [
    '#!/usr/bin/env python3\n# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "a[b]>=1",\n#   "c",\n# ]\n# ///\n',
    ['a[b]>=1', 'c'],
  ],
  ['# /// script\n# requires-python = ">=3.11"\n# ///\n', []],
  ['# /// script\n# dependencies = ["never closed"]\nprint()\n', []],
  ['print("# /// script")\n', []],
])('the dependencies in %j are %j', (text, packages) => {
  expect(readInlineDependencies(text)).toEqual(packages);
});

test('uv runs a script with dependencies where it is installed and the network is open', () => {
  const python = { command: ['/usr/bin/python3'], toolPaths: [] };
  const uv = { path: '/opt/uv/bin/uv', toolPaths: ['/opt/uv'] };
  const programs = (find: ProgramFinder['find']): ProgramFinder => ({
    find,
    node: () => uv,
    typeScriptLoader: () => uv,
  });
  const needs = { packages: ['requests'], network: true, hasUv: true };
  const present = programs((name) => (name === 'uv' ? uv : undefined));
  expect(withPackages(python, needs, present)).toEqual({
    command: ['/opt/uv/bin/uv', 'run', '--no-cache', '--script'],
    toolPaths: ['/opt/uv'],
  });
  expect(withPackages(python, { ...needs, network: false }, present)).toBe(python);
  expect(withPackages(python, { ...needs, packages: [] }, present)).toBe(python);
  expect(
    withPackages(
      python,
      needs,
      programs(() => undefined),
    ),
  ).toBe(python);
});
