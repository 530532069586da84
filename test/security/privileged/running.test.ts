import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../support/child.ts';
import { findObstacle } from '../../support/sandboxes.ts';
import { makeTree } from '../../support/tree.ts';

const obstacle = process.getuid?.() === 0 ? await findObstacle('bwrap') : 'only root can become other users';
const SKIPPED = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

const VICTIM = 61_234;
const ATTACKER = 61_235;

interface Run {
  readonly message?: string;
  readonly outputDir: string;
}

/** Runs a script as this user, and leaves its folder. */
async function runAs(user: number, script: string, limits: object = {}): Promise<Run> {
  const root = makeTree({ 'skill/SKILL.md': '' });
  for (const dir of [root, join(root, 'skill')]) chmodSync(dir, 0o777);
  const code = `
    import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
    import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
    import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
    if (${user} !== 0) { process.setgroups([]); process.setgid(${user}); process.setuid(${user}); }
    const run = await runSandboxed(openSandbox(), {
      command: ['/bin/sh', '-c', process.argv[3]], skillDir: process.argv[1], scratch: makeScratchFolder(process.argv[2]),
      timeoutMs: 20000, maxOutputBytes: 1000, limits: ${JSON.stringify(limits)} });
    console.log(JSON.stringify(run));`;
  const run = await runModule(code, [join(root, 'skill'), join(root, 'scratch'), script]);
  const { outputDir } = Object(run) as Run;
  onTestFinished(() => rmSync(dirname(outputDir), { recursive: true, force: true }));
  return Object(run) as Run;
}

/** Runs a shell command as a second user of the machine. */
function tryAs(user: number, command: string): string {
  const args = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--', '/bin/sh', '-c', command];
  const { stdout } = spawnSync('/usr/bin/setpriv', args, { encoding: 'utf8', cwd: '/' });
  return stdout;
}

describe.skipIf(SKIPPED !== '')(`a second user of the machine${SKIPPED}`, () => {
  const OPEN = 'cp /usr/bin/id id; chmod 755 . id; chmod 4755 id; echo secret > a';

  test.each([
    ['in the sandbox of a user', VICTIM],
    ['in the sandbox of root', 0],
  ])('cannot start or read what a script opened to it %s', async (_, user) => {
    const { outputDir: dir } = await runAs(user, OPEN);
    expect(globSync(join(dir, '*')).map((path) => path.slice(dir.length + 1))).toEqual(['a', 'id']);
    expect(tryAs(ATTACKER, `ls ${dir}; cat ${dir}/a; ${dir}/id -u`)).toBe('');
  });
});

describe.skipIf(SKIPPED !== '')(`a script of a user who is not root${SKIPPED}`, () => {
  test('is stopped when it fills the disk', async () => {
    const script = 'for n in 1 2; do dd if=/dev/zero of="$n" bs=1M count=30 2>/dev/null; done; sleep 40';
    const { message } = await runAs(VICTIM, script, { totalFileBytes: 50 * 1024 * 1024 });
    expect(message).toBe('the script was stopped because it wrote too many files, or more than 50 MiB in all');
  });

  test('is stopped when its processes take too much memory together', async () => {
    const hog = `perl -e 'for (1..5) { next if fork; $x = "x" x 90_000_000; sleep 40 } sleep 40'`;
    const { message } = await runAs(VICTIM, hog, { totalMemoryBytes: 300 * 1024 * 1024 });
    expect(message).toBe('the script was stopped because its processes used more than 300 MiB of memory together');
  });
});
