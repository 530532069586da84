import { expect, test } from 'vitest';

import type { NextStep } from '../model/next-step.ts';
import type { ProgramFinder } from '../platform/process/programs.ts';
import type { ScriptOutcome } from '../platform/sandbox/run-sandboxed.ts';
import { explainNeeds, readInlineDependencies, withPackages } from './script-needs.ts';

test.each([
  ['# /// script\n# dependencies = ["requests<3", \'rich\']\n# ///\nimport x\n', ['requests<3', 'rich']],
  [
    '#!/usr/bin/env python3\n# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "a[b]>=1",\n#   "c",\n# ]\n# ///\n',
    ['a[b]>=1', 'c'],
  ],
  ['# /// script\n# requires-python = ">=3.11"\n# ///\n', []],
  ['# /// script\n# dependencies = ["never closed"]\nprint()\n', []],
  ['print("# /// script")\n', []],
])('the inline script metadata in %j declares the dependencies %j', (text, packages) => {
  expect(readInlineDependencies(text)).toEqual(packages);
});

test('uv runs a script with dependencies if uv is installed and the network is allowed', () => {
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

test.each<[boolean, NextStep]>([
  [false, { ask: 'user', to: 'Install uv; it installs them for each run.' }],
  [true, { give: 'network', aim: 'let uv install them for the run' }],
])('after a script failed for a missing package, uv is the next step (uv is here: %s)', (hasUv, next) => {
  const failed: ScriptOutcome = {
    ok: false,
    code: 'SCRIPT_FAILED',
    message: 'the script ended with exit code 1',
    exitCode: 1,
    signal: undefined,
    stdout: '',
    stderr: "ModuleNotFoundError: No module named 'requests'",
    truncated: false,
    durationMs: 1,
    isolation: 'bwrap',
    promises: { skillAtOwnPath: true, filesClosed: true, networkClosed: true, processesEnd: true },
    notes: [],
  };
  expect(explainNeeds(failed, { packages: ['requests'], network: false, hasUv })).toMatchObject({ next });
});
