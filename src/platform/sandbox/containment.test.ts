import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { sourceUrl } from '../../../test/support/child.ts';
import { findByCommandLine, oddSeconds } from '../../../test/support/processes.ts';
import { findObstacle, makeBench, NO_PYTHON, ran, scratchIn } from '../../../test/support/sandboxes.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { buildSystemCallFilter } from './seccomp.ts';

/** The same attacks for every backend that closes files. */
const BACKENDS: readonly Backend[] = [
  { containment: 'bwrap', hasFilter: buildSystemCallFilter(process.arch, { network: false }) !== undefined },
  { containment: 'namespaces', hasFilter: false },
];

interface Backend {
  readonly containment: 'bwrap' | 'namespaces';
  /** Are system calls filtered? */
  readonly hasFilter: boolean;
}

const obstacles = new Map<string, string | undefined>();
for (const { containment } of BACKENDS) obstacles.set(containment, await findObstacle(containment));
const isRoot = process.getuid?.() === 0;
const NEEDS_ROOT = isRoot ? '' : ' (skipped: only root can)';

/** Each line a shell command that must fail; gives those that did not. */
function attempts(commands: readonly string[]): string {
  return commands.map((command) => `(${command}) >/dev/null 2>&1 && echo 'DONE: ${command}'`).join('\n') + '\ntrue\n';
}

