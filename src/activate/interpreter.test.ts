import { describe, expect, test } from 'vitest';

import type { ProgramFinder } from '../platform/process/programs.ts';
import { chooseInterpreter } from './interpreter.ts';

const PROGRAMS: ProgramFinder = {
  find: (name) =>
    ['bash', 'sh', 'python3', 'ruby', 'uv'].includes(name) ? { path: `/usr/bin/${name}`, toolPaths: [] } : undefined,
  node: () => ({ path: '/opt/node/bin/node', toolPaths: ['/opt/node'] }),
  typeScriptLoader: () => ({ path: '/opt/jiti/lib/loader.mjs', toolPaths: ['/opt/jiti'] }),
};

const choose = (path: string, head = '', programs = PROGRAMS): unknown => chooseInterpreter({ path, head }, programs);

describe('the program that runs a script', () => {
  test.each([
    ['a.sh', '/usr/bin/bash', []],
    ['a.bash', '/usr/bin/bash', []],
    ['a.PY', '/usr/bin/python3', []],
    ['a.js', '/opt/node/bin/node', []],
    ['a.mjs', '/opt/node/bin/node', []],
    ['a.cjs', '/opt/node/bin/node', []],
    ['a.rb', '/usr/bin/ruby', []],
    ['a.ts', '/opt/node/bin/node', ['/opt/jiti/lib/loader.mjs']],
    ['a.mts', '/opt/node/bin/node', ['/opt/jiti/lib/loader.mjs']],
  ])('is chosen by the file extension: %s runs with %s', (path, program, args) => {
    expect(choose(path)).toMatchObject({ ok: true, command: [program, ...args] });
  });

  test('is bun for TypeScript if bun is installed', () => {
    const bun = { path: '/opt/bun/bin/bun', toolPaths: ['/opt/bun'] };
    const find: ProgramFinder['find'] = (name) => (name === 'bun' ? bun : undefined);
    expect(choose('a.ts', '', { ...PROGRAMS, find })).toEqual({
      ok: true,
      command: ['/opt/bun/bin/bun', 'run'],
      toolPaths: ['/opt/bun'],
    });
    expect(choose('a.js', '#!/usr/bin/env bun\n', { ...PROGRAMS, find })).toMatchObject({
      command: ['/opt/bun/bin/bun'],
    });
  });

  test('comes with the folders that the sandbox must show it', () => {
    expect(choose('a.js')).toMatchObject({ toolPaths: ['/opt/node'] });
    expect(choose('a.ts')).toMatchObject({ toolPaths: ['/opt/node', '/opt/jiti'] });
  });

  test.each([
    ['#!/bin/sh\necho', '/usr/bin/sh', []],
    ['#! /bin/bash -eu\r\n', '/usr/bin/bash', ['-eu']],
    ['#!/usr/bin/env python3\n', '/usr/bin/python3', []],
    ['#!/usr/bin/env python', '/usr/bin/python3', []],
    ['#!/usr/bin/env -S uv run --script\n', '/usr/bin/uv', ['run', '--script']],
    ['#!/usr/bin/env node\n', '/opt/node/bin/node', []],
    ['#!./bash\n', '/usr/bin/bash', []],
    ['#!/tmp/evil/bash\n', '/usr/bin/bash', []],
    ['#!../../usr/bin/env ./ruby\n', '/usr/bin/ruby', []],
  ])('is named by the shebang %j, whatever the extension and the folder', (head, program, args) => {
    expect(choose('scripts/a.py', head)).toMatchObject({ ok: true, command: [program, ...args] });
  });

  test.each([
    ['a.exe', '\u007FELF', 'cannot tell how to run a.exe'],
    ['a', '', 'cannot tell how to run a'],
    ['a', '#!\n', 'cannot tell how to run a'],
    ['a', '#!/usr/bin/env', 'cannot tell how to run a'],
    ['a', '#!/usr/bin/perl\n', 'cannot run a: perl is not installed'],
    ['a.ts', '#!/usr/bin/env bun\n', 'cannot run a.ts: bun is not installed'],
  ])('is unknown for a file %s that starts with %j, and the failure says why', (path, head, message) => {
    expect(choose(path, head)).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', message });
  });
});
