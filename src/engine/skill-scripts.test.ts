import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { describe, expect, onTestFinished, test } from 'vitest';

import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { sha256Of } from '../parse/digest.ts';
import type { ScriptOutcome } from '../platform/sandbox/run-sandboxed.ts';
import { openSkills, type Skills } from './open-skills.ts';
import type { RunOptions } from './skill-scripts.ts';

const SKILL = 'home/.agent/skills/tool';

async function open(scripts: Tree, settings = ''): Promise<Skills> {
  const files = Object.entries(scripts).map(([name, text]) => [`${SKILL}/scripts/${name}`, text]);
  const world = makeWorld({
    'home/.agent/config.yaml': `skills:\n  disabledSources: [bundled]\n${settings}`,
    [`${SKILL}/SKILL.md`]: skillText({ name: 'tool', description: 'Runs.' }),
    ...Object.fromEntries(files),
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

/** Runs the only script there is. */
async function run(text: string, options: RunOptions = {}, settings = ''): Promise<ScriptOutcome> {
  const skills = await open({ 'a.sh': text }, settings);
  const outcome = await skills.scripts.run('tool', 'a.sh', options);
  if ('dispose' in outcome) outcome.dispose();
  return outcome;
}

describe('the arguments of a skill’s script', () => {
  const many = (count: number): readonly string[] => Array.from({ length: count }, () => 'x');

  test('are limited to a hundred', async () => {
    expect(await run('echo $#', { args: many(100) })).toMatchObject({ ok: true, stdout: '100\n' });
    expect(await run('echo $#', { args: many(101) })).toEqual({
      ok: false,
      code: 'ARGS_TOO_LARGE',
      message: 'there are 101 arguments; the limit is 100',
    });
  });

  test('are limited to 4096 bytes, not characters', async () => {
    expect(await run('echo ${#1}', { args: ['é'.repeat(2048)] })).toMatchObject({ ok: true, stdout: '2048\n' });
    expect(await run('echo', { args: ['é'.repeat(2048), 'x'] })).toMatchObject({
      code: 'ARGS_TOO_LARGE',
      message: 'the arguments have 4097 bytes; the limit is 4096',
    });
  });

  test('reach the script unchanged', async () => {
    const args = ['a b', '$(id)', "'", '"', '\n', '-rf', '*', ''];
    const { stdout } = Object(await run(`printf '<%s>' "$@"`, { args })) as { readonly stdout: string };
    expect(stdout).toBe(args.map((argument) => `<${argument}>`).join(''));
  });
});

describe('the output of a skill’s script', () => {
  test('is truncated at 1 MiB of both streams together, and the script is stopped', async () => {
    const outcome = await run('yes é | head -c 600000; yes >&2');
    expect(outcome).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', truncated: true });
    const { stdout, stderr } = outcome as { readonly stdout: string; readonly stderr: string };
    expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThanOrEqual(1024 * 1024);
    expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeGreaterThan(1024 * 1024 - 8);
    expect(stdout).not.toContain('\uFFFD');
  });

  test('may be limited further by the caller', async () => {
    expect(await run('yes', { maxOutputBytes: 64 })).toMatchObject({ truncated: true });
  });

  test('is delivered while the script runs', async () => {
    const heard = new Map<string, string>();
    const stop = new AbortController();
    // It ends only because both streams were heard.
    const outcome = await run('echo one; echo two >&2; sleep 60', {
      signal: stop.signal,
      onOutput(stream, text) {
        heard.set(stream, text);
        if (heard.size === 2) stop.abort();
      },
    });
    expect(outcome).toMatchObject({ ok: false, message: 'the script was cancelled' });
    expect(Object.fromEntries(heard)).toEqual({ stdout: 'one\n', stderr: 'two\n' });
  });
});

describe('the time limit of a skill’s script', () => {
  test('is set in the configuration', async () => {
    expect(await run('sleep 60', {}, '  scriptTimeout: 200\n')).toMatchObject({ code: 'SCRIPT_TIMEOUT' });
  });

  test('of the caller overrules the configuration', async () => {
    expect(await run('sleep 60', { timeoutMs: 200 })).toMatchObject({ code: 'SCRIPT_TIMEOUT', exitCode: null });
    expect(await run('sleep 0.5', { timeoutMs: 30_000 }, '  scriptTimeout: 100\n')).toMatchObject({ ok: true });
  });

  test('is cut short when the caller aborts', async () => {
    expect(await run('sleep 60', { signal: AbortSignal.timeout(200) })).toMatchObject({
      ok: false,
      message: 'the script was cancelled',
    });
  });
});

describe('the isolation of a skill’s script', () => {
  test('is off if the configuration says so, and the result says that', async () => {
    expect(await run('true', {}, '  sandbox: off\n')).toMatchObject({ ok: true, isolation: 'none' });
  });

  test('is used, or the script is refused, if the configuration requires it', async () => {
    const outcome = await run('true', {}, '  sandbox: require\n');
    expect(outcome.ok ? outcome.promises.filesClosed : outcome.code).toBeOneOf([true, 'SANDBOX_UNAVAILABLE']);
  });

  test('closes the network unless the call opens it', async ({ skip }) => {
    const server = await listen();
    const port = Object(server.address()).port as number;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && head -c 5 <&3`;
    const closed = await run(script);
    skip(!('promises' in closed) || !closed.promises.networkClosed, 'no sandbox here closes the network');
    expect(closed).toMatchObject({ ok: false, stdout: '' });
    expect(await run(script, { network: true })).toMatchObject({ ok: true, stdout: 'hello' });
  });
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => resolve(server));
    onTestFinished(() => void server.close());
  });
}

test('the scripts of a skill are listed, or the skill is reported as unknown', async () => {
  const skills = await open({ 'b.py': '', 'a.sh': '' });
  expect(skills.scripts.list('tool')).toEqual({ ok: true, scripts: ['scripts/a.sh', 'scripts/b.py'] });
  expect(skills.scripts.list('nope')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
});

test('a skill’s script gets the caller’s variables, except those that load code into it', async () => {
  expect(await run('echo "$GREETING"', { env: { GREETING: 'hi' } })).toMatchObject({ stdout: 'hi\n' });
  expect(await run('true', { env: { LD_PRELOAD: '/x.so' } })).toMatchObject({
    ok: false,
    message: expect.stringContaining('LD_PRELOAD'),
  });
});

describe('variables that a skill’s script is given by name', () => {
  const VARIABLES = { GITHUB_TOKEN: 'ghp_0123456789', DEBUG: 'yes' };

  test('have our values, which are never printed', async () => {
    const skills = await open({
      'a.sh': 'echo "$GITHUB_TOKEN $DEBUG ${HIDDEN-unset}"; echo "$GITHUB_TOKEN" >&2; exit 3',
    });
    const { cwd, home, variables } = skills.environment;
    const named = await openSkills({ cwd, home, env: { ...variables, ...VARIABLES, HIDDEN: 'x' } });
    onTestFinished(() => named.close());
    let heard = '';
    const outcome = await named.scripts.run('tool', 'a.sh', {
      env: ['GITHUB_TOKEN', 'DEBUG'],
      onOutput: (_, text) => (heard += text),
    });
    expect(outcome).toMatchObject({ exitCode: 3, stdout: '[GITHUB_TOKEN] yes unset\n', stderr: '[GITHUB_TOKEN]\n' });
    expect(heard).not.toContain('ghp_');
    expect(await named.scripts.run('tool', 'a.sh', { env: ['NONE_SUCH'] })).toMatchObject({
      ok: false,
      code: 'SCRIPT_FAILED',
      message: 'the variable NONE_SUCH is not set here',
    });
  });
});

test('a skill’s script reaches only the hosts that the caller lists, or is not started', async () => {
  const outcome = await run('echo "$https_proxy"', { network: ['api.github.com'] });
  const answer = 'stdout' in outcome ? outcome.stdout : outcome.code;
  expect(answer).toBeOneOf(['http://127.0.0.1:3128\n', 'SANDBOX_UNAVAILABLE']);
});

test('files that a skill’s script wrote are listed with their sizes', async () => {
  const skills = await open({ 'a.sh': 'mkdir "$SKILL_OUTPUT_DIR/deep"; echo 1 > deep/x; echo 2 > scripts/y' });
  const outcome = await skills.scripts.run('tool', 'a');
  if (!('dispose' in outcome)) throw new Error('the script did not run');
  expect(outcome.files).toMatchObject([
    { path: 'deep/x', size: 2, digest: sha256Of('1\n') },
    { path: 'scripts/y', size: 2 },
  ]);
  outcome.dispose();
});

describe('the input files of a skill’s script', () => {
  /** A project with data, and a script that prints the files that its arguments name. */
  async function openProject(): Promise<Skills> {
    const skills = await open({ 'a.sh': 'for file in "$@"; do cat "${file#*=}" 2>&1; done\n' });
    writeTree(skills.environment.cwd, { 'form.txt': 'form\n', 'data/one.txt': 'one\n', 'secret.txt': 'secret\n' });
    return skills;
  }

  async function read(skills: Skills, options: RunOptions): Promise<string> {
    const outcome = await skills.scripts.run('tool', 'a.sh', options);
    if (!('stdout' in outcome)) return `${outcome.code}: ${outcome.message}`;
    outcome.dispose();
    return outcome.stdout;
  }

  test('can be read, and arguments may name them relative to the caller', async () => {
    const skills = await openProject();
    const inputs = ['form.txt', 'data'];
    expect(await read(skills, { inputs, args: ['form.txt', 'data/one.txt', './form.txt'] })).toBe('form\none\nform\n');
    expect(await read(skills, { inputs, args: ['--file=form.txt', join(skills.environment.cwd, 'form.txt')] })).toBe(
      'form\nform\n',
    );
    expect(await read(skills, { inputs: ['one.txt'], cwd: 'data', args: ['one.txt'] })).toBe('one\n');
  });

  test('lie beside the files of the skill, and the script changes only its copies', async () => {
    const skills = await open({ 'a.sh': 'ls; cat form.txt data/one.txt; echo x >> form.txt' });
    const { cwd } = skills.environment;
    writeTree(cwd, { 'form.txt': 'form\n', 'data/one.txt': 'one\n' });
    const outcome = await skills.scripts.run('tool', 'a.sh', { inputs: ['form.txt', join(cwd, 'data/one.txt')] });
    expect(outcome).toMatchObject({
      stdout: 'SKILL.md\ndata\nform.txt\nscripts\nform\none\n',
      files: [{ path: 'form.txt' }],
    });
    expect(readFileSync(join(cwd, 'form.txt'), 'utf8')).toBe('form\n');
    expect(await read(skills, { inputs: ['.'], args: ['form.txt'] })).toContain('data\nform.txt\nscripts\n');
  });

  test('are refused if they have the name of a file of the skill', async () => {
    const skills = await openProject();
    const { cwd } = skills.environment;
    writeTree(cwd, { 'SKILL.md': '', 'scripts/b.sh': '', 'x/form.txt': '', 'SKILL.md.d/x': '' });
    for (const name of ['SKILL.md', 'scripts'])
      expect(await read(skills, { inputs: [name] })).toBe(
        `PATH_REFUSED: the input ${name} has the same name as a file of the skill or another input`,
      );
    expect(await read(skills, { inputs: ['form.txt', 'form.txt'] })).toContain('or another input');
    expect(await read(skills, { inputs: ['scripts/b.sh', 'x/form.txt'] })).toBe('');
  });

  test('are not written through a link of the skill', async () => {
    const skills = await openProject();
    const { cwd, home } = skills.environment;
    writeTree(home, { '.agent/skills/tool/data': link(join(home, 'elsewhere')), 'elsewhere/': '' });
    expect(await read(skills, { inputs: [join(cwd, 'data/one.txt')] })).toContain('PATH_REFUSED');
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });

  test('are the only files that a sandboxed script can read', async ({ skip }) => {
    const skills = await openProject();
    const { cwd } = skills.environment;
    const outcome = await skills.scripts.run('tool', 'a.sh', { inputs: ['form.txt'], args: ['form.txt'] });
    if (!('promises' in outcome)) throw new Error(outcome.message);
    outcome.dispose();
    skip(!outcome.promises.filesClosed, 'no sandbox here closes files');
    expect(await read(skills, { inputs: ['form.txt'], args: [join(cwd, 'secret.txt')] })).toContain('No such file');
  });

  test('leave other arguments unchanged', async () => {
    const args = ['data', 'form', '--x=', '-', 'two.txt'];
    const skills = await open({ 'a.sh': `printf '<%s>' "$@"` });
    writeTree(skills.environment.cwd, { 'data/one.txt': '' });
    expect(await read(skills, { args })).toBe('<data><form><--x=><-><two.txt>');
    expect(await read(skills, { inputs: ['data'], args })).toMatch(/^<\/.*\/work\/data><form><--x=><-><two.txt>$/);
  });

  test('must exist and must not be system folders', async () => {
    const skills = await openProject();
    expect(await read(skills, { inputs: ['none'] })).toBe('RESOURCE_NOT_FOUND: the input none does not exist');
    for (const path of ['/', '/proc/self/environ', '/dev/null', ...(existsSync('/dev/shm') ? ['/dev/shm'] : [])])
      expect(await read(skills, { inputs: [path] })).toBe(`PATH_REFUSED: the input ${path} is a system folder`);
  });

  test('may be in the temporary folder that Linux keeps in memory', async ({ skip }) => {
    skip(!existsSync('/dev/shm'), 'this system has no /dev/shm');
    const dir = mkdtempSync('/dev/shm/skillplane-');
    onTestFinished(() => rmSync(dir, { recursive: true }));
    writeTree(dir, { 'in-memory.txt': 'kept in memory\n' });
    const skills = await openProject();
    expect(await read(skills, { inputs: [join(dir, 'in-memory.txt')], args: ['in-memory.txt'] })).toContain(
      'kept in memory',
    );
  });

  test('can be a stream, which is read only as far as the script reads', async () => {
    const endless = Readable.from(
      (async function* () {
        for (;;) yield 'line\n';
      })(),
    );
    expect(await run('head -n 2', { input: endless })).toMatchObject({ ok: true, stdout: 'line\nline\n' });
    expect(await run('cat', { input: Readable.from(['a', 'b']) })).toMatchObject({ ok: true, stdout: 'ab' });
  });
});

test('saving the files of a skill’s script saves all or none, and overwrites nothing', async () => {
  const skills = await open({ 'a.sh': 'mkdir sub; echo 1 > sub/one; echo 2 > two; ln -s two link\n' });
  const outcome = await skills.scripts.run('tool', 'a.sh');
  if (!('saveTo' in outcome)) throw new Error(outcome.message);
  onTestFinished(outcome.dispose);
  const to = join(skills.environment.cwd, 'new/out');
  expect(outcome.saveTo(to)).toEqual({ ok: true, paths: [join(to, 'sub/one'), join(to, 'two')] });
  expect([readFileSync(join(to, 'sub/one'), 'utf8'), readdirSync(to)]).toEqual(['1\n', ['sub', 'two']]);
  rmSync(join(to, 'sub'), { recursive: true });
  expect(outcome.saveTo(to)).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
  expect(readdirSync(to)).toEqual(['two']);
});

describe('the working folder of a skill’s script', () => {
  test('is a copy of the skill, so that scripts work as their authors wrote them', async () => {
    const skills = await open({
      'a.sh':
        'cat references/form.txt > filled.txt; . ./scripts/lib.sh; echo log > "$(dirname "$0")/log.txt"; cat filled.txt',
      'lib.sh': 'echo lib >> filled.txt',
    });
    const { home } = skills.environment;
    const dir = join(home, '.agent/skills/tool');
    writeTree(dir, { 'references/form.txt': 'form\n' });
    const outcome = await skills.scripts.run('tool', 'a.sh');
    expect(outcome).toMatchObject({
      ok: true,
      stdout: 'form\nlib\n',
      files: [{ path: 'filled.txt', size: 9 }, { path: 'scripts/log.txt' }],
    });
    expect(readdirSync(dir)).toEqual(['SKILL.md', 'references', 'scripts']);
  });

  test('is the workspace that the caller names, which must not be a home or a folder of the system', async () => {
    const skills = await open({
      'a.sh': 'cat data.txt "$1"; echo x > new.txt; echo "$SKILL_DIR"; touch "$SKILL_DIR/x"; true',
    });
    const { cwd, home } = skills.environment;
    writeTree(cwd, { 'job/data.txt': 'data\n', 'job/.git/config': '', 'form.txt': '' });
    const call = { workspace: 'job', inputs: ['job/data.txt'], args: ['job/data.txt'] };
    const outcome = await skills.scripts.run('tool', 'a.sh', call);
    expect(outcome).toMatchObject({
      ok: true,
      stdout: expect.stringMatching(/^data\ndata\n/),
      files: [{ path: 'new.txt' }],
    });
    expect(readFileSync(join(cwd, 'job/new.txt'), 'utf8')).toBe('x\n');
    for (const workspace of ['/', '/usr/lib', home, join(home, '..'), 'none', 'form.txt'])
      expect(await skills.scripts.run('tool', 'a.sh', { workspace })).toMatchObject({
        ok: false,
        code: 'PATH_REFUSED',
      });
    expect(await skills.scripts.run('tool', 'a.sh', { ...call, inputs: ['form.txt'] })).toMatchObject({
      code: 'PATH_REFUSED',
      message: expect.stringContaining('is outside the workspace'),
    });
  });

  test('lets no script change what other programs obey in the workspace', async ({ skip }) => {
    const skills = await open({ 'a.sh': 'echo x > .git/hooks/pre-commit; echo x >> .mcp.json; echo x > ok' });
    const { cwd } = skills.environment;
    writeTree(cwd, { '.git/hooks/': '', '.mcp.json': '{}' });
    const outcome = await skills.scripts.run('tool', 'a.sh', { workspace: '.' });
    skip(!('promises' in outcome) || !outcome.promises.filesClosed, 'no sandbox here closes files');
    expect(outcome).toMatchObject({ files: [{ path: 'ok' }] });
    expect([readdirSync(join(cwd, '.git/hooks')), readFileSync(join(cwd, '.mcp.json'), 'utf8')]).toEqual([[], '{}']);
  });

  test('is removed when the engine closes, however many there were', async () => {
    const skills = await open({ 'a.sh': 'echo x > made.txt', 'b.sh': 'true' });
    const dirs: string[] = [];
    for (let run = 0; run < 12; run += 1) {
      const outcome = await skills.scripts.run('tool', run % 2 === 0 ? 'a.sh' : 'b.sh');
      if ('outputDir' in outcome) dirs.push(outcome.outputDir);
    }
    expect(dirs.filter((dir) => existsSync(dir))).toHaveLength(6);
    await skills.close();
    expect(dirs.filter((dir) => existsSync(join(dir, '..')))).toEqual([]);
  });
});

describe('the failure of a skill’s script', () => {
  const CLOSED = {
    message: 'the script ended with exit code 6; it tried to use the network, but has no network access',
    next: { give: 'network', aim: 'give it network access' },
  };

  test('says that it lacked the network if that was closed and its output says so', async () => {
    const complaint = 'echo "curl: (6) Could not resolve host: example.org" >&2; exit';
    const closed = await run(`${complaint} 6`);
    const isOpen = 'notes' in closed && closed.notes.includes('the network is open');
    expect(closed).toMatchObject(isOpen ? {} : CLOSED);
    for (const outcome of [await run(`${complaint} 6`, { network: true }), await run('echo "no form" >&2; exit 6')]) {
      expect(outcome).toMatchObject({ ok: false, message: 'the script ended with exit code 6' });
      expect(outcome).not.toHaveProperty('next');
    }
    expect(await run(`${complaint} 0`)).toMatchObject({ ok: true });
  });

  test('names files here that its arguments name and that it was not given', async () => {
    const skills = await open({ 'a.sh': 'cat "${1#--data=}"' });
    writeTree(skills.environment.cwd, { 'data.csv': 'a,b\n', 'SKILL.md': '' });
    const next = { give: 'inputs', as: ['data.csv'], aim: 'give it to the script' };
    for (const args of [['data.csv'], ['--data=data.csv']])
      expect(await skills.scripts.run('tool', 'a.sh', { args })).toMatchObject({
        ok: false,
        message: 'the script ended with exit code 1; data.csv exists here, but the script was not given it',
        next,
      });
    expect(await skills.scripts.run('tool', 'a.sh', { args: ['data.csv'], inputs: ['data.csv'] })).toMatchObject({
      ok: true,
      stdout: 'a,b\n',
    });
    expect(await skills.scripts.run('tool', 'a.sh', { args: ['SKILL.md'] })).toMatchObject({ ok: true });
    expect(await skills.scripts.run('tool', 'a.sh', { args: ['none.csv'] })).not.toHaveProperty('next');
  });

  test('names missing packages that the script declares', async () => {
    const text = '# /// script\n# dependencies = ["no-such-package-here"]\n# ///\nimport no_such_package_here\n';
    const skills = await open({ 'a.py': text });
    const outcome = await skills.scripts.run('tool', 'a.py');
    if ('dispose' in outcome) outcome.dispose();
    expect(outcome).toMatchObject({
      code: 'SCRIPT_FAILED',
      message: expect.stringMatching(/; it needs Python packages that are not installed: no-such-package-here$/),
    });
    expect(JSON.stringify('next' in outcome ? outcome.next : undefined)).toMatch(/\buv\b/);
  });
});

test('a run counts as that of a model, unless a person started it', async () => {
  const skills = await open({ 'a.sh': 'true' });
  for (const byPerson of [false, true, true]) await skills.scripts.run('tool', 'a.sh', { byPerson });
  const reported = await skills.usageReport();
  expect(reported.ok && reported.report?.skills[0]).toMatchObject({ uses: 3, ran: 1, invoked: 2 });
});
