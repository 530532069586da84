import { chmodSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree } from '../../test/support/tree.ts';
import { expandPath, findCommand, readEnvironment, type Environment } from './environment.ts';

function environment(variables: Readonly<Record<string, string>> = {}): Environment {
  return readEnvironment({ cwd: '/srv', home: '/home/ann', env: variables });
}

describe('the environment', () => {
  test('is exactly what the caller passes', () => {
    const env = { HOME: '/home/ben', PATH: '/bin' };
    expect(readEnvironment({ cwd: '/srv', home: '/home/ann', env })).toEqual({
      cwd: '/srv',
      home: '/home/ann',
      agentHome: '/home/ann/.agent',
      variables: env,
      userId: process.getuid?.(),
    });
  });

  test("is the process's own by default", () => {
    const own = readEnvironment();
    expect(own.cwd).toBe(process.cwd());
    expect(own.variables).toBe(process.env);
    expect(own.home).toBe(resolve(process.env['HOME'] || homedir()));
  });

  test.each(['.', 'sub', '../x'])('a relative HOME (%s) is no folder of the project', (HOME) => {
    const { home, agentHome } = readEnvironment({ cwd: '/srv/project', env: { HOME } });
    expect([home, agentHome].filter((path) => path.startsWith('/srv'))).toEqual([]);
  });

  test('takes the home from HOME if none is passed', () => {
    expect(readEnvironment({ cwd: '/srv', env: { HOME: '/home/ben' } }).home).toBe('/home/ben');
  });

  test.each([
    ['/elsewhere', '/elsewhere'],
    ['~/elsewhere', '/home/ann/elsewhere'],
    ['$XDG/agent', '/xdg/agent'],
    ['here', '/srv/here'],
    ['', '/home/ann/.agent'],
  ])('AGENT_HOME %j moves ~/.agent to %s', (value, path) => {
    expect(environment({ AGENT_HOME: value, XDG: '/xdg' }).agentHome).toBe(path);
  });
});

describe('expanding a path', () => {
  test.each([
    ['~', '/home/ann'],
    ['~/skills', '/home/ann/skills'],
    ['$DATA/skills', '/data/skills'],
    ['${DATA}/skills', '/data/skills'],
    ['${DATA}more', '/datamore'],
    ['/a/$SUB/$SUB/b', '/a/sub/sub/b'],
    ['$HOMEDIR/x', '/home/ann/x'],
    ['/absolute/./x/../y', '/absolute/y'],
    ['relative', '/base/relative'],
    ['../up', '/up'],
    ['', '/base'],
    ['~ann/x', '/base/~ann/x'],
    ['a~/x', '/base/a~/x'],
    ['/costs$/x', '/costs$/x'],
  ])('turns %j into %s', (path, expanded) => {
    const variables = { DATA: '/data', SUB: 'sub', HOMEDIR: '~' };
    expect(expandPath(path, environment(variables), '/base')).toEqual({ ok: true, path: expanded });
  });

  test('fails and names a variable that is unset or empty', () => {
    const failure = (path: string): unknown => expandPath(path, environment({ EMPTY: '' }), '/base');
    expect(failure('$NOPE/x')).toEqual({
      ok: false,
      code: 'CONFIG_INVALID',
      message: '$NOPE/x: the variable NOPE is not set',
    });
    expect(failure('${EMPTY}/$NOPE')).toMatchObject({ message: '${EMPTY}/$NOPE: the variable EMPTY, NOPE is not set' });
  });
});

describe('finding a command', () => {
  test('gives the first executable file on the PATH, even through a link', () => {
    const root = makeTree({
      'one/': '',
      'two/tool': '#!/bin/sh\n',
      'three/tool': '#!/bin/sh\n',
      'one/alias': link('../two/tool'),
    });
    const here = environment({ PATH: ['one', 'two', 'three'].map((dir) => join(root, dir)).join(':') });
    expect(findCommand('tool', here)).toBe(join(root, 'two/tool'));
    expect(findCommand('alias', here)).toBe(join(root, 'one/alias'));
    expect(findCommand('missing', here)).toBeUndefined();
  });

  test('ignores directories and files that are not executable', () => {
    const root = makeTree({ 'tool/': '', plain: 'text', gone: link('nowhere') });
    chmodSync(join(root, 'plain'), 0o644);
    const here = environment({ PATH: root });
    expect(['tool', 'plain', 'gone'].map((name) => findCommand(name, here))).toEqual([undefined, undefined, undefined]);
  });

  test('ignores the working directory and other relative entries of the PATH', () => {
    const root = makeTree({ tool: '#!/bin/sh\n', 'bin/tool': '#!/bin/sh\n' });
    const fromHere = relative(process.cwd(), join(root, 'bin'));
    for (const path of ['', '.', ':', '::', 'bin', fromHere, `${fromHere}:.`]) {
      const here = readEnvironment({ cwd: root, home: root, env: { PATH: path } });
      expect(findCommand('tool', here)).toBeUndefined();
    }
    expect(findCommand('tool', readEnvironment({ cwd: root, home: root, env: {} }))).toBeUndefined();
  });

  test('refuses a name that is a path', () => {
    const root = makeTree({ 'bin/tool': '#!/bin/sh\n' });
    const here = environment({ PATH: join(root, 'bin') });
    for (const name of ['', '../bin/tool', './tool', join(root, 'bin/tool'), 'a\\tool', 'tool\0', '.', '..']) {
      expect(findCommand(name, here)).toBeUndefined();
    }
  });
});
