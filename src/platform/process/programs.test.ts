import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree, type Tree } from '../../../test/support/tree.ts';
import { readEnvironment } from '../environment.ts';
import { nodeVersion, openProgramFinder, readToolVersion, type ProgramFinder } from './programs.ts';

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

describe('a program for scripts', () => {
  test('in a system folder is taken before one on the PATH', () => {
    expect(makeMachine(['bin/sh'], ['bin']).finder().find('sh')).toEqual({
      path: expect.stringMatching(/^\/usr\/bin\//),
      toolPaths: [],
    });
  });

  test('on the PATH is found together with its installation folder', () => {
    const { root, finder } = makeMachine(['opt/tool/bin/mytool', 'loose/other'], ['opt/tool/bin', 'loose']);
    expect(finder().find('mytool')).toEqual({
      path: join(root, 'opt/tool/bin/mytool'),
      toolPaths: [join(root, 'opt/tool')],
    });
    expect(finder().find('other')).toEqual({ path: join(root, 'loose/other'), toolPaths: [join(root, 'loose')] });
  });

  test.each(['bin', '.local/bin', '.cargo/bin', '.bun/bin', 'tools'])(
    'in ~/%s gives a script access to itself and nothing beside or above it',
    (dir) => {
      const { root, finder } = makeMachine([`home/${dir}/mytool`, `home/${dir}/other`], [`home/${dir}`], {
        'home/.cargo/credentials.toml': 'secret',
        'home/.local/share/keyrings/login': 'secret',
        'home/.local/lib/python3.12/site-packages/a.py': '',
      });
      expect(finder().find('mytool')?.toolPaths).toEqual([join(root, `home/${dir}/mytool`)]);
    },
  );

  test('in a virtual environment in the home gives access to its own libraries', () => {
    const { root, finder } = makeMachine(['home/env/bin/python3.12'], ['home/env/bin'], {
      'home/env/pyvenv.cfg': '',
      'home/env/lib/python3.12/os.py': '',
      'home/env/lib/libpython3.12.so.1.0': '',
      'home/env/lib/other/secret': '',
      'home/env/secret': '',
    });
    const own = ['bin/python3.12', 'pyvenv.cfg', 'lib/libpython3.12.so.1.0', 'lib/python3.12'];
    expect(finder().find('python3.12')?.toolPaths).toEqual(own.map((path) => join(root, 'home/env', path)));
  });

  test.each(['.pyenv/versions/3.12.1', '.nvm/versions/node/v22.1.0', '.local/share/mise/installs/node/22'])(
    'that a version manager keeps in ~/%s gives access to that folder',
    (dir) => {
      const { root, finder } = makeMachine([`home/${dir}/bin/mytool`], [`home/${dir}/bin`]);
      expect(finder().find('mytool')?.toolPaths).toEqual([join(root, 'home', dir)]);
    },
  );

  test('in an npm package gives access to the package', () => {
    const dir = 'home/.npm-global/lib/node_modules/@scope/tool';
    const { root, finder } = makeMachine([`${dir}/dist/bin/mytool`], [`${dir}/dist/bin`]);
    expect(finder().find('mytool')?.toolPaths).toEqual([join(root, dir)]);
  });

  test('is never taken from a skill or a project, not even through a link', () => {
    const { root, finder } = makeMachine(
      ['project/node_modules/.bin/mytool', 'ok/'],
      ['project/node_modules/.bin', 'ok'],
    );
    expect(finder().find('mytool')).toBeDefined();
    expect(finder(['project']).find('mytool')).toBeUndefined();
    symlinkSync(join(root, 'project/node_modules/.bin/mytool'), join(root, 'ok/mytool'));
    expect(finder(['project']).find('mytool')).toBeUndefined();
  });

  test('in the home is found even if the home is the working directory', () => {
    const { finder } = makeMachine(['home/.local/bin/mytool'], ['home/.local/bin']);
    expect(finder(['home']).find('mytool')).toBeDefined();
  });

  test('is taken from behind the shims of a version manager', () => {
    const { root, finder } = makeMachine(['shims/mytool', 'real/bin/mytool'], ['shims', 'real/bin']);
    expect(finder().find('mytool')?.path).toBe(join(root, 'real/bin/mytool'));
    expect(makeMachine(['shims/mytool'], ['shims']).finder().find('mytool')).toBeDefined();
  });

  test.each(['', '../bin/mytool', './mytool', 'bin/mytool', 'my\0tool', 'plain', 'nowhere'])(
    'is not found by the name %j',
    (name) => {
      const { root, finder } = makeMachine(['bin/mytool'], ['.', 'bin'], { 'bin/plain': 'not executable' });
      chmodSync(join(root, 'bin/plain'), 0o644);
      expect(finder().find(name)).toBeUndefined();
    },
  );
});

test('scripts run with our own Node.js and its TypeScript loader', () => {
  const { finder } = makeMachine([], []);
  expect(finder().node().path).toBe(process.execPath);
  expect(finder().typeScriptLoader()?.path).toMatch(/jiti-cli\.mjs$/);
});

test('the version of a tool is the first line that it prints', () => {
  const dir = makeTree({ tool: '#!/bin/sh\necho "tool 1.2"\necho more\n', bad: '#!/bin/sh\nexit 3\n' });
  expect(readToolVersion(join(dir, 'tool'))).toBe('tool 1.2');
  expect(readToolVersion(join(dir, 'bad'))).toBeUndefined();
  expect(readToolVersion(join(dir, 'missing'))).toBeUndefined();
});

test('the reported Node version is that of this process', () => {
  expect(nodeVersion()).toBe(process.versions.node);
});
