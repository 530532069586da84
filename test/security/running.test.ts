import { once } from 'node:events';
import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { openSkills, type Skills } from '../../src/engine/open-skills.ts';
import { nextLine, sourceUrl, startModule, type ModuleProcess } from '../support/child.ts';
import { findByCommandLine, findSurvivors, oddSeconds } from '../support/processes.ts';
import { findObstacle, makeBench, NO_PYTHON, ran, type Containment } from '../support/sandboxes.ts';
import { makeTree, skillText, writeTree, type Tree } from '../support/tree.ts';
import { makeWorld } from '../support/world.ts';

const obstacles = new Map<Containment, string | undefined>();
for (const containment of ['bwrap', 'namespaces', 'limits', 'none'] as const)
  obstacles.set(containment, await findObstacle(containment));
const NO_BWRAP = obstacles.get('bwrap') === undefined ? '' : ` (skipped: ${obstacles.get('bwrap')})`;

interface Target {
  readonly skills: Skills;
  /** The folder of the skill `tool`, in a project that its user trusts in this state. */
  readonly dir: string;
  readonly project: string;
  readonly home: string;
}

async function openTrusted(files: Tree, { settings = '', toolsets = [] as readonly string[] } = {}): Promise<Target> {
  const { project, home, env } = makeWorld({
    'home/.agent/config.yaml': `skills:\n  disabledSources: [bundled]\n${settings}`,
    'project/.claude/skills/tool/SKILL.md': skillText({ name: 'tool', description: 'Runs.', toolsets }),
  });
  const dir = join(project, '.claude/skills/tool');
  writeTree(dir, files);
  const skills = await openSkills({ cwd: project, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  const inspected = await skills.trust.inspect('tool');
  if (!inspected.ok) throw new Error(inspected.message);
  expect(await skills.trust.grant('tool', inspected.digest)).toMatchObject({ ok: true });
  return { skills, dir, project, home };
}

async function run(skills: Skills, script: string, input?: Readable): Promise<string> {
  const outcome = await skills.scripts.run('tool', script, { input });
  if (!('stdout' in outcome)) return outcome.code;
  outcome.dispose();
  return outcome.stdout;
}

async function call(skills: Skills, args: object = {}): Promise<string> {
  const called = await skills.toolsets.call('tool', 'try', { args });
  return called.ok ? called.output : `${called.code}: ${called.message}`;
}

/** A toolset in JavaScript whose only tool does this. */
function toolset(execute: string, before = ''): string {
  return `${before}\nexport const T = [{ name: 'try', description: 'Tries.', execute: ${execute} }];\n`;
}

describe('changing a skill between the check and the start fails:', () => {
  // Without a sandbox the copy is run where it lies; in one it is shown at the path of the skill.
  for (const settings of ['', '  sandbox: off\n']) {
    const where = settings === '' ? 'in the sandbox' : 'without a sandbox';

    test(`a script that is exchanged all the time runs as it was trusted, or not at all, ${where}`, async () => {
      const { skills, dir, project } = await openTrusted({ 'scripts/a.sh': 'echo trusted\n' }, { settings });
      expect(await run(skills, 'a.sh')).toBe('trusted\n');
      const watcher = startModule(
        `
        import { renameSync, writeFileSync } from 'node:fs';
        const [path, fresh] = process.argv.slice(1);
        console.log('begun');
        for (;;) for (const word of ['exchanged', 'trusted']) {
          writeFileSync(fresh, 'echo ' + word + '\\n');
          renameSync(fresh, path);
        }`,
        [join(dir, 'scripts/a.sh'), join(project, 'fresh')],
      );
      await nextLine(watcher);
      const seen = new Set<string>();
      for (let tries = 0; tries < 20; tries += 1) seen.add(await run(skills, 'a.sh'));
      expect([...seen].filter((answer) => answer !== 'trusted\n' && answer !== 'NOT_TRUSTED')).toEqual([]);
    });

    test(`a file that a script reads later is the one that was trusted, ${where}`, async () => {
      const script = 'echo begun; read -r line; . ./lib/helper.sh; cat "$SKILL_DIR/data.txt"; echo "$SKILL_DIR"';
      const files = { 'scripts/a.sh': script, 'lib/helper.sh': 'echo trusted', 'data.txt': 'trusted\n' };
      const { skills, dir } = await openTrusted(files, { settings });
      const input = new Readable({ read: () => undefined });
      const outcome = await skills.scripts.run('tool', 'a.sh', {
        input,
        onOutput: () => {
          if (readFileSync(join(dir, 'data.txt'), 'utf8') !== 'trusted\n') return;
          writeTree(dir, { 'lib/helper.sh': 'echo exchanged', 'data.txt': 'exchanged\n' });
          input.push('go\n');
          input.push(null);
        },
      });
      if (!('stdout' in outcome)) throw new Error(outcome.message);
      outcome.dispose();
      const [, helper, data, place] = outcome.stdout.split('\n');
      expect([helper, data]).toEqual(['trusted', 'trusted']);
      // Where the isolation can, the skill is shown where it always was.
      expect(place === dir).toBe(outcome.promises.skillAtOwnPath);
      expect(await run(skills, 'a.sh')).toBe('NOT_TRUSTED');
    });
  }

  test.each(['t.mjs', 't.ts'])('a module that a running toolset imports later is the one trusted: %s', async (name) => {
    const later = `async ({ dir }) => {
      const { existsSync, writeFileSync } = await import('node:fs');
      writeFileSync(dir + '/begun', '');
      while (!existsSync(dir + '/go')) await new Promise((resolve) => setTimeout(resolve, 5));
      return (await import('./lib/helper.mjs')).word;
    }`;
    const files = { [name]: toolset(later), 'lib/helper.mjs': `export const word = 'trusted';` };
    const { skills, dir, home } = await openTrusted(files, { toolsets: ['t:T'] });
    const answer = call(skills, { dir: home });
    while (globSync(join(home, 'begun')).length === 0) await sleep(5);
    writeFileSync(join(dir, 'lib/helper.mjs'), `export const word = 'exchanged';`);
    writeFileSync(join(home, 'go'), '');
    expect(await answer).toBe('trusted');
    expect(await call(skills, { dir: home })).toContain('NOT_TRUSTED');
  });

  test('a tool reads the files of its skill as they were trusted', async () => {
    const read = `async (_, { skill }) => (await import('node:fs')).readFileSync(skill.dir + '/data.txt', 'utf8')`;
    const { skills } = await openTrusted({ 't.mjs': toolset(read), 'data.txt': 'data' }, { toolsets: ['t:T'] });
    expect(await call(skills)).toBe('data');
  });

  test('a script that changes its own copy changes no later run', async () => {
    const script =
      'echo trusted; for f in "$0" "$SKILL_DIR/scripts/a.sh"; do chmod u+w "$f"; echo "echo tampered" > "$f"; done';
    const { skills } = await openTrusted({ 'scripts/a.sh': script }, { settings: '  sandbox: off\n' });
    expect([await run(skills, 'a.sh'), await run(skills, 'a.sh')]).toEqual(['trusted\n', 'trusted\n']);
  });

  test('a tool that changes its own copy changes no thread that starts later', async () => {
    const tamper = `async ({ exit }, { skill }) => {
      if (exit) process.exit(1);
      const { readFileSync, writeFileSync } = await import('node:fs');
      const before = readFileSync(skill.dir + '/data.txt', 'utf8');
      writeFileSync(skill.dir + '/data.txt', 'tampered');
      return before;
    }`;
    const files = { 't.mjs': toolset(tamper), 'data.txt': 'trusted' };
    const { skills } = await openTrusted(files, { toolsets: ['t:T'] });
    expect([await call(skills), await call(skills)]).toEqual(['trusted', 'tampered']);
    await call(skills, { exit: true });
    expect(await call(skills)).toBe('trusted');
  });
});

describe('code from outside a trusted skill', () => {
  const evil = (path: string): Tree => ({
    [`${path}/node_modules/evil/package.json`]: '{"main":"index.js","exports":"./index.js"}',
    [`${path}/node_modules/evil/index.js`]: `exports.word = 'evil';`,
    [`${path}/evil.mjs`]: `export const word = 'evil';`,
    [`${path}/evil.ts`]: `export const word: string = 'evil';`,
  });

  test.each([
    ['t.mjs', `import { word } from 'evil';`],
    ['t.ts', `import { word } from 'evil';`],
    ['t.js', `const { word } = require('evil');`],
    ['t.mjs', `import { word } from '../evil.mjs';`],
    ['t.ts', `import { word } from '../evil';`],
    ['t.mjs', `const { word } = await import(process.env.HOME_OF_TEST + '/evil.mjs');`],
    ['t.ts', `const { word } = await import(process.env.HOME_OF_TEST + '/evil.mjs');`],
    ['t.mjs', `import { createRequire } from 'node:module'; const { word } = createRequire(import.meta.url)('evil');`],
  ])('is not loaded by %s: %s', async (name, line) => {
    const cjs = `${line}\nexports.T = [{ name: 'try', description: 'Tries.', execute: () => word }];`;
    const text = name === 't.js' ? cjs : toolset('() => word', line);
    const { skills, project, home } = await openTrusted({ [name]: text }, { toolsets: [`${name}:T`] });
    process.env['HOME_OF_TEST'] = home;
    onTestFinished(() => void delete process.env['HOME_OF_TEST']);
    for (const place of [project, join(project, '.claude/skills')]) writeTree(place, evil('.'));
    for (const place of ['.agent', '.agent/cache', '.']) writeTree(home, evil(place));
    expect(await call(skills)).toMatch(/^TOOLSET_FAILED: .*(?:Cannot find (?:package|module)|is outside the skill)/);
  });
});

/** An engine in a process of its own that prints `begun` when its work has started; the code ends with that work. */
async function startEngine(code: string, args: readonly string[]): Promise<ModuleProcess> {
  const engine = startModule(code, args);
  expect(await nextLine(engine)).toContain('begun');
  return engine;
}

const SIGNALS = ['SIGKILL', 'SIGHUP'] as const;

describe('after the program that started them is killed,', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'this needs Linux'));

  /** Starts an engine that runs this with these tools missing, and kills it; returns the processes that stay. */
  async function killEngine(
    signal: NodeJS.Signals,
    script: string,
    missing: readonly string[] | 'all',
  ): Promise<object> {
    const { root, skillDir } = makeBench('none');
    const seconds = oddSeconds();
    // An undefined tool is not in JSON.
    const without = missing === 'all' ? [] : missing.map((tool) => `${tool}: undefined`);
    const code = `
      import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
      import { findSandboxTools } from ${JSON.stringify(sourceUrl('platform/sandbox/system-view.ts'))};
      import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
      import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
      await runSandboxed(openSandbox({ tools: { ...findSandboxTools(), ${without.join(', ')} } }), {
        command: ['/bin/bash', '-c', process.argv[3]],
        skillDir: process.argv[1], scratch: makeScratchFolder(process.argv[2]), timeoutMs: 60000, maxOutputBytes: 1000,
        policy: ${JSON.stringify(missing === 'all' ? 'off' : 'auto')},
        onOutput: (_, text) => process.stdout.write(text),
      });`;
    const args = [skillDir, join(root, 'scratch'), script.replaceAll('sleep', `sleep ${seconds}`)];
    const engine = await startEngine(code, args);
    while (findByCommandLine(seconds).length < 3) await sleep(20);
    engine.kill(signal);
    return findSurvivors(seconds);
  }

  for (const [containment, missing] of [
    ['bwrap', []],
    ['namespaces', ['bwrap']],
    ['limits', ['bwrap', 'pivotRoot']],
  ] as const)
    test.for(SIGNALS)(
      `a script and its children, one of them in a session of its own, end with ${containment}: %s`,
      async (signal, { skip }) => {
        const why = obstacles.get(containment);
        skip(why !== undefined, why);
        expect(await killEngine(signal, 'setsid sleep & sleep & echo begun; sleep', missing)).toEqual([]);
      },
    );

  const WITHOUT_NAMESPACES = {
    'limits without namespaces': ['bwrap', 'unshare'],
    'limits without namespaces and setpriv': ['bwrap', 'unshare', 'setpriv'],
    'no sandbox': 'all',
  } as const;

  // Nothing ends them with us if we are killed by SIGKILL, nor what leaves the process group.
  for (const [name, missing] of Object.entries(WITHOUT_NAMESPACES))
    test(`a script and its children end when the terminal is closed, with ${name}`, async () => {
      expect(await killEngine('SIGHUP', 'sleep & echo begun; sleep', missing)).toEqual([]);
    });

  test.each(SIGNALS)('git and its helpers end while they wait for a server that never answers: %s', async (signal) => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = Object(server.address()) as { readonly port: number };
    const url = `http://127.0.0.1:${port}/owner/repository`;
    const code = `
      import { openRepository } from ${JSON.stringify(sourceUrl('platform/repository/open-repository.ts'))};
      import { readEnvironment } from ${JSON.stringify(sourceUrl('platform/environment.ts'))};
      const [url, into] = process.argv.slice(1);
      const opening = openRepository({ kind: 'http', url }, { into, environment: readEnvironment(), timeoutMs: 2000 });
      console.log('begun');
      await opening;`;
    const engine = await startEngine(code, [url, makeTree()]);
    while (findByCommandLine(url).length < 2) await sleep(20);
    engine.kill(signal);
    expect(await findSurvivors(url)).toEqual([]);
  });
});

