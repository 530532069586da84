import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { answerOnTerminal, KEYS, skillplane, skillplaneProcess } from '../support/command-line.ts';
import { makeTree, skillText, writeTree, type Tree } from '../support/tree.ts';

const SKILLS = '.agent/skills';

/** A home with one skill of the user's own, so that it is trusted. */
function makeHome(scripts: Tree): string {
  const files = Object.entries(scripts).map(([name, text]) => [`${SKILLS}/tool/scripts/${name}`, text]);
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    [`${SKILLS}/tool/SKILL.md`]: skillText({ name: 'tool', description: 'Runs.' }),
    ...Object.fromEntries(files),
  });
}

/** Removes the folder of files that a run left for its user. */
function removeFiles(dir: string): void {
  expect(basename(dir)).toMatch(/^skillplane-files-/);
  rmSync(dir, { recursive: true });
}

describe('run', () => {
  test('passes on the output of the script and its exit code', async () => {
    const home = makeHome({ 'hello.sh': 'echo "hello $1"\necho problem >&2\nexit 7\n' });
    const { code, stdout, stderr } = await skillplaneProcess(['run', 'tool', 'hello', '--', '--name'], { home });
    expect([code, stdout]).toEqual([7, 'hello --name\n']);
    expect(stderr).toContain('problem\n');
  });

  test.each([
    ['a.py', 'import sys; print("py", sys.argv[1])', 'py x\n'],
    ['a.js', 'console.log("js", process.argv[2])', 'js x\n'],
    ['a.mjs', 'import "node:fs"; console.log("mjs", process.argv[2])', 'mjs x\n'],
    ['a.ts', 'enum E { A = "ts" }; const word: string = E.A; console.log(word, process.argv[2])', 'ts x\n'],
    ['a', '#!/usr/bin/env bash\necho "bash $1"', 'bash x\n'],
  ])('runs the script %s', async (name, text, stdout) => {
    expect(await skillplane(['run', 'tool', name, '--', 'x'], { home: makeHome({ [name]: text }) })).toMatchObject({
      code: 0,
      stdout,
    });
  });

  test('--json prints the result and the files that were written', async () => {
    const home = makeHome({ 'write.sh': 'echo content > note.txt; echo "$SKILL_DIR"\n' });
    const { code, stdout } = await skillplane(['run', 'tool', 'write.sh', '--json'], { home });
    const result = JSON.parse(stdout) as { readonly outputDir: string };
    expect(code).toBe(0);
    expect(result).toMatchObject({
      ok: true,
      exitCode: 0,
      signal: null,
      stdout: `${join(home, SKILLS, 'tool')}\n`,
      stderr: '',
      truncated: false,
      durationMs: expect.any(Number),
      isolation: expect.stringMatching(/^(?:bwrap|namespaces|other-user|limits)$/),
      files: [{ path: 'note.txt', size: 8, digest: expect.stringMatching(/^sha256:/) }],
    });
    expect(readFileSync(join(result.outputDir, 'note.txt'), 'utf8')).toBe('content\n');
    removeFiles(result.outputDir);
  });

  test('exits with 124 at the time limit', async () => {
    const home = makeHome({ 'slow.sh': 'sleep 60\n' });
    for (const timeout of ['300', '300ms', '1s'])
      expect(await skillplane(['run', 'tool', 'slow', '--timeout', timeout], { home })).toMatchObject({
        code: 124,
        stderr: expect.stringContaining('the script was stopped after'),
      });
    expect(await skillplane(['run', 'tool', 'slow', '--timeout', 'soon'], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--timeout takes a time such as 60s, 2m, 500ms or 1h'),
    });
  });

  test('passes no variable of the user to the script', async () => {
    const home = makeHome({ 'env.sh': 'env\n' });
    const { stdout } = await skillplane(['run', 'tool', 'env'], { home, env: { MY_SECRET: 'hush' } });
    expect(stdout).toContain('SKILL_DIR=');
    expect(stdout).not.toContain('hush');
  });

  test('suggests scripts and skills for an unknown name', async () => {
    const home = makeHome({ 'hello.sh': '' });
    expect(await skillplane(['run', 'tool', 'hallo'], { home })).toMatchObject({
      code: 1,
      stderr: 'skillplane: "tool" has no script "hallo"; available: hello.sh\n',
    });
    expect(await skillplane(['run', 'tul', 'hello'], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tool'),
    });
    expect(await skillplane(['run', 'tool'], { home })).toMatchObject({ code: 0, stdout: 'scripts/hello.sh\n' });
  });

  test('records the use of the skill and its outcome', async () => {
    const home = makeHome({ 'good.sh': 'true', 'bad.sh': 'false' });
    await skillplane(['run', 'tool', 'good'], { home });
    await skillplane(['run', 'tool', 'bad'], { home });
    await skillplane(['run', 'tool', 'gone'], { home });
    const { stdout } = await skillplane(['usage', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'tool', ran: 2, failed: 1 }] });
  });
});

