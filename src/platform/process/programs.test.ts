import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree, type Tree } from '../../../test/support/tree.ts';
import { readEnvironment } from '../environment.ts';
import { openProgramFinder, type ProgramFinder } from './programs.ts';

interface Machine {
  readonly root: string;
  readonly finder: (avoid?: readonly string[]) => ProgramFinder;
}

/** A machine with these programs; `path` names the folders on the PATH. */
function makeMachine(programs: readonly string[], path: readonly string[], tree: Tree = {}): Machine {
  const root = makeTree({
    'home/': '',
    ...tree,
    ...Object.fromEntries(programs.map((program) => [program, '#!/bin/sh\n'])),
  });
  for (const program of programs) chmodSync(join(root, program), 0o755);
  const env = { PATH: path.map((dir) => (dir.startsWith('.') ? dir : join(root, dir))).join(':') };
  const environment = readEnvironment({ cwd: root, home: join(root, 'home'), env });
  return {
    root,
    finder: (avoid = []) =>
      openProgramFinder(
        environment,
        avoid.map((dir) => join(root, dir)),
      ),
  };
}

describe('a program', () => {
  test('of the system is taken before one on the PATH', () => {
    expect(makeMachine(['bin/sh'], ['bin']).finder().find('sh')).toEqual({
      path: expect.stringMatching(/^\/usr\/bin\//),
      toolPaths: [],
    });
  });

  test('on the PATH is found, with the folder that it is installed in', () => {
    const { root, finder } = makeMachine(['opt/tool/bin/mytool', 'loose/other'], ['opt/tool/bin', 'loose']);
    expect(finder().find('mytool')).toEqual({
      path: join(root, 'opt/tool/bin/mytool'),
      toolPaths: [join(root, 'opt/tool')],
    });
    expect(finder().find('other')).toEqual({ path: join(root, 'loose/other'), toolPaths: [join(root, 'loose')] });
  });

  test('in a home directory does not open the whole of it to a script', () => {
    const { root, finder } = makeMachine(['home/bin/mytool'], ['home/bin']);
    expect(finder().find('mytool')?.toolPaths).toEqual([join(root, 'home/bin')]);
  });

  test('is never one of a skill or a project, be it by a link', () => {
    const { root, finder } = makeMachine(
      ['project/node_modules/.bin/mytool', 'ok/'],
      ['project/node_modules/.bin', 'ok'],
    );
    expect(finder().find('mytool')).toBeDefined();
    expect(finder(['project']).find('mytool')).toBeUndefined();
    symlinkSync(join(root, 'project/node_modules/.bin/mytool'), join(root, 'ok/mytool'));
    expect(finder(['project']).find('mytool')).toBeUndefined();
  });

  test('below the home directory is found by a user who works there', () => {
    const { finder } = makeMachine(['home/.local/bin/mytool'], ['home/.local/bin']);
    expect(finder(['home']).find('mytool')).toBeDefined();
  });

  test('is looked for behind the shims of a version manager', () => {
    const { root, finder } = makeMachine(['shims/mytool', 'real/bin/mytool'], ['shims', 'real/bin']);
    expect(finder().find('mytool')?.path).toBe(join(root, 'real/bin/mytool'));
    expect(makeMachine(['shims/mytool'], ['shims']).finder().find('mytool')).toBeDefined();
  });

  test.each(['', '../bin/mytool', './mytool', 'bin/mytool', 'my\0tool', 'plain', 'nowhere'])(
    'is not found by %j',
    (name) => {
      const { root, finder } = makeMachine(['bin/mytool'], ['.', 'bin'], { 'bin/plain': 'not executable' });
      chmodSync(join(root, 'bin/plain'), 0o644);
      expect(finder().find(name)).toBeUndefined();
    },
  );
});

test('our own Node.js and its loader for TypeScript are there', () => {
  const { finder } = makeMachine([], []);
  expect(finder().node().path).toBe(process.execPath);
  expect(finder().typeScriptLoader().path).toMatch(/jiti-cli\.mjs$/);
});