describe('leaving a setuid program in the output folder', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'this needs Linux'));
  const MAKE = [
    'cd "$SKILL_OUTPUT_DIR"; cp /bin/true made; chmod 4755 made && echo chmod',
    'install -m 6755 /bin/true installed && echo install',
    'mkdir -m 2755 folder && echo mkdir',
    'chmod 777 "$SKILL_OUTPUT_DIR"; chmod 777 "$SKILL_OUTPUT_DIR/.." 2>/dev/null; true',
  ].join('\n');

  test.skipIf(NO_BWRAP !== '')(`is refused in the sandbox${NO_BWRAP}`, async () => {
    const { run } = makeBench('bwrap');
    const outcome = ran(await run('make.sh', MAKE));
    onTestFinished(outcome.dispose);
    expect(outcome.stdout).toBe('');
    expect(statSync(dirname(outcome.outputDir)).mode & 0o777).toBe(0o700);
  });

  test.skipIf(NO_BWRAP !== '' || NO_PYTHON !== '')(
    `is refused in the sandbox, whichever system call asks${NO_BWRAP}${NO_PYTHON}`,
    async () => {
      const code = `
import os

for make in (
    lambda: os.open('x', os.O_CREAT | os.O_WRONLY, 0o4755),
    lambda: os.mknod('y', 0o104755),
    lambda: os.fchmod(os.open('z', os.O_CREAT), 0o2755),
):
    try:
        make()
        print('DONE')
    except OSError as error:
        print(error.strerror)
`;
      const outcome = ran(await makeBench('bwrap').run('make.py', code));
      onTestFinished(outcome.dispose);
      expect(outcome.stdout).toBe('Operation not permitted\n'.repeat(3));
    },
  );

  test.each(['namespaces', 'limits', 'none'] as const)('does not last with %s', async (containment) => {
    const { run } = makeBench(containment);
    const outcome = ran(await run('make.sh', MAKE));
    onTestFinished(outcome.dispose);
    expect(outcome.stdout).toContain('chmod');
    expect(outcome.files.map(({ path }) => path)).toEqual(['installed', 'made']);
    for (const { path } of outcome.files) expect(statSync(join(outcome.outputDir, path)).mode & 0o7000).toBe(0);
  });
});

