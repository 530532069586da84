import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, skillplaneOnTerminal } from '../support/command-line.ts';
import { link, makeTree, skillText } from '../support/tree.ts';

const CONFIG = { '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' };

describe('new', () => {
  test('makes a toolset whose own test finds our packages', async () => {
    const home = makeTree(CONFIG);
    await skillplane(['new', 'counter', '--template', 'toolset'], { home });
    const cwd = join(home, '.agent/skills/counter');
    expect(spawnSync(process.execPath, ['--test'], { cwd, encoding: 'utf8' })).toMatchObject({ status: 0 });
  });

  test.for([
    ['basic', ['SKILL.md']],
    ['script', ['SKILL.md', 'scripts/count.sh']],
    ['toolset', ['SKILL.md', 'toolsets/index.ts', 'toolsets/index.test.ts']],
    ['reference', ['SKILL.md', 'references/details.md']],
  ] as const)('makes a valid %s skill, and says what to do next', async ([template, files]) => {
    const home = makeTree(CONFIG);
    const name = `my-${template}`;
    const dir = join(home, '.agent/skills', name);
    const { code, stdout } = await skillplane(['new', name, '--template', template, '--json'], { home });
    expect(code).toBe(0);
    const answer: { readonly next: readonly string[] } = JSON.parse(stdout);
    expect(answer).toMatchObject({
      ok: true,
      id: name,
      path: join(dir, 'SKILL.md'),
      action: 'created',
      dir,
      files: [...files, 'evals/evals.yaml'],
    });
    expect(await skillplane(['validate', dir, '--json'], { home })).toMatchObject({ code: 0 });
    expect(JSON.parse((await skillplane(['validate', dir, '--json'], { home })).stdout)).toMatchObject({
      results: [{ ok: true, warnings: [{ code: 'TEMPLATE_TEXT', line: 3 }] }],
    });
    // Every command that it suggests works as printed.
    for (const line of answer.next) {
      const words = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
      const result = await skillplane(words.slice(1), { home });
      expect(result.stderr.replace(/^(?:isolation:| {2}warning: \S+ lines [\d, ]+ are still the text).*\n/, '')).toBe(
        '',
      );
      expect(result.code).toBe(0);
    }
    const packages = template === 'toolset' ? ['node_modules'] : [];
    expect(readdirSync(join(home, '.agent/skills'))).toEqual([name, ...packages]);
  });

  test('--project creates a project skill, which runs nothing before it is trusted', async () => {
    const home = makeTree({ ...CONFIG, 'project/.git/': '' });
    const cwd = join(home, 'project');
    const created = await skillplane(['new', 'deploy', '--project', '--template', 'script'], { home, cwd });
    expect(created).toMatchObject({
      code: 0,
      stdout: `Created ${join(cwd, '.agents/skills/deploy/SKILL.md')}\n`,
      stderr: expect.stringContaining('skillplane trust deploy'),
    });
    expect((await skillplane(['run', 'deploy', 'scripts/count.sh', '--', 'a'], { home, cwd })).code).toBe(1);
  });

  test('accepts any characters in a description', async () => {
    const home = makeTree(CONFIG);
    const description = 'Fill: "PDF" forms # and\n---\n\u001B[31mmore';
    expect(await skillplane(['new', 'pdf', '--description', description], { home })).toMatchObject({ code: 0 });
    const shown = JSON.parse((await skillplane(['read-properties', join(home, '.agent/skills/pdf')], { home })).stdout);
    expect(shown).toMatchObject({ name: 'pdf', description });
  });

  test('refuses a bad name, a name that is taken, and an unknown template', async () => {
    const home = makeTree({ ...CONFIG, '.claude/skills/pdf/SKILL.md': skillText({ description: 'x' }) });
    const fail = async (...args: readonly string[]): Promise<unknown> => {
      const { code, stdout } = await skillplane(['new', ...args, '--json'], { home });
      return { code, answer: JSON.parse(stdout) };
    };
    expect(await fail('My Skill')).toMatchObject({
      code: 1,
      answer: { ok: false, code: 'INVALID_NAME', message: expect.stringMatching(/lowercase$/) },
    });
    expect(await fail('../x')).toMatchObject({ code: 1, answer: { code: 'INVALID_NAME' } });
    expect(await fail('pdf')).toMatchObject({ code: 1, answer: { code: 'ALREADY_EXISTS' } });
    expect(await fail('x', '--template', 'nope')).toMatchObject({ code: 2, answer: { code: 'USAGE' } });
    expect(existsSync(join(home, '.agent/skills'))).toBe(false);
  });

  test('opens the editor on a terminal, with its arguments and no shell', () => {
    const editor = `#!/bin/sh
echo "args: $#, first: $1" > "$HOME/seen"
printf -- '---\\nname: other\\ndescription: y\\n---\\n' > "$2"
`;
    const home = makeTree({ ...CONFIG, 'my bin/editor': editor });
    chmodSync(join(home, 'my bin/editor'), 0o755);
    const EDITOR = `'${join(home, 'my bin/editor')}' '--wait;touch $HOME/owned'`;
    const options = { home, columns: 200, env: { EDITOR } };
    const shown = skillplaneOnTerminal(['new', 'pdf'], options);
    expect(readFileSync(join(home, 'seen'), 'utf8')).toBe('args: 2, first: --wait;touch $HOME/owned\n');
    expect(existsSync(join(home, 'owned'))).toBe(false);
    expect(shown).toContain('must match skill name');
    skillplaneOnTerminal(['new', 'quiet', '--no-edit'], { ...options, env: { EDITOR: 'no-such-editor' } });
    expect(readFileSync(join(home, '.agent/skills/quiet/SKILL.md'), 'utf8')).toContain('name: quiet');
    expect(skillplaneOnTerminal(['new', 'lost'], { ...options, env: { EDITOR: 'no-such-editor' } })).toContain(
      'no-such-editor could not be started',
    );
  });
});

