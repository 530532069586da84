import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { readEnvironment, type Environment } from '../../platform/environment.ts';
import { HOSTS } from '../all-hosts.ts';
import { requestConnection } from './connection-request.ts';

function makePlace(): Environment {
  const home = makeTree();
  return readEnvironment({ cwd: home, env: { HOME: home, PATH: home } });
}

const wanted = { server: true, hook: true, recordsUse: false };

test('an agent starts our server, and its hook asks us, under its own name', () => {
  const { server, hook } = requestConnection(HOSTS.codex, wanted, makePlace());
  expect(server).toMatchObject({ args: expect.arrayContaining(['mcp', '--agent', 'codex']) });
  expect(hook?.slice(-2)).toEqual(['hook', 'codex']);
});

test('connecting an agent leaves out the parts that are not wanted', () => {
  expect(requestConnection(HOSTS.codex, { ...wanted, server: false }, makePlace()).server).toBeUndefined();
  expect(requestConnection(HOSTS.codex, { ...wanted, hook: false }, makePlace()).hook).toBeUndefined();
});

test('a hook starts a process only if a person said so, now or before', () => {
  expect(requestConnection(HOSTS.codex, wanted, makePlace()).startsProcess).toBe(false);
  expect(requestConnection(HOSTS.codex, { ...wanted, startsProcess: true }, makePlace()).startsProcess).toBe(true);
});