describe.skipIf(NO_BWRAP !== '')(`a script${NO_BWRAP}`, () => {
  test.each(['.cargo', '.local'])('cannot read what lies beside an interpreter in ~/%s', async (folder) => {
    const { project, home, env, root } = makeWorld({
      [`home/${folder}/bin/mytool`]: '#!/bin/sh\nexec /bin/sh "$@"\n',
      [`home/${folder}/bin/other`]: '#!/bin/sh\n',
      [`home/${folder}/credentials.toml`]: 'secret',
      [`home/${folder}/share/keys`]: 'secret',
      'home/.agent/skills/tool/SKILL.md': skillText({ name: 'tool', description: 'Runs.' }),
    });
    chmodSync(root, 0o755);
    const place = join(home, folder);
    writeTree(join(home, '.agent/skills/tool'), {
      'scripts/a': `#!/usr/bin/env mytool\nls -A ${place} ${place}/bin; cat ${place}/*.toml ${place}/share/*\ntrue\n`,
    });
    const skills = await openSkills({ cwd: project, home, env: { ...env, PATH: `${place}/bin` } });
    onTestFinished(() => skills[Symbol.asyncDispose]());
    const outcome = await skills.scripts.run('tool', 'a');
    if ('dispose' in outcome) outcome.dispose();
    expect(outcome).toMatchObject({
      ok: true,
      stdout: `${place}:\nbin\n\n${place}/bin:\nmytool\n`,
      visible: [`${place}/bin/mytool`],
    });
  });
});

