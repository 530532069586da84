import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

const runAll = (...commands: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, ['tools/side-by-side.ts', ...commands], { encoding: 'utf8' });

test('commands that run side by side each print in one piece, and all of them count', () => {
  const slow = `node -e "console.log('first'); setTimeout(() => console.log('last'), 200)"`;
  const quick = `node -e "console.error('quick'); process.exitCode = 3"`;
  expect(runAll(slow, quick)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(`> ${slow}\nfirst\nlast\n`),
    stderr: `Failed: ${quick}\n`,
  });
  expect(runAll(quick, slow)).toMatchObject({ status: 1, stdout: expect.stringContaining(`> ${quick}\nquick\n`) });
  expect(runAll(slow)).toMatchObject({ status: 0, stderr: '' });
});

test('npm run check fails if one of its commands cannot be started', () => {
  expect(runAll('exit 0', 'no-such-command-here')).toMatchObject({ status: 1 });
});
