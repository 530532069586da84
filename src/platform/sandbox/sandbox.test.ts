import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { startModule, sourceUrl, nextLine } from '../../../test/support/child.ts';
import { findSurvivors, oddSeconds } from '../../../test/support/processes.ts';
import { findObstacle, makeBench, openContainment, ran, scratchIn } from '../../../test/support/sandboxes.ts';
import { makeTree } from '../../../test/support/tree.ts';
import type { SandboxPolicy } from '../../model/config.ts';
import { runSandboxed, type ScriptOutcome } from './run-sandboxed.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { findSandboxTools, isInSystemView } from './system-view.ts';
import { TRIAL_MS } from './try-command.ts';

const SKIP_LINUX = process.platform === 'linux' ? '' : ' (skipped: only for Linux)';
const obstacle = await findObstacle('bwrap');
const NO_BWRAP = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
const NO_NAMESPACES =
  (await findObstacle('namespaces')) === undefined ? '' : ' (skipped: user namespaces do not work here)';
const real = findSandboxTools();
/** Root has another user. */
const WITHOUT_BWRAP = process.getuid?.() === 0 ? 'other-user' : 'limits';

/** A sandbox whose bubblewrap is this shell script. */
function withFakeBwrap(script: string, options: SandboxOptions = {}): Sandbox {
  const dir = makeTree({ bwrap: `#!/bin/sh\n${script}\n` });
  chmodSync(dir, 0o755);
  const bwrap = join(dir, 'bwrap');
  const sandbox = openSandbox({ tools: { ...real, bwrap, pivotRoot: undefined }, ...options });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}

async function runHello(sandbox: Sandbox, policy: SandboxPolicy): Promise<ScriptOutcome> {
  const { root, skillDir } = makeBench('none');
  return runSandboxed(sandbox, {
    command: ['/bin/sh', '-c', 'echo hello'],
    skillDir,
    scratch: scratchIn(root),
    timeoutMs: 50_000,
    maxOutputBytes: 1_000,
    policy,
  });
}

describe('the sandbox helper programs', () => {
  test('come from system folders, whatever the PATH says', () => {
    const fake = makeTree({ bwrap: '#!/bin/sh\n', sh: '#!/bin/sh\n', unshare: '#!/bin/sh\n' });
    const before = process.env['PATH'];
    onTestFinished(() => void (process.env['PATH'] = before));
    process.env['PATH'] = `${fake}:${before}`;
    expect(findSandboxTools()).toEqual(real);
    const paths = Object.values(real).filter((path) => path !== undefined);
    expect(paths.filter((path) => !isInSystemView(path))).toEqual([]);
  });
});

describe.skipIf(SKIP_LINUX !== '')(`without bubblewrap, the sandbox policy${SKIP_LINUX}`, () => {
  test('`require` refuses to run and says why and what to do', async () => {
    const sandbox = openContainment('limits');
    expect(await runHello(sandbox, 'require')).toEqual({
      ok: false,
      code: 'SANDBOX_UNAVAILABLE',
      message: 'cannot run scripts: your setting sandbox: require needs a sandbox, but bubblewrap is not installed',
      next: {
        ask: 'user',
        to: 'Install it: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.',
      },
    });
  });

  test('`auto` runs a script with limits and says what these do not prevent', async () => {
    const outcome = await runHello(openContainment('limits'), 'auto');
    expect(outcome).toMatchObject({ ok: true, stdout: 'hello\n', isolation: WITHOUT_BWRAP });
    expect(outcome).toMatchObject({ notes: expect.arrayContaining(['bubblewrap is not installed']) });
    const weaker = await runHello(openContainment('limits without namespaces'), 'auto');
    expect(weaker).toMatchObject({ notes: expect.arrayContaining(['the network is open']) });
  });

  test('`off` runs a script without limits and says so', async () => {
    const outcome = await runHello(openContainment('limits'), 'off');
    expect(outcome).toMatchObject({
      ok: true,
      isolation: 'none',
      notes: ['the sandbox is turned off', 'a process that leaves its process group can outlive the script'],
    });
  });
});