describe.skipIf(NO_BWRAP !== '' || NO_PYTHON !== '')(`a script${NO_BWRAP}${NO_PYTHON}`, () => {
  const connect = (families: string): string => `
import socket
for family, address in (${families}):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            socket.socket(family, kind).connect(address)
            print('CONNECTED')
        except OSError as error:
            print(error.strerror)
`;

  test('cannot reach sockets of the machine that runs this one', async () => {
    const outcome = ran(await makeBench('bwrap').run('a.py', connect('(40, (2, 22)), (38, ("hash", "sha1"))')));
    onTestFinished(outcome.dispose);
    expect(outcome.stdout).toBe('Address family not supported by protocol\n'.repeat(4));
  });

  test.each([true, false])(
    'cannot reach sockets of the session, which have no path; with the network: %s',
    async (network) => {
      const name = `skillplane-test-${process.hrtime.bigint()}`;
      const server = createServer(() => undefined).listen(`\0${name}`);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const code = `${connect(`(socket.AF_UNIX, b'\\0${name}'),`)}
try:
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(b'\\0${name}')
    print('CONNECTED')
except OSError as error:
    print(error.strerror)
a, b = socket.socketpair()
a.send(b'pairs work')
print(b.recv(99).decode())
`;
      const outcome = ran(await makeBench('bwrap').run('a.py', code, { network }));
      onTestFinished(outcome.dispose);
      const answer = network ? 'Address family not supported by protocol' : 'Connection refused';
      expect(outcome.stdout).toBe(`${answer}\n`.repeat(3) + 'pairs work\n');
    },
  );
});