for (const { containment, hasFilter } of BACKENDS) {
  const obstacle = obstacles.get(containment);
  const because = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
  const NO_FILTER = hasFilter ? '' : ' (skipped: system calls are not filtered)';
  const inSandbox = (): ReturnType<typeof makeBench> => makeBench(containment);

  describe.skipIf(obstacle !== undefined)(`a script in ${containment}${because}`, () => {
    test('is a user without capabilities and without a way to gain any', async () => {
      const { run } = inSandbox();
      const code = 'whoami; id -u; id -gn; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status';
      const { stdout } = ran(await run('who.sh', code));
      const [name, id, group, ...status] = stdout.trim().split('\n');
      expect([name, id, group]).toEqual(['skill', '1000', 'skill']);
      const capabilities = status.filter((line) => line.startsWith('Cap'));
      expect(capabilities).toHaveLength(5);
      expect(capabilities.filter((line) => !/\t0{16}$/.test(line))).toEqual([]);
      expect(status).toContain('NoNewPrivs:\t1');
      expect(status).toContain(`Seccomp:\t${hasFilter ? 2 : 0}`);
    });

    test('is alone in namespaces of its own', async () => {
      const { run } = inSandbox();
      const kinds = ['user', 'pid', 'net', 'ipc', 'mnt', 'uts'];
      const { stdout } = ran(await run('ns.sh', `readlink ${kinds.map((kind) => `/proc/self/ns/${kind}`).join(' ')}`));
      const ours = kinds.map((kind) => readlinkSync(`/proc/self/ns/${kind}`));
      const all = new Set([...ours, ...stdout.trim().split('\n')]);
      expect(all.size).toBe(2 * kinds.length);
      const processes = ran(await run('ps.sh', 'ls -d /proc/[0-9]* | wc -l')).stdout;
      expect(Number(processes)).toBeLessThan(6);
    });

    test('is bound by resource limits', async () => {
      const { run } = inSandbox();
      const { stdout } = ran(await run('limits.sh', 'ulimit -u; ulimit -n; ulimit -c; ulimit -f; ulimit -d'));
      expect(stdout.split('\n').slice(1, 5)).toEqual(['1024', '0', '65536', '1048576']);
    });
  });

  describe.skipIf(obstacle !== undefined)(`a script in ${containment}${because}`, () => {
    test('sees no secret of ours in the environment of any process', async () => {
      const secret = `secret-${process.hrtime.bigint()}`;
      process.env['SKILLPLANE_TEST_SECRET'] = secret;
      onTestFinished(() => void delete process.env['SKILLPLANE_TEST_SECRET']);
      const { run } = inSandbox();
      const code =
        'env; cat /proc/1/environ /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\0" "\\n"; cat /proc/$PPID/environ';
      const { stdout } = ran(await run('spy.sh', code));
      expect(stdout).toContain('SKILL_DIR=');
      expect(stdout).not.toContain(secret);
      const names = stdout.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
      const known = new Set([
        'LANG',
        'PYTHONDONTWRITEBYTECODE',
        'PATH',
        'HOME',
        'TMPDIR',
        'PWD',
        'OLDPWD',
        'SHLVL',
        '_',
        'SKILL_DIR',
        'SKILL_OUTPUT_DIR',
      ]);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    });

    test('sees only system programs, its skill and its output folder', async () => {
      const { run, root } = inSandbox();
      writeTree(root, { 'other-skill/SKILL.md': 'other' });
      const code = `ls -A /; ls -A ${root}; ls -A /etc; cat /etc/passwd`;
      // Without the Node.js of this checkout, which may lie in a home.
      const { stdout, stderr } = ran(await run('look.sh', code, { toolPaths: [] }));
      expect(stderr).toBe('');
      const seen = stdout.split('\n');
      for (const name of ['usr', 'bin', 'proc', 'dev', 'tmp', 'skill', 'scratch', 'passwd'])
        expect(seen).toContain(name);
      for (const name of ['root', 'home', 'run', 'sys', 'boot', 'mnt', 'other-skill', 'shadow', 'ssh'])
        expect(seen).not.toContain(name);
      expect(stdout).not.toContain('nologin');
    });

    test('reaches its own localhost, by name', async () => {
      const { run } = inSandbox();
      const code = `
        import { createServer, connect } from 'node:net';
        const server = createServer((socket) => socket.end('own')).listen(0, 'localhost', () =>
          connect(server.address().port, 'localhost').on('data', (data) => { console.log(String(data)); server.close(); }));`;
      expect(await run('local.mjs', code)).toMatchObject({ ok: true, stdout: 'own\n', stderr: '' });
    });

    test('sees no file that our parent process left open', async () => {
      const { root, skillDir } = makeBench('none');
      const secret = openSync(join(makeTree({ secret: 'secret' }), 'secret'), 'r');
      onTestFinished(() => closeSync(secret));
      const code = `
        import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
        import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
        import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
        const { stdout } = await runSandboxed(openSandbox(), {
          command: ['/bin/bash', '-c', 'readlink /proc/self/fd/100; cat /proc/self/fd/100'],
          skillDir: process.argv[1], scratch: makeScratchFolder(process.argv[2]), timeoutMs: 50000, maxOutputBytes: 1000 });
        console.log(JSON.stringify(stdout));`;
      const gap = Array.from({ length: 97 }, () => 'ignore' as const);
      const engine = spawnSync(
        process.execPath,
        ['--input-type=module', '--eval', code, '--', skillDir, join(root, 'scratch')],
        { stdio: ['ignore', 'pipe', 'inherit', ...gap, secret], encoding: 'utf8' },
      );
      expect(JSON.parse(engine.stdout)).toBe('/dev/null\n');
    });

    test.skipIf(NEEDS_ROOT !== '')(`sees its skill even if root keeps it closed to others${NEEDS_ROOT}`, async () => {
      const { run, root, skillDir } = inSandbox();
      writeTree(skillDir, { 'private.txt': 'private' });
      for (const path of [root, skillDir]) chmodSync(path, 0o700);
      chmodSync(join(skillDir, 'private.txt'), 0o600);
      const code = 'cd $SKILL_DIR; cat private.txt; pwd; ulimit -u; echo x > $SKILL_OUTPUT_DIR/x; touch y';
      const outcome = ran(await run('read.sh', code));
      expect(outcome.stdout).toBe(`private${skillDir}\n256\n`);
      expect(outcome.stderr).toContain('Read-only file system');
      // Root starts it as a user id that no user has, if it can open the folders to that user, which takes bubblewrap.
      const isOther = containment === 'bwrap';
      expect(outcome.notes.includes('the number of its processes is not limited')).toBe(!isOther);
      expect(statSync(join(outcome.outputDir, 'x')).uid > 64_000).toBe(isOther);
      outcome.dispose();
      expect(readdirSync(join(root, 'scratch'))).toEqual([]);
    });
  });

  describe.skipIf(obstacle !== undefined)(`a script in ${containment}${because}`, () => {
    test('cannot write anywhere but to its output and to memory', async () => {
      const { run, root, skillDir } = inSandbox();
      const places = [
        '/',
        '/usr',
        '/usr/bin',
        '/etc',
        '/dev',
        '/proc',
        '/bin',
        '/lib',
        skillDir,
        dirname(process.execPath),
      ];
      const code = attempts([
        ...places.map((dir) => `touch ${dir}/new-file`),
        `echo x >> ${skillDir}/SKILL.md`,
        `rm ${skillDir}/SKILL.md`,
        `mv ${skillDir} ${skillDir}2`,
        'echo 1 > /proc/sys/vm/drop_caches',
        'echo b > /proc/sysrq-trigger',
      ]);
      expect(await run('write.sh', code)).toMatchObject({ ok: true, stdout: '' });
      expect(readdirSync(skillDir).sort()).toEqual(['SKILL.md', 'write.sh']);
      const allowed = await run('may.sh', 'touch /tmp/x /dev/shm/x $HOME/x $SKILL_OUTPUT_DIR/y z && echo ok');
      expect(allowed).toMatchObject({ ok: true, stdout: 'ok\n' });
      expect(readdirSync(root).sort()).toEqual(['scratch', 'skill']);
    });

    test('cannot mount, remount or create a namespace that would allow it', async () => {
      const { run, skillDir } = inSandbox();
      const code = attempts([
        `mount -o remount,rw ${skillDir}`,
        `mount -o remount,bind,rw ${skillDir}`,
        'mount -o remount,rw /',
        'mount -t tmpfs none /tmp',
        'mount --bind /tmp /usr',
        `umount ${skillDir}`,
        'umount -l /usr',
        'unshare --user true',
        'unshare --user --map-root-user --mount true',
        'unshare --mount true',
        'nsenter --target 1 --user true',
        'chroot / true',
        'mknod /tmp/disk b 8 0',
        'bwrap --ro-bind / / true',
      ]);
      expect(await run('mount.sh', code)).toMatchObject({ ok: true, stdout: '' });
    });

    test.skipIf(NO_PYTHON + NO_FILTER !== '')(
      `cannot make system calls that no script needs${NO_PYTHON}${NO_FILTER}`,
      async () => {
        const { run } = inSandbox();
        const code = `
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
numbers = {'x86_64': [101, 272, 321, 323, 425, 250], 'aarch64': [117, 97, 280, 282, 425, 219]}
for number in numbers.get(platform.machine(), []):
    done = libc.syscall(number, 0x10000000, 0, 0, 0, 0)
    if done != -1 or ctypes.get_errno() != errno.EPERM: print(number, done, ctypes.get_errno())
`;
        expect(await run('calls.py', code)).toMatchObject({ ok: true, stdout: '', stderr: '' });
      },
    );

    test('cannot reach a server on this machine, unless the caller opens the network', async () => {
      const server = createServer((socket) => void socket.end('hello\n'));
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const { run } = inSandbox();
      const code = `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`;
      const closed = await run('connect.sh', code);
      expect(closed).toMatchObject({ ok: false, stdout: '' });
      expect(await run('connect.sh', code, { network: true })).toMatchObject({ ok: true, stdout: 'hello\n' });
      const names = await run('names.sh', 'ls /etc/hosts', { network: true });
      expect(names).toMatchObject({ ok: true });
    });

    test('cannot reach an abstract socket of a process outside', async () => {
      const name = `skillplane-test-${process.pid}`;
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => void server.listen(`\0${name}`, resolve));
      const { run } = inSandbox();
      const code = `
        import { connect } from 'node:net';
        connect('\\0${name}').on('connect', () => { console.log('reached'); process.exit(); }).on('error', (e) => console.log(e.code));`;
      expect(await run('abstract.mjs', code)).toMatchObject({ ok: true, stdout: 'ECONNREFUSED\n' });
    });

    test('cannot take down the machine with a fork bomb, which ends with its time', async () => {
      const { run } = inSandbox();
      const marker = `bomb-${oddSeconds()}.sh`;
      const outcome = ran(
        await run(marker, 'bomb() { bomb | bomb & }; bomb; sleep 20', {
          timeoutMs: 1_000,
          limits: { processes: 48 },
          maxOutputBytes: 100_000,
        }),
      );
      expect(outcome).toMatchObject({ ok: false, isolation: containment });
      expect(findByCommandLine(marker)).toEqual([]);
      expect(await run('after.sh', 'echo alive')).toMatchObject({ ok: true, stdout: 'alive\n' });
    });

    test.skipIf(NO_PYTHON !== '')(`cannot start more processes than allowed${NO_PYTHON}`, async () => {
      const { run } = inSandbox();
      const code = `
import os, time
count = 0
try:
    while count < 100:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        count += 1
except OSError as error: print(type(error).__name__)
print(count)
`;
      const { stdout } = ran(await run('many.py', code, { limits: { processes: 32 } }));
      const [error, count] = stdout.split('\n');
      expect(error).toBe('BlockingIOError');
      expect(Number(count)).toBeGreaterThan(20);
      expect(Number(count)).toBeLessThan(32);
    });

    test.skipIf(NO_PYTHON !== '')(`cannot use more memory than allowed in Python${NO_PYTHON}`, async () => {
      const { run } = inSandbox();
      const code = 'x = []\nwhile True: x.append(bytearray(16 * 1024 * 1024))';
      const outcome = ran(await run('hog.py', code, { limits: { memoryBytes: 200 * 1024 * 1024 } }));
      expect(outcome).toMatchObject({ ok: false, exitCode: 1, stderr: expect.stringContaining('MemoryError') });
    });

    test('cannot use more memory than allowed in Node', async () => {
      const { run } = inSandbox();
      const code = 'const x = []; for (;;) x.push(Buffer.alloc(16 * 1024 * 1024, 1));';
      const outcome = ran(await run('hog.mjs', code, { limits: { memoryBytes: 300 * 1024 * 1024 } }));
      expect(outcome).toMatchObject({ ok: false, ended: 'exited' });
    });

    test('cannot write endless data to its output or to memory', async () => {
      const { run } = inSandbox();
      const limits = { fileBytes: 1024 * 1024 };
      const file = ran(await run('big.sh', 'head -c 2000000 /dev/zero > big; exit 0', { limits }));
      expect(file.files).toMatchObject([{ path: 'big', size: 1024 * 1024 }]);
      const memory = 'for i in $(seq 90); do head -c 1000000 /dev/zero > /tmp/$i || exit 9; done';
      expect(await run('tmp.sh', memory, { limits })).toMatchObject({ ok: false, exitCode: 9 });
    });

    test('cannot be stopped with words of the sandbox in its output', async () => {
      const stop = new AbortController();
      const { run } = makeBench(containment);
      const heard: string[] = [];
      const onOutput = (stream: string, text: string): void => {
        heard.push(`${stream} ${text}`);
        if (heard.length === 2) stop.abort();
      };
      const outcome = ran(await run('wait.sh', 'echo one; echo two >&2; sleep 60', { signal: stop.signal, onOutput }));
      expect(outcome).toMatchObject({ ended: 'cancelled', exitCode: null, stdout: 'one\n', stderr: 'two\n' });
      expect(heard.toSorted()).toEqual(['stderr two\n', 'stdout one\n']);
    });

    test('cannot outlive its time limit, whatever it starts', async () => {
      const { run } = inSandbox();
      const seconds = oddSeconds();
      const code = `setsid setsid sleep ${seconds} & (env -i setsid sleep ${seconds} &); echo begun; sleep ${seconds}`;
      let outcome = ran(await run('daemons.sh', code, { timeoutMs: 500 }));
      // On a busy machine it may not have begun by then.
      for (let timeoutMs = 1_000; outcome.stdout === ''; timeoutMs *= 2)
        outcome = ran(await run('daemons.sh', code, { timeoutMs }));
      expect(outcome.ended).toBe('timeout');
      expect(findByCommandLine(seconds)).toEqual([]);
    });
  });

  describe.skipIf(obstacle !== undefined)(`several scripts in ${containment}${because}`, () => {
    test('run at the same time without seeing each other', async () => {
      const { run } = inSandbox();
      const code = 'echo $1 > mine; sleep 0.2; cat mine; ls ../.. | wc -l';
      const all = await Promise.all(['a', 'b', 'c', 'd'].map((arg) => run('same.sh', code, { args: [arg] })));
      for (const [at, outcome] of all.entries()) {
        expect(ran(outcome).stdout).toBe(`${'abcd'[at]}\n1\n`);
      }
    });

    test.each(['/tmp', '/var/tmp', '/dev/shm'])('find their skill and output below %s', async (parent) => {
      const dir = mkdtempSync(join(parent, 'skillplane-test-'));
      onTestFinished(() => rmSync(dir, { recursive: true }));
      writeTree(dir, { 'skill/SKILL.md': 'here' });
      chmodSync(dir, 0o755);
      const { run } = inSandbox();
      const places = { skillDir: join(dir, 'skill'), scratch: scratchIn(dir) };
      const code = ['/bin/bash', '-c', 'cat $SKILL_DIR/SKILL.md; echo x > x'];
      const outcome = await run('x.sh', '', { ...places, command: code });
      expect(outcome).toMatchObject({ ok: true, stdout: 'here', files: [{ path: 'x', size: 2 }] });
    });

    test("get an interpreter that is installed in the user's home", async () => {
      const home = makeTree({
        'tools/bin/greet': '#!/bin/sh\ncat "$(dirname "$0")/../share/word"\n',
        'tools/share/word': 'hi',
      });
      const tools = join(home, 'tools');
      const { run } = inSandbox();
      const options = { command: [join(tools, 'bin/greet')], toolPaths: [tools] };
      expect(await run('x.sh', '', options)).toMatchObject({ ok: true, stdout: 'hi' });
      expect(await run('x.sh', '', { ...options, toolPaths: [] })).toMatchObject({ ok: false, code: 'SCRIPT_FAILED' });
    });
  });
}