describe('fix', () => {
  const BROKEN = '---\nname: demo # mine\ndescription: Use: this\nallowed-tools: [Read, Edit]\n---\n\nBody  \n';
  const FIXED = '---\nname: demo # mine\ndescription: "Use: this"\nallowed-tools: Read Edit\n---\n\nBody  \n';

  test('prints a diff that patch can apply, writes nothing, and exits with 1', async () => {
    const home = makeTree({ 'demo/SKILL.md': BROKEN });
    const { code, stdout, stderr } = await skillplane(['fix', 'demo'], { home });
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        '--- a/demo/SKILL.md\n+++ b/demo/SKILL.md\n@@ -1,7 +1,7 @@\n ---\n name: demo # mine\n-description: Use: this\n',
        '-allowed-tools: [Read, Edit]\n+description: "Use: this"\n+allowed-tools: Read Edit\n',
        ' ---\n \n Body  \n',
      ].join(''),
    );
    expect(stderr).toContain('Apply these fixes with `skillplane validate --fix ');
    expect(readFileSync(join(home, 'demo/SKILL.md'), 'utf8')).toBe(BROKEN);
  });

  test('saves UTF-16 as UTF-8, which makes a broken skill work', async () => {
    const text = '---\nname: demo\ndescription: Does it.\n---\n\nBody é\n';
    const big = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    const home = makeTree({
      '.agent/skills/demo/SKILL.md': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      '.agent/skills/big/SKILL.md': big,
    });
    expect(await skillplane(['load', 'demo'], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('UTF-16'),
    });
    const { code, stderr } = await skillplane(['fix', '.agent/skills/demo', '--write'], { home });
    expect(stderr).toContain('save the file as UTF-8 instead of UTF-16');
    expect(code).toBe(0);
    expect(readFileSync(join(home, '.agent/skills/demo/SKILL.md'), 'utf8')).toBe(text);
    expect(await skillplane(['load', 'demo'], { home })).toMatchObject({ code: 0, stdout: text });
    await skillplane(['fix', '.agent/skills/big', '--write'], { home });
    expect(readFileSync(join(home, '.agent/skills/big/SKILL.md'), 'utf8')).toContain('Body é\n');
  });

  test('names the line of a broken skill that only its author can fix', async () => {
    const home = makeTree({ 'demo/SKILL.md': '---\nname: &a demo\ndescription: *a\n---\nBody\n' });
    const { code, stderr } = await skillplane(['fix', 'demo', '--write'], { home });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot be fixed automatically: .*demo\n {2}fix by hand: .*line 3/);
  });

  test('writes with --write, and then finds nothing to fix', async () => {
    const home = makeTree({ 'demo/SKILL.md': BROKEN });
    expect((await skillplane(['fix', 'demo/SKILL.md', '--write'], { home })).code).toBe(0);
    expect(readFileSync(join(home, 'demo/SKILL.md'), 'utf8')).toBe(FIXED);
    const again = await skillplane(['fix', 'demo', '--write', '--json'], { home });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({
      ok: true,
      results: [{ ok: true, path: join(home, 'demo'), fixes: [], diff: '', written: false, left: [], isRight: true }],
    });
    expect(readdirSync(home).filter((name) => name !== '.agent')).toEqual(['demo']);
  });

  test('fixes every skill in a folder, and lists what only a person can fix', async () => {
    const home = makeTree({
      'skills/good/SKILL.md': skillText({ name: 'good', description: 'x' }),
      'skills/demo/SKILL.md': BROKEN,
      'skills/poor/SKILL.md': '---\nname: poor\nauthor: Ann\n---\n',
      'skills/small/skill.md': '---\nname: small\ndescription: x\n---\n',
    });
    const { code, stdout } = await skillplane(['fix', 'skills', '--write', '--json'], { home });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      results: [
        { ok: true, isRight: true, written: true, left: [] },
        { ok: true, written: false },
        {
          ok: true,
          isRight: false,
          written: false,
          left: [
            { code: 'UNKNOWN_FIELD', field: 'author' },
            { code: 'DESCRIPTION_MISSING', field: 'description' },
          ],
        },
        { ok: true, written: true, fixes: [{ message: 'rename skill.md to SKILL.md' }] },
      ],
    });
    expect(readdirSync(join(home, 'skills/small'))).toEqual(['SKILL.md']);
  });

  test('follows no link out of the skill, and names paths that do not exist', async () => {
    const home = makeTree({
      'outside.md': BROKEN,
      'demo/SKILL.md': link('../outside.md'),
      'elsewhere/other/SKILL.md': BROKEN,
      'linked/other': link('../elsewhere/other'),
    });
    for (const path of ['demo', 'nowhere', 'linked']) {
      const { code, stderr } = await skillplane(['fix', path, '--write'], { home });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(path) });
    }
    for (const path of ['outside.md', 'elsewhere/other/SKILL.md'])
      expect(readFileSync(join(home, path), 'utf8')).toBe(BROKEN);
  });
});
