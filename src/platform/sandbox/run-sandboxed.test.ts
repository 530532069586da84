import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { endAll, findByCommandLine, findSurvivors, oddSeconds } from '../../../test/support/processes.ts';
import { findObstacle, NO_PYTHON, makeBench, ran, type Containment } from '../../../test/support/sandboxes.ts';
import { writeTree } from '../../../test/support/tree.ts';
import type { ScriptRun } from './run-sandboxed.ts';

function digestOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

const CONTAINMENTS: readonly Containment[] = ['bwrap', 'namespaces', 'limits', 'limits without namespaces', 'none'];
/** In these, a process that leaves its process group can stay. */
const STAY: ReadonlySet<Containment> = new Set(['limits without namespaces', 'none']);
const obstacles = new Map<Containment, string | undefined>();
for (const containment of CONTAINMENTS) obstacles.set(containment, await findObstacle(containment));

for (const containment of CONTAINMENTS) {
  const obstacle = obstacles.get(containment);
  const because = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
  const limits = process.getuid?.() === 0 ? 'other-user' : 'limits';
  const isolation = containment.startsWith('limits') ? limits : containment;
  // Another user could not write to our folders.
  const isolationHere = containment.startsWith('limits') ? 'limits' : containment;

  describe.skipIf(obstacle !== undefined)(`a script with the isolation ${containment}${because}`, () => {
    test('returns output, exit code and the files that it wrote', async () => {
      const { run } = makeBench(containment);
      const outcome = await run('hello.sh', 'echo hello "$1"; echo err >&2; echo made > "$SKILL_OUTPUT_DIR/made.txt"', {
        args: ['you there'],
      });
      expect(outcome).toMatchObject({
        ok: true,
        ended: 'exited',
        exitCode: 0,
        signal: null,
        stdout: 'hello you there\n',
        stderr: 'err\n',
        truncated: false,
        isolation,
        files: [{ path: 'made.txt', size: 5, digest: digestOf('made\n') }],
        filesCut: false,
      });
    });

    test.each([
      ['exit 3', { exitCode: 3, signal: null }, 'the script ended with exit code 3'],
      ['kill -SEGV $$', { exitCode: null, signal: 'SIGSEGV' }, 'the script was ended by SIGSEGV'],
      ['kill -KILL $$', { exitCode: null, signal: 'SIGKILL' }, 'the script was ended by SIGKILL'],
    ])('that fails with %s says how, and keeps its output', async (code, status, message) => {
      const { run } = makeBench(containment);
      const outcome = await run('fail.sh', `echo before; ${code}`);
      expect(outcome).toMatchObject({
        ok: false,
        code: 'SCRIPT_FAILED',
        message,
        ...status,
        ended: 'exited',
        stdout: 'before\n',
        stderr: '',
      });
    });

    test('runs in Node, wherever Node is installed', async () => {
      const { run } = makeBench(containment);
      const node = await run('a.mjs', 'console.log(process.argv.slice(2).join(), process.version)', {
        args: ['x', ''],
      });
      expect(node).toMatchObject({ ok: true, stdout: `x, ${process.version}\n`, stderr: '' });
    });

    test.skipIf(NO_PYTHON !== '')(`runs in Python${NO_PYTHON}`, async () => {
      const { run } = makeBench(containment);
      const python = await run('a.py', 'import sys\nprint(sys.argv[1:])', { args: ['x', ''] });
      expect(python).toMatchObject({ ok: true, stdout: "['x', '']\n", stderr: '' });
    });

    test('leaves only its working folder, until that is disposed of', async () => {
      const { run } = makeBench(containment);
      const { outputDir, dispose } = ran(await run('a.sh', 'echo made > made.txt'));
      expect(readdirSync(join(outputDir, '..'))).toEqual(['work']);
      dispose();
    });

    test('starts in its working folder, and can read its skill', async () => {
      const { run } = makeBench(containment);
      const outcome = ran(await run('scripts/where.sh', 'pwd; cat "$SKILL_DIR/SKILL.md"'));
      expect(outcome.stdout).toBe(`${outcome.outputDir}\n# Demo\n`);
    });

    test('works in the folder of the user if the caller says so, and the result lists what it changed there', async () => {
      const { run, root } = makeBench(containment);
      writeTree(root, { 'project/a.txt': 'a', 'project/b.txt': 'b', 'project/sub/c.txt': 'c' });
      const workspace = join(root, 'project');
      const outcome = ran(await run('a.sh', 'pwd; cat a.txt; echo new > sub/d.txt; echo more >> b.txt', { workspace }));
      expect(outcome).toMatchObject({
        ok: true,
        stdout: `${workspace}\na`,
        outputDir: workspace,
        isolation: isolationHere,
      });
      expect(outcome.files.map(({ path }) => path)).toEqual(['b.txt', 'sub/d.txt']);
      expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('bmore\n');
      outcome.dispose();
      expect(readdirSync(workspace).sort()).toEqual(['a.txt', 'b.txt', 'sub']);
      expect(readdirSync(join(root, 'scratch'))).toEqual([]);
    });

    test('reaches the network and other files exactly if its isolation does not promise that they are closed', async () => {
      const server = createServer((socket) => void socket.end('reached\n')).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = Object(server.address()) as { readonly port: number };
      const { run, root } = makeBench(containment);
      writeTree(root, { 'other/file': 'read\n' });
      const code = `cat <${root}/other/file; cat </dev/tcp/127.0.0.1/${port}; true`;
      const { stdout, promises } = ran(await run('reach.sh', code));
      expect(stdout).toBe(`${promises.filesClosed ? '' : 'read\n'}${promises.networkClosed ? '' : 'reached\n'}`);
      expect(promises.filesClosed).toBe(containment === 'bwrap' || containment === 'namespaces');
    });

    test('has exactly the environment of a script', async () => {
      const { run, skillDir } = makeBench(containment);
      const outcome = ran(await run('env.mjs', 'console.log(JSON.stringify(process.env))', { env: { GIVEN: 'x' } }));
      const { PWD: _, ...variables } = JSON.parse(outcome.stdout) as Record<string, string>;
      expect(variables).toEqual({
        GIVEN: 'x',
        HOME: join(outcome.outputDir, '../home'),
        LANG: 'C.UTF-8',
        PYTHONDONTWRITEBYTECODE: '1',
        PATH: `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        SKILL_DIR: skillDir,
        SKILL_OUTPUT_DIR: outcome.outputDir,
        TMPDIR: join(outcome.outputDir, '../home'),
      });
    });

    test('is refused with an environment variable that runs code, and nothing is started or left', async () => {
      const { run, root } = makeBench(containment);
      const outcome = await run('x.sh', 'echo hi', { env: { LD_PRELOAD: '/tmp/x.so' } });
      expect(outcome).toMatchObject({
        ok: false,
        code: 'SCRIPT_FAILED',
        message: expect.stringContaining('LD_PRELOAD'),
      });
      expect(outcome).not.toHaveProperty('stdout');
      expect(readdirSync(join(root, 'scratch'))).toEqual([]);
    });

    test('that writes where it may not is told so, even if it does not care', async ({ skip }) => {
      const { run, skillDir } = makeBench(containment);
      const node = ran(
        await run(
          'a.mjs',
          `import fs from 'node:fs'; try { fs.writeFileSync('/usr/x', ''); } catch (e) { console.log(e.message); }`,
        ),
      );
      skip(!node.promises.filesClosed, 'files are not closed here');
      const refused = (path: string, { outputDir }: ScriptRun): string =>
        `Writing to ${path} was refused: the script can write only to its working directory ${outputDir}, to $HOME and to /tmp.`;
      expect(node.warnings).toEqual([refused('/usr/x', node)]);
      const shell = ran(await run('a.sh', `touch "$SKILL_DIR/a b"; echo x > /etc/new; mkdir /new; echo x > fine`));
      expect(shell.warnings).toEqual([`${skillDir}/a b`, '/new', '/etc/new'].map((path) => refused(path, shell)));
      expect(shell.files).toMatchObject([{ path: 'fine' }]);
    });

    test('can open its own output by path', async () => {
      const { run } = makeBench(containment);
      expect(await run('x.sh', 'echo a > /dev/stdout; echo b | tee /dev/stderr')).toMatchObject({
        stdout: 'a\nb\n',
        stderr: 'b\n',
      });
    });

    test('reads empty input, or the given text', async () => {
      const { run } = makeBench(containment);
      expect(await run('cat.sh', 'cat')).toMatchObject({ ok: true, stdout: '' });
      expect(await run('cat.sh', 'cat', { input: 'text' })).toMatchObject({ ok: true, stdout: 'text' });
    });

    test('leaves the files that it wrote until they are disposed of', async () => {
      const { run, root } = makeBench(containment);
      const code = 'mkdir -p a/b; echo x > a/b/c; ln -s /etc/passwd link; mkfifo pipe; echo x > $HOME/cache';
      const outcome = ran(await run('out.sh', code));
      expect(outcome.files).toEqual([{ path: 'a/b/c', size: 2, digest: digestOf('x\n') }]);
      expect(readFileSync(join(outcome.outputDir, 'a/b/c'), 'utf8')).toBe('x\n');
      expect(statSync(outcome.outputDir).mode & 0o777).toBe(0o700);
      outcome.dispose();
      expect(existsSync(outcome.outputDir)).toBe(false);
      expect(readdirSync(join(root, 'scratch'))).toEqual([]);
    });

    test('that prints too much is stopped at the limit, and the result says so', async () => {
      const { run } = makeBench(containment);
      const outcome = ran(await run('flood.sh', 'yes & yes >&2 & wait', { maxOutputBytes: 300_000 }));
      expect(outcome).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', ended: 'output', truncated: true });
      expect(outcome.stdout.length + outcome.stderr.length).toBe(300_000);
    });

    test('that ignores SIGTERM is killed when its time is up, with its children and daemons', async () => {
      const { run } = makeBench(containment);
      const seconds = oddSeconds();
      const code = `trap '' TERM HUP INT; setsid sleep ${seconds} & nohup sleep ${seconds} & sleep ${seconds}`;
      const outcome = await run('stubborn.sh', code, { timeoutMs: 700 });
      expect(outcome).toMatchObject({ ok: false, code: 'SCRIPT_TIMEOUT', ended: 'timeout', isolation });
      expect(await findSurvivors(seconds)).toEqual([]);
    });

    test('that leaves processes behind is not waited for, and they are killed', async () => {
      const { run } = makeBench(containment);
      const seconds = oddSeconds();
      const outcome = ran(await run('behind.sh', `sleep ${seconds} & nohup sleep ${seconds} & sleep 0.1; echo done`));
      expect(outcome).toMatchObject({ ok: true, stdout: 'done\n' });
      expect(outcome.durationMs).toBeLessThan(25_000);
      expect(await findSurvivors(seconds)).toEqual([]);
    });

    test('that leaves daemons in sessions of their own loses them too, or says that they can stay', async () => {
      const { run } = makeBench(containment);
      const seconds = oddSeconds();
      onTestFinished(() => endAll(seconds));
      const code = `setsid sleep ${seconds} & (env -i /usr/bin/setsid /bin/sleep ${seconds} &); sleep 0.1`;
      const { notes, promises } = ran(await run('daemon.sh', code));
      const canStay = notes.includes('a process that leaves its process group can outlive the script');
      expect([canStay, promises.processesEnd]).toEqual(STAY.has(containment) ? [true, false] : [false, true]);
      expect(canStay ? [] : findByCommandLine(seconds)).toEqual([]);
    });

    test('is killed when it is cancelled, and does not start if it is cancelled before', async () => {
      const { run } = makeBench(containment);
      const seconds = oddSeconds();
      const cancel = new AbortController();
      const options = { signal: cancel.signal, onOutput: () => cancel.abort() };
      const outcome = await run('long.sh', `sleep ${seconds} & echo begun; wait`, options);
      expect(outcome).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', ended: 'cancelled', stdout: 'begun\n' });
      expect(await run('x.sh', 'echo x', options)).toMatchObject({ ok: false, ended: 'cancelled', stdout: '' });
      expect(await findSurvivors(seconds)).toEqual([]);
    });

    test('that is cancelled at any moment of its start leaves nothing running', async () => {
      const { run, skillDir } = makeBench(containment);
      for (let delayMs = 0; delayMs < 12; delayMs += 1) {
        const outcome = ran(await run('long.sh', 'sleep 30; exit', { signal: AbortSignal.timeout(delayMs) }));
        expect(outcome.ended).toBe('cancelled');
        outcome.dispose();
      }
      expect(await findSurvivors(skillDir)).toEqual([]);
    });

    test('whose program is missing, not executable or not given by path is not started', async () => {
      const { run, skillDir } = makeBench(containment);
      for (const program of ['/usr/bin/no-such-program', 'bash', join(skillDir, 'SKILL.md')])
        expect(await run('x.sh', 'echo x', { command: [program] })).toMatchObject({ ok: false, code: 'SCRIPT_FAILED' });
    });

    test('with arguments that are too large or contain a NUL is not started', async () => {
      const { run } = makeBench(containment);
      const large = await run('x.sh', 'echo x', { args: ['x'.repeat(4 * 1024 * 1024)] });
      expect(large).toMatchObject({ ok: false, code: 'ARGS_TOO_LARGE' });
      const nul = await run('x.sh', 'echo x', { args: ['a\0b'] });
      expect(nul).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', message: expect.stringContaining('NUL') });
    });
  });
}

for (const containment of ['bwrap', 'namespaces', 'limits'] as const) {
  const obstacle = obstacles.get(containment);
  const because = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

  describe.skipIf(obstacle !== undefined)(
    `our own environment, while a script runs with the isolation ${containment}${because}`,
    () => {
      test('cannot be read by the script', async () => {
        const secret = `secret-${process.hrtime.bigint()}`;
        process.env['SKILLPLANE_TEST_SECRET'] = secret;
        onTestFinished(() => void delete process.env['SKILLPLANE_TEST_SECRET']);
        const { run } = makeBench(containment);
        const { stdout } = ran(await run('spy.sh', 'cat /proc/$PPID/environ /proc/[0-9]*/environ | tr "\\0" "\\n"'));
        expect(stdout).toContain('SKILL_DIR=');
        expect(stdout).not.toContain(secret);
      });
    },
  );
}