/** A folder for temporary files that only this test uses. */
function ownTemporaryFolder(): string {
  const dir = makeTree();
  // Root runs scripts as another user.
  chmodSync(dir, 0o755);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = dir;
  onTestFinished(() => void (before === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = before)));
  return dir;
}

describe('private copies of trusted skills', () => {
  const FILES = { 'scripts/a.sh': 'echo made > made', 't.mjs': toolset(`() => 'fine'`) };

  test('are gone when the run has ended and when the engine is closed', async () => {
    const { skills } = await openTrusted(FILES, { toolsets: ['t:T'] });
    const temporary = ownTemporaryFolder();
    const outcome = await skills.scripts.run('tool', 'a.sh');
    const kept = globSync(join(temporary, '*/*')).map((path) => basename(path));
    expect(kept).toContain('work');
    expect(kept).not.toContain('skill');
    expect(outcome).toMatchObject({ ok: true, files: [{ path: 'made' }] });
    if ('dispose' in outcome) outcome.dispose();
    expect(globSync(join(temporary, '*'))).toEqual([]);
    expect(await call(skills)).toBe('fine');
    expect(globSync(join(temporary, '*/skill/SKILL.md'))).toHaveLength(1);
    await skills[Symbol.asyncDispose]();
    expect(globSync(join(temporary, '*'))).toEqual([]);
  });

  test('are gone if the skill turns out to be changed', async () => {
    const { skills, dir } = await openTrusted(FILES, { toolsets: ['t:T'] });
    const temporary = ownTemporaryFolder();
    writeFileSync(join(dir, 'scripts/a.sh'), 'echo exchanged');
    expect([await run(skills, 'a.sh'), await call(skills)]).toEqual([
      'NOT_TRUSTED',
      expect.stringMatching(/^NOT_TRUSTED/),
    ]);
    expect(globSync(join(temporary, '*'))).toEqual([]);
  });

  test('of an engine that was killed are removed by the next run', async () => {
    const { skills, project, home } = await openTrusted(FILES, { toolsets: ['t:T'] });
    const temporary = ownTemporaryFolder();
    const code = `
      import { openSkills } from ${JSON.stringify(sourceUrl('engine/open-skills.ts'))};
      const [cwd, home] = process.argv.slice(1);
      const skills = await openSkills({ cwd, home, env: { ...process.env, AGENT_HOME: undefined } });
      await skills.toolsets.call('tool', 'try', { args: {} });
      console.log('begun');
      setInterval(() => undefined, 1000);`;
    const engine = await startEngine(code, [project, home]);
    expect(globSync(join(temporary, '*/skill/SKILL.md'))).toHaveLength(1);
    engine.kill('SIGKILL');
    await once(engine, 'exit');
    await run(skills, 'a.sh');
    expect(globSync(join(temporary, '*'))).toEqual([]);
  });
});

