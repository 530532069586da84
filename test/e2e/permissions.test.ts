import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, onTestFinished, test } from 'vitest';

import { DROP_PRIVILEGES } from '../support/child.ts';
import { skillplane } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

const BIN = resolve('bin', 'skillplane.mjs');

interface Place {
  readonly home: string;
  readonly cwd?: string;
  /** Folders that its user may not enter or list. */
  readonly locked: readonly string[];
}

/** Runs the command line as a user for whom permissions count, with folders that are locked once it is in its working directory. */
function skillplaneAsUser(args: readonly string[], { home, cwd = home, locked }: Place) {
  onTestFinished(() => locked.forEach((path) => chmodSync(path, 0o755)));
  const code = `
    import { chmodSync, chownSync, readdirSync } from 'node:fs';
    process.chdir(${JSON.stringify(cwd)});
    if (process.getuid() === 0) {
      const home = ${JSON.stringify(home)};
      for (const path of [home, ...readdirSync(home, { recursive: true }).map((name) => home + '/' + name)])
        chownSync(path, 65534, 65534);
    }
    for (const path of ${JSON.stringify(locked)}) chmodSync(path, 0);
    ${DROP_PRIVILEGES}
    process.argv = [process.execPath, ${JSON.stringify(BIN)}, ...${JSON.stringify(args)}];
    await import(${JSON.stringify(pathToFileURL(BIN).href)});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    env: { HOME: home, PATH: process.env['PATH'] },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
}

describe('in a working directory below a folder that its user may not enter', () => {
  const place = (): Place => {
    const home = makeTree({
      '.agent/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'Mine.' }),
      'locked/inner/.agent/config.yaml': 'skills:\n  enabled: false\n',
    });
    return { home, cwd: join(home, 'locked/inner'), locked: [join(home, 'locked')] };
  };

  test('show lists the skills of the user, and says what it could not read', () => {
    const { code, stdout, stderr } = skillplaneAsUser(['show', '--verbose'], place());
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ mine {2,}Mine\./);
    expect(stderr).toMatch(/CONFIG_INVALID ~\/locked\/inner\/\.agent\/config\.yaml: .*permission denied/);
  });

  test.each([['doctor'], ['config'], ['prompt'], ['search forms'], ['hosts'], ['usage']])('%s works', (command) => {
    const { code, stderr } = skillplaneAsUser(command.split(' '), place());
    expect(stderr).not.toContain('bug');
    expect(code).toBeLessThan(2);
  });

  test('--cwd leads to it as well', () => {
    const { home, cwd = '', locked } = place();
    expect(skillplaneAsUser(['show', '--cwd', cwd], { home, locked })).toMatchObject({ code: 0 });
  });
});

test('a working directory that was deleted, or cannot exist, is reported in one sentence', async () => {
  const home = makeTree({ 'gone/a': '' });
  const { status, stderr } = spawnSync('sh', ['-c', `rm -r ../gone && exec "${process.execPath}" "${BIN}" show`], {
    cwd: join(home, 'gone'),
    env: { HOME: home, PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'skillplane: the working directory no longer exists\nChange to another one, or name one with --cwd.\n',
  });
  const long = 'x'.repeat(300);
  expect(await skillplane(['show', '--cwd', long], { home })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${long} is not a directory`),
  });
});

describe('doctor', () => {
  test('reports a folder of skills that cannot be listed as an error, with the reason', () => {
    const home = makeTree({ '.agent/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'Mine.' }) });
    const { code, stdout } = skillplaneAsUser(['doctor'], { home, locked: [join(home, '.agent/skills')] });
    expect(stdout).toContain('✗ source   user: ~/.agent/skills: the folder cannot be listed: permission denied\n');
    expect(stdout).toContain('→ Fix its permissions');
    expect(stdout).not.toContain('warning about skills');
    expect(code).toBe(1);
  });

  test('does not call a folder of skills missing if it cannot look for it', () => {
    const home = makeTree({ '.claude/skills/a/SKILL.md': skillText({ name: 'a', description: 'A.' }) });
    const { stdout } = skillplaneAsUser(['doctor'], { home, locked: [join(home, '.claude')] });
    expect(stdout).toContain(
      '✗ source   claude-user: ~/.claude/skills: the folder cannot be listed: permission denied\n',
    );
  });

  test('calls nothing sound that it cannot read', () => {
    const home = makeTree({ '.agent/config.yaml': 'skills:\n  plugins: [{ name: pdf }]\n' });
    const { code, stdout } = skillplaneAsUser(['doctor'], { home, locked: [join(home, '.agent')] });
    expect(stdout).toContain('✗ config   ~/.agent/config.yaml');
    expect(stdout).not.toMatch(/✓ (?:config|plugins)/);
    expect(code).toBe(1);
  });
});