describe.skipIf(SKIP_LINUX !== '')(`bubblewrap that does not work${SKIP_LINUX}`, () => {
  test('is detected by trying it once, and its own reason is reported', async () => {
    const dir = makeTree();
    chmodSync(dir, 0o777);
    const log = join(dir, 'log');
    const sandbox = withFakeBwrap(
      `echo tried >> ${log}; echo "bwrap: No permissions to create a namespace" >&2; exit 1`,
    );
    expect(await sandbox.choose('auto')).toMatchObject({
      promises: { filesClosed: false, skillAtOwnPath: false },
      missing: {
        reason: 'bubblewrap does not work here: No permissions to create a namespace',
        next: { ask: 'user', to: expect.stringContaining('Allow user namespaces') },
      },
    });
    expect(await runHello(sandbox, 'auto')).toMatchObject({ ok: true, isolation: WITHOUT_BWRAP });
    expect(await runHello(sandbox, 'require')).toMatchObject({ ok: false, code: 'SANDBOX_UNAVAILABLE' });
    expect(readFileSync(log, 'utf8')).toBe('tried\n');
  });

  test.skipIf(NO_NAMESPACES !== '')(`leaves scripts to the programs of util-linux${NO_NAMESPACES}`, async () => {
    for (const policy of ['auto', 'require'] as const) {
      const outcome = await runHello(openContainment('namespaces'), policy);
      expect(outcome).toMatchObject({
        ok: true,
        isolation: 'namespaces',
        stdout: 'hello\n',
        notes: ['bubblewrap is not installed', 'system calls are not filtered'],
      });
    }
  });

  test('because it never ends is not waited for', async () => {
    const chosen = await withFakeBwrap('exec sleep 60', { trialMs: 100 }).choose('auto');
    expect(chosen).toMatchObject({ ok: true, missing: { reason: 'bubblewrap does not work here: timeout' } });
    expect(TRIAL_MS).toBe(5_000);
  });

  test.skipIf(NO_BWRAP !== '')(
    `for one script after it worked before is not blamed on the script${NO_BWRAP}`,
    async () => {
      const sandbox = withFakeBwrap(
        `case "$*" in *"echo hello"*) echo "bwrap: Creating new namespace failed" >&2; exit 1;; esac; exec ${real.bwrap} "$@"`,
      );
      expect(await runHello(sandbox, 'auto')).toEqual({
        ok: false,
        code: 'SANDBOX_UNAVAILABLE',
        message: 'bubblewrap could not be set up: bwrap: Creating new namespace failed',
      });
    },
  );
});

describe.skipIf(NO_BWRAP !== '')(`bubblewrap${NO_BWRAP}`, () => {
  test('of an older version is used without the options that it does not know', async () => {
    const sandbox = withFakeBwrap(
      `for a; do case "$a" in --size|--disable-userns) echo "bwrap: Unknown option $a" >&2; exit 1;; esac; done; exec ${real.bwrap} "$@"`,
    );
    expect(await runHello(sandbox, 'require')).toMatchObject({ ok: true, isolation: 'bwrap', stdout: 'hello\n' });
  });

  test('is used by the policies `auto` and `require`', async () => {
    for (const policy of ['auto', 'require'] as const)
      expect(await runHello(openContainment('bwrap'), policy)).toMatchObject({
        ok: true,
        isolation: 'bwrap',
        notes: [],
      });
  });
});