describe('a project skill', () => {
  const makeProject = (): { readonly home: string; readonly cwd: string } => {
    const root = makeTree({
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      'project/.git/': '',
      'project/.claude/skills/tool/SKILL.md': skillText({ name: 'tool', description: 'Runs.' }),
      'project/.claude/skills/tool/scripts/mark.sh': 'curl https://example.com\necho ran > "$SKILL_OUTPUT_DIR/ran"\n',
    });
    return { home: join(root, 'home'), cwd: join(root, 'project') };
  };

  test('runs neither before it is trusted nor after a change', async () => {
    const { home, cwd } = makeProject();
    const run = () => skillplane(['run', 'tool', 'mark', '--cwd', cwd, '--json'], { home });
    expect(JSON.parse((await run()).stdout)).toMatchObject({ ok: false, code: 'NOT_TRUSTED' });
    const { code, stdout } = await skillplane(['trust', 'tool', '--yes', '--cwd', cwd], { home });
    expect(code).toBe(0);
    expect(stdout).toContain('  example.com  scripts/mark.sh:1\n');
    expect(stdout).toMatch(/Trusted tool\. Any change to its files ends the trust\.\n$/);
    const ran = JSON.parse((await run()).stdout) as { readonly outputDir: string };
    expect(ran).toMatchObject({ files: [{ path: 'ran' }] });
    removeFiles(ran.outputDir);
    writeTree(cwd, { '.claude/skills/tool/notes.md': 'new' });
    expect(JSON.parse((await run()).stdout)).toMatchObject({
      code: 'NOT_TRUSTED',
      message: expect.stringContaining('changed after you trusted it'),
    });
  });

  test('is trusted with --json, which prints the digest, what may run, and the audit', async () => {
    const { home, cwd } = makeProject();
    const { stdout } = await skillplane(['trust', 'tool', '--yes', '--json', '--cwd', cwd], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      name: 'tool',
      digest: expect.stringMatching(/^sha256:/),
      files: [{ path: 'SKILL.md' }, { path: 'scripts/mark.sh' }],
      scripts: ['scripts/mark.sh'],
      toolsets: [],
      audit: { counts: { critical: 0 }, hosts: [{ name: 'example.com' }], findings: [] },
    });
  });

  test.each([
    ['y', 'Trusted tool. Any change to its files ends the trust.'],
    ['n', 'tool is still not trusted.'],
    [KEYS.enter, 'tool is still not trusted.'],
    [KEYS.interrupt, 'tool is still not trusted.'],
  ])('is trusted or not by the answer on a terminal: %j', async (keys, result) => {
    const { home, cwd } = makeProject();
    const answers = [['Trust this version of tool?', keys]] as const;
    const { shown } = await answerOnTerminal(['trust', 'tool', '--cwd', cwd], { home, columns: 80, answers });
    expect(shown).toContain(result);
    expect(existsSync(join(home, '.agent/trust.json'))).toBe(keys === 'y');
  });

  test('is not trusted without a person to ask, nor after --revoke', async () => {
    const { home, cwd } = makeProject();
    expect(await skillplane(['trust', 'tool', '--cwd', cwd], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--yes'),
    });
    expect(existsSync(join(home, '.agent/trust.json'))).toBe(false);
    await skillplane(['trust', 'tool', '--yes', '--cwd', cwd], { home });
    expect((await skillplane(['trust', 'tool', '--revoke', '--cwd', cwd], { home })).stdout).toBe(
      'tool is no longer trusted.\n',
    );
    expect(await skillplane(['run', 'tool', 'mark', '--cwd', cwd], { home })).toMatchObject({ code: 1 });
  });
});

test.each([
  ['auto', /^(?:bwrap|namespaces|other-user|limits): scripts run /],
  ['require', /^(?:bwrap: |namespaces: |no script runs)/],
  ['off', /^sandbox is off: scripts run with all your permissions/],
])('doctor says how scripts run if the setting sandbox is %s', async (policy, detail) => {
  const home = makeTree({ '.agent/config.yaml': `skills:\n  sandbox: ${policy}\n` });
  const { checks } = JSON.parse((await skillplane(['doctor', '--json'], { home })).stdout) as {
    readonly checks: readonly { readonly area: string; readonly detail: string }[];
  };
  expect(checks.find(({ area }) => area === 'sandbox')?.detail).toMatch(detail);
});