test('runs of a program that was killed leave their folders only until the next run', async () => {
  const { root, skillDir, run } = makeBench('none');
  const code = `
    import { openSandbox } from ${JSON.stringify(sourceUrl('platform/sandbox/sandbox.ts'))};
    import { runSandboxed } from ${JSON.stringify(sourceUrl('platform/sandbox/run-sandboxed.ts'))};
    import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
    const [skillDir, scratchParent] = process.argv.slice(1);
    const request = () => ({
      skillDir, scratch: makeScratchFolder(scratchParent), timeoutMs: 60000, maxOutputBytes: 1000 });
    const sandbox = openSandbox();
    await runSandboxed(sandbox, { ...request(), command: ['/bin/sh', '-c', 'echo ended > ended'] });
    await runSandboxed(sandbox, { ...request(), command: ['/bin/sh', '-c', 'echo running > running; echo begun; sleep 60'],
      onOutput: (_, text) => process.stdout.write(text) });`;
  const engine = await startEngine(code, [skillDir, join(root, 'scratch')]);
  engine.kill('SIGKILL');
  await once(engine, 'exit');
  expect(
    globSync(join(root, 'scratch/*/work/*'))
      .map((path) => basename(path))
      .sort(),
  ).toEqual(['ended', 'running']);
  expect(await run('a.sh', 'true')).toMatchObject({ ok: true });
  expect(globSync(join(root, 'scratch/*'))).toEqual([]);
});

describe('a script that takes more than its share', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'this needs Linux'));
  const MEBI = 1024 * 1024;
  const stopped = (why: string): object => ({
    ok: false,
    code: 'SCRIPT_FAILED',
    ended: 'limit',
    message: `the script was stopped because ${why}`,
  });

  for (const [containment, why] of obstacles) {
    const skipped = why === undefined ? '' : ` (skipped: ${why})`;

    test.skipIf(skipped + NO_PYTHON !== '')(
      `of memory, by several processes, is stopped with ${containment}${skipped}${NO_PYTHON}`,
      async () => {
        const code = `
import os, time
for _ in range(5):
    if os.fork() == 0:
        held = bytearray(90 * 1024 * 1024)
        time.sleep(40)
time.sleep(40)
`;
        const limits = { memoryBytes: 200 * MEBI, totalMemoryBytes: 300 * MEBI };
        const outcome = await makeBench(containment).run('hog.py', code, { limits });
        if ('dispose' in outcome) onTestFinished(outcome.dispose);
        expect(outcome).toMatchObject(stopped('its processes used more than 300 MiB of memory together'));
      },
    );

    test.skipIf(skipped !== '')(`of the disk, by many files, is stopped with ${containment}${skipped}`, async () => {
      const write = 'dd if=/dev/zero of="$n" bs=1M count=9 2>/dev/null';
      const code = `for n in 1 2 3 4 5 6 7 8; do ${write}; done; sleep 40`;
      const outcome = await makeBench(containment).run('fill.sh', code, { limits: { totalFileBytes: 50 * MEBI } });
      if ('dispose' in outcome) onTestFinished(outcome.dispose);
      expect(outcome).toMatchObject(stopped('it wrote too many files, or more than 50 MiB in all'));
    });
  }

  test.skipIf(NO_PYTHON !== '')(`of memory that is no process's own is stopped as well${NO_PYTHON}`, async () => {
    const code = `
import mmap, time
held = mmap.mmap(-1, 120 * 1024 * 1024)
for at in range(0, len(held), 4096): held[at] = 1
time.sleep(40)
`;
    const outcome = await makeBench('none').run('shared.py', code, { limits: { totalMemoryBytes: 100 * MEBI } });
    if ('dispose' in outcome) onTestFinished(outcome.dispose);
    expect(outcome).toMatchObject(stopped('its processes used more than 100 MiB of memory together'));
  });
});