/** Runs a script with an engine in a process of its own, which the command `before` starts; returns the outcome. */
function runEngine(before: readonly string[], script: string): unknown {
  const { root, skillDir } = makeBench('none');
  chmodSync(root, 0o777);
  const code = `
    import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
    import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
    import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
    const { ok, message, stdout, isolation } = await runSandboxed(openSandbox(), {
      command: ['/bin/bash', '-c', process.argv[3]],
      skillDir: process.argv[1], scratch: makeScratchFolder(process.argv[2]), timeoutMs: 50000, maxOutputBytes: 1000 });
    console.log(JSON.stringify({ ok, message, stdout, isolation }));`;
  const args = ['--input-type=module', '--eval', code, '--', skillDir, join(root, 'scratch'), script];
  const [file = '', ...rest] = [...before, process.execPath, ...args];
  const { stdout, stderr } = spawnSync(file, rest, { encoding: 'utf8' });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

describe.skipIf(NO_BWRAP !== '')(`a script in a container${NO_BWRAP}`, () => {
  const bwrap = real.bwrap ?? '';

  test('runs even as a root that cannot become another user', () => {
    const alone = [bwrap, '--dev-bind', '/', '/', '--unshare-user', '--uid', '0', '--gid', '0'];
    const isolation = expect.stringMatching(/^(?:bwrap|limits)$/);
    expect(runEngine(alone, 'echo hello')).toEqual({ ok: true, stdout: 'hello\n', isolation });
  });

  test('runs with limits where namespaces are forbidden', () => {
    const forbidden = [bwrap, '--dev-bind', '/', '/', '--unshare-user', '--uid', '1000', '--disable-userns'];
    expect(runEngine(forbidden, 'echo hello')).toEqual({ ok: true, stdout: 'hello\n', isolation: 'limits' });
  });
});

const NOT_ROOT = process.getuid?.() === 0 ? '' : ' (skipped: only for root)';

describe.skipIf(NOT_ROOT !== '')(`root without bubblewrap${NOT_ROOT}`, () => {
  const code = 'id -u; grep -E "CapEff|NoNewPrivs" /proc/self/status; cat /proc/$PPID/environ || echo closed';
  const NO_RIGHTS = 'CapEff:\t0000000000000000\nNoNewPrivs:\t1\n';

  test('runs a script as another user', async () => {
    const { run } = makeBench('limits without namespaces');
    const outcome = ran(await run('who.sh', code));
    expect(outcome.stdout).toMatch(new RegExp(`^64\\d{3}\n${NO_RIGHTS}closed\n$`));
    expect(outcome.notes).not.toContain('the script runs as root');
  });

  test('runs a script as root without rights where no other user can reach it, and says so', async () => {
    const { run, root } = makeBench('limits');
    chmodSync(root, 0o700);
    const outcome = ran(await run('who.sh', code));
    expect(outcome.stdout).toBe(`0\n${NO_RIGHTS}closed\n`);
    expect(outcome.notes).toContain('the script runs as root');
  });
});

/** An engine in a process of its own, which is killed while a script runs. */
async function killEngine(tools: string, rootMode: number): Promise<string> {
  const { root, skillDir } = makeBench('none');
  chmodSync(root, rootMode);
  const seconds = oddSeconds();
  const code = `
    import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
    import { findSandboxTools } from ${JSON.stringify(sourceUrl('platform/sandbox/system-view.ts'))};
    import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
    import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
    await runSandboxed(openSandbox({ tools: { ...findSandboxTools(), ...${tools} } }), {
      command: ['/bin/bash', '-c', 'setsid sleep ${seconds} & echo begun; sleep ${seconds}'],
      skillDir: process.argv[1], scratch: makeScratchFolder(process.argv[2]), timeoutMs: 60000, maxOutputBytes: 1000,
      onOutput: (_, text) => process.stdout.write(text),
    });`;
  const engine = startModule(code, [skillDir, join(root, 'scratch')]);
  expect(await nextLine(engine)).toBe('begun');
  engine.kill('SIGKILL');
  return seconds;
}

const NO_UNSHARE = (await findObstacle('limits')) === undefined ? '' : ' (skipped: unshare does not work here)';

describe('when Skillplane is killed', () => {
  test.skipIf(NO_BWRAP !== '')(`a script in bubblewrap dies${NO_BWRAP}`, async () => {
    expect(await findSurvivors(await killEngine('{}', 0o755))).toEqual([]);
  });

  test.skipIf(NO_BWRAP !== '')(`a script in bubblewrap in a closed folder dies${NO_BWRAP}`, async () => {
    expect(await findSurvivors(await killEngine('{}', 0o700))).toEqual([]);
  });

  test.skipIf(NO_NAMESPACES !== '')(`a script in namespaces dies${NO_NAMESPACES}`, async () => {
    expect(await findSurvivors(await killEngine('{ bwrap: undefined }', 0o755))).toEqual([]);
  });

  test.skipIf(NO_UNSHARE !== '')(`a script with limits dies${NO_UNSHARE}`, async () => {
    expect(await findSurvivors(await killEngine('{ bwrap: undefined, pivotRoot: undefined }', 0o755))).toEqual([]);
  });
});