describe('run with files', () => {
  const FILL =
    'import sys\nform, data = (open(path).read() for path in sys.argv[1:])\nprint(form.replace("NAME", data))\n';

  test('--input lets a script read files of the working directory, as in the README', async () => {
    const home = makeHome({ 'fill.py': FILL });
    const cwd = makeTree({ 'form.pdf': 'Dear NAME', 'data.json': 'Ada' });
    const args = ['run', 'tool', 'fill.py', '--cwd', cwd, '--input', '.', '--', 'form.pdf', 'data.json'];
    expect(await skillplane(args, { home })).toMatchObject({ code: 0, stdout: 'Dear Ada\n' });
    const one = ['run', 'tool', 'fill.py', '--cwd', cwd, '--input', 'form.pdf', '--input', 'data.json'];
    expect(await skillplane([...one, '--', 'form.pdf', 'data.json'], { home })).toMatchObject({ stdout: 'Dear Ada\n' });
    expect(await skillplane([...one, '--input', 'none'], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the input none does not exist'),
    });
  });

  test('offers files that arguments name, and says how to give them where nobody can be asked', async () => {
    const home = makeHome({ 'show.sh': 'cat "$1"\n' });
    const cwd = makeTree({ 'data.csv': 'a,b\n' });
    const args = ['run', 'tool', 'show', '--cwd', cwd, '--', 'data.csv'];
    expect(await skillplane(args, { home })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/data\.csv exists here, but the script was not given it\n.* --input data\.csv/),
    });
    const answers = [['Give data.csv to the script?', 'y']] as const;
    const { shown } = await answerOnTerminal(args, { home, columns: 80, answers });
    expect(shown).toContain('a,b');
  });

  test('--env passes variables by name, and hides their values', async () => {
    const home = makeHome({ 'key.sh': 'echo "$API_KEY ${OTHER-none}"\n' });
    const env = { API_KEY: 'key-0123456789', OTHER: 'x' };
    const run = await skillplane(['run', 'tool', 'key', '--env', 'API_KEY'], { home, env });
    expect(run.stdout).toBe('[API_KEY] none\n');
  });

  test('passes piped text to the script', async () => {
    const home = makeHome({ 'count.sh': 'wc -c\n' });
    expect((await skillplaneProcess(['run', 'tool', 'count'], { home, input: 'four' })).stdout.trim()).toBe('4');
  });

  test('--output receives the files that the script wrote', async () => {
    const home = makeHome({ 'write.sh': 'mkdir "$SKILL_OUTPUT_DIR/a"; echo done > "$SKILL_OUTPUT_DIR/a/b.txt"\n' });
    const cwd = makeTree();
    const args = ['run', 'tool', 'write', '--cwd', cwd, '--output', 'out'];
    expect(await skillplane(args, { home })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('out/a/b.txt (5 bytes)'),
    });
    expect(readFileSync(join(cwd, 'out/a/b.txt'), 'utf8')).toBe('done\n');
    const again = await skillplane([...args, '--json'], { home });
    const { message, ...failure } = JSON.parse(again.stdout) as { readonly message: string };
    expect(failure).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
    removeFiles(/the files are in (\S+)$/.exec(message)?.[1] ?? '');
    const other = JSON.parse((await skillplane([...args.slice(0, -1), 'other', '--json'], { home })).stdout) as object;
    expect(other).toMatchObject({ ok: true, outputDir: join(cwd, 'other'), files: [{ path: 'a/b.txt', size: 5 }] });
  });
});

test('run of a TypeScript script that writes nothing lists no files and leaves nothing behind', async () => {
  const home = makeHome({ 'a.ts': 'const word: string = "hello"; console.log(word);' });
  const temporary = makeTree();
  const { stdout } = await skillplane(['run', 'tool', 'a.ts', '--json'], { home, env: { TMPDIR: temporary } });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, stdout: 'hello\n', files: [] });
  expect(readdirSync(temporary)).toEqual([]);
});

test('run says how to install the packages that a script is missing', async () => {
  const home = makeHome({ 'a.py': '# /// script\n# dependencies = ["none-such"]\n# ///\nimport none_such\n' });
  const { code, stderr } = await skillplane(['run', 'tool', 'a.py'], { home });
  expect(code).toBe(1);
  expect(stderr).toMatch(/skillplane: .* packages that are not installed: none-such\n.*\buv\b/);
});
