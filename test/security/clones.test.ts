import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openSkills } from '../../src/engine/open-skills.ts';
import { skillplane } from '../support/command-line.ts';
import { link, skillText, writeTree, type Tree } from '../support/tree.ts';
import { makeWorld, type World } from '../support/world.ts';

function skill(name: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return skillText({ name, description: `Does ${name}. Use when asked.`, ...fields });
}

async function enabledIn({ project, home, env }: World): Promise<readonly string[]> {
  await using skills = await openSkills({ cwd: project, home, env });
  return skills
    .catalog()
    .skills.filter(({ enabled }) => enabled)
    .map(({ name }) => name);
}

describe('the configuration of a clone', () => {
  const HOME: Tree = {
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  includeSkills: ["m*"]\n',
    'home/.agent/skills/mine/SKILL.md': skill('mine'),
    'home/.agent/skills/more/SKILL.md': skill('more'),
    'home/.agent/skills/money/SKILL.md': skill('money', { default_enabled: false }),
    'home/.agent/skills/secret/SKILL.md': skill('secret'),
    'home/.gemini/skills/mobile/SKILL.md': skill('mobile'),
  };

  test.each([
    ['includeSkills: ["*"]', ['mine', 'more']],
    ['includeSkills: [secret, money, mine]', ['mine']],
    ['includeSkills: [secret]', []],
    ['enabledSkills: [money, secret]', ['mine', 'more']],
    ['enabledSources: [gemini, bundled]', ['mine', 'more']],
    ['enabledBundled: [skill-author]', ['mine', 'more']],
    ['enablePiUser: true', ['mine', 'more']],
  ])('switches on nothing that the user keeps off: %s', async (settings, expected) => {
    const world = makeWorld({ ...HOME, 'project/.agent/config.yaml': `skills:\n  ${settings}\n` });
    expect(await enabledIn(world)).toEqual(expected);
  });

  test('cannot choose among the bundled skills more than the user did', async () => {
    const bundled = 'skills:\n  disabledSources: [user]\n  enabledBundled: [skill-author]\n';
    const with_ = (settings: string): Promise<readonly string[]> =>
      enabledIn(
        makeWorld({
          'home/.agent/config.yaml': bundled,
          'project/.agent/config.yaml': `skills:\n  enabledBundled: [${settings}]\n`,
        }),
      );
    expect(await with_('')).toEqual(['skill-author']);
    expect(await with_('skill-author, another')).toEqual(['skill-author']);
    expect(await with_('another')).toEqual([]);
  });

  test('makes doctor and show print no variable that it names', () => {
    const world = makeWorld({
      'project/.agent/config.yaml':
        'skills:\n  customDirectories: [$SECRET_KEY, "${SECRET_KEY}/x", ~/$SECRET_KEY]\n  userDir: $SECRET_KEY\n',
      'project/.agent/skills/odd/SKILL.md': skill('odd', { metadata: { requires: '$SECRET_KEY' } }),
    });
    const env = { SECRET_KEY: 'hunter2hunter2' };
    for (const args of [['doctor'], ['doctor', '--json'], ['show', '--all'], ['show', '--json']]) {
      const { stdout, stderr } = skillplane(args, { home: world.home, cwd: world.project, env });
      expect(`${stdout}${stderr}`).not.toContain('hunter2');
    }
  });
});

describe('a link in a clone', () => {
  const CLIENTS = [
    ['claude-code', '.mcp.json'],
    ['codex', '.codex/config.toml'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.vscode/mcp.json'],
    ['gemini', '.gemini/settings.json'],
    ['opencode', 'opencode.json'],
  ] as const;
  const configure = (world: World, client: string): ReturnType<typeof skillplane> =>
    skillplane(['mcp', '--print-config', client, '--project', '--write', '--json'], {
      home: world.home,
      cwd: world.project,
    });

  test.each(CLIENTS)('in place of the file of %s makes us write nothing elsewhere', (client, file) => {
    for (const target of ['.bash_aliases', '.empty']) {
      const world = makeWorld({ 'home/.empty': '' });
      const outside = join(world.home, target);
      const before = existsSync(outside) ? readFileSync(outside, 'utf8') : undefined;
      writeTree(world.project, { [file]: link(outside) });
      const refused = configure(world, client);
      expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { ok: false, code: 'PATH_REFUSED' }]);
      expect(existsSync(outside) ? readFileSync(outside, 'utf8') : undefined).toBe(before);
      expect(readdirSync(world.home)).toEqual(['.empty']);
    }
  });

  test.each(CLIENTS.filter(([, file]) => file.includes('/')))(
    'in place of the folder of %s makes us write nothing elsewhere',
    (client, file) => {
      const world = makeWorld({ 'home/elsewhere/': '' });
      symlinkSync(join(world.home, 'elsewhere'), join(world.project, file.split('/')[0] ?? ''));
      expect(configure(world, client).code).toBe(1);
      expect(readdirSync(join(world.home, 'elsewhere'))).toEqual([]);
    },
  );

  test('in place of a lock is refused at once, and says which file it is', () => {
    const world = makeWorld({ 'project/.mcp.json': '{}', 'project/.mcp.json.lock': link('nowhere') });
    expect(JSON.parse(configure(world, 'claude-code').stdout)).toMatchObject({
      code: 'PATH_REFUSED',
      message: expect.stringContaining('.mcp.json.lock is not a file that Skillplane wrote'),
      hint: 'Move it away.',
    });
    expect(readFileSync(join(world.project, '.mcp.json'), 'utf8')).toBe('{}');
  });

  test('in place of the lock of skills-lock.yaml does not make installing wait', () => {
    const world = makeWorld({
      'home/origin/pdf/SKILL.md': skill('pdf'),
      'project/.agent/skills-lock.yaml.lock': link('nowhere'),
    });
    const refused = skillplane(['install', join(world.home, 'origin'), '--project', '--yes', '--json'], {
      home: world.home,
      cwd: world.project,
    });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      code: 'PATH_REFUSED',
      message: expect.stringContaining('skills-lock.yaml.lock is not a file that Skillplane wrote'),
    });
    expect(existsSync(join(world.project, '.agent/skills/pdf'))).toBe(false);
  });
});
