import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { makeTree } from '../support/tree.ts';

const BIN = resolve('bin/skillplane.mjs');

/** A Node.js on the PATH that is too old for us, so that the launcher starts the one that the checkout carries. */
function findOldNode(): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, 'node'));
  return candidates.find((file) => {
    if (!existsSync(file)) return false;
    const [major = 0, minor = 0] = execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 18);
  });
}

describe('skillplane started by an old Node.js', () => {
  beforeEach(({ skip }) => skip(findOldNode() === undefined, 'no Node.js older than 22.18 is installed'));
  const node = findOldNode() ?? '';

  test.each([['SIGTERM'], ['SIGHUP'], ['SIGINT']] as const)(
    'ends its server and frees the port at %s',
    async (signal) => {
      const home = makeTree();
      const child = spawn(node, [BIN, 'mcp', '--http', '--port', '0'], {
        cwd: home,
        env: { HOME: home, PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [line]: unknown[] = await once(child.stdout, 'data');
      const url = /http:\S+/.exec(String(line))?.[0] ?? '';
      await expect(fetch(url, { method: 'GET' })).resolves.toBeDefined();
      child.kill(signal);
      await once(child, 'close');
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  );

  test('passes on the exit code of the command', async () => {
    const home = makeTree();
    const child = spawn(node, [BIN, 'load', 'nothing'], { cwd: home, env: { HOME: home, PATH: process.env['PATH'] } });
    const [code]: unknown[] = await once(child, 'close');
    expect(code).toBe(1);
  });
});
