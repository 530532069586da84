import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    'project/.gemini/skills/mobile/SKILL.md': skill('mobile'),
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

  test('that would loosen a limit is ignored, which show and config say', async () => {
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  sandbox: require\n',
      'project/.agent/config.yaml':
        'skills:\n  sandbox: off\n  scriptTimeout: 999999\n  maxSkills: 99\n  auditFailOn: never\n',
    });
    const run = async (...args: readonly string[]): Promise<string> =>
      (await skillplane(args, { home: world.home, cwd: world.project, env: { COLUMNS: '300' } })).stdout;
    const shown = await run('show', '--verbose');
    for (const field of ['sandbox', 'scriptTimeout', 'maxSkills'])
      expect(shown).toContain(
        `skills.${field} can only be stricter in a project than in your own config.yaml; ignored`,
      );
    expect(shown).toContain('skills.auditFailOn applies only in your own config.yaml');
    const listed = (await run('config', 'list')).split('\n');
    expect(listed.filter((line) => line.includes(join(world.project, '.agent')))).toEqual([]);
    expect(listed.find((line) => line.startsWith('sandbox'))).toMatch(/require +# .*home/);
  });

  test('makes doctor and show print no variable that it names', async () => {
    const world = makeWorld({
      'project/.agent/config.yaml':
        'skills:\n  customDirectories: [$SECRET_KEY, "${SECRET_KEY}/x", ~/$SECRET_KEY]\n  userDir: $SECRET_KEY\n',
      'project/.agent/skills/odd/SKILL.md': skill('odd', { metadata: { requires: '$SECRET_KEY' } }),
    });
    const env = { SECRET_KEY: 'hunter2hunter2' };
    for (const args of [['doctor'], ['doctor', '--json'], ['show', '--all'], ['show', '--json']]) {
      const { stdout, stderr } = await skillplane(args, { home: world.home, cwd: world.project, env });
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

  test.each(CLIENTS)('in place of the file of %s makes us write nothing elsewhere', async (client, file) => {
    for (const target of ['.bash_aliases', '.empty']) {
      const world = makeWorld({ 'home/.empty': '' });
      const outside = join(world.home, target);
      const before = existsSync(outside) ? readFileSync(outside, 'utf8') : undefined;
      writeTree(world.project, { [file]: link(outside) });
      const refused = await configure(world, client);
      expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { ok: false, code: 'PATH_REFUSED' }]);
      expect(existsSync(outside) ? readFileSync(outside, 'utf8') : undefined).toBe(before);
      expect(readdirSync(world.home)).toEqual(['.empty']);
    }
  });

  test.each(CLIENTS.filter(([, file]) => file.includes('/')))(
    'in place of the folder of %s makes us write nothing elsewhere',
    async (client, file) => {
      const world = makeWorld({ 'home/elsewhere/': '' });
      symlinkSync(join(world.home, 'elsewhere'), join(world.project, file.split('/')[0] ?? ''));
      expect((await configure(world, client)).code).toBe(1);
      expect(readdirSync(join(world.home, 'elsewhere'))).toEqual([]);
    },
  );

  test('in place of a lock is refused at once, and says which file it is', async () => {
    const world = makeWorld({ 'project/.mcp.json': '{}', 'project/.mcp.json.lock': link('nowhere') });
    expect(JSON.parse((await configure(world, 'claude-code')).stdout)).toMatchObject({
      code: 'PATH_REFUSED',
      message: expect.stringContaining('.mcp.json.lock is not a file that Skillplane wrote'),
      next: { moveAway: expect.stringMatching(/\.mcp\.json\.lock$/) },
    });
    expect(readFileSync(join(world.project, '.mcp.json'), 'utf8')).toBe('{}');
  });

  test('in place of the lock of skills-lock.yaml does not make installing wait', async () => {
    const world = makeWorld({
      'home/origin/pdf/SKILL.md': skill('pdf'),
      'project/.agent/skills-lock.yaml.lock': link('nowhere'),
    });
    const refused = await skillplane(['install', join(world.home, 'origin'), '--project', '--yes', '--json'], {
      home: world.home,
      cwd: world.project,
    });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      code: 'PATH_REFUSED',
      message: expect.stringContaining('skills-lock.yaml.lock is not a file that Skillplane wrote'),
    });
    expect(existsSync(join(world.project, '.agents/skills/pdf'))).toBe(false);
  });
});

describe('an emptied or cut lock', () => {
  const install = (world: World, name: string): ReturnType<typeof skillplane> =>
    skillplane(['install', join(world.home, 'origin', name), '--yes', '--json'], {
      home: world.home,
      cwd: world.project,
    });
  const say = async (world: World, ...args: readonly string[]): Promise<{ code: number | null; message: string }> => {
    const { code, stdout, stderr } = await skillplane(args, { home: world.home, cwd: world.project });
    return { code, message: `${stdout}${stderr}` };
  };
  const installed = async (): Promise<World> => {
    const world = makeWorld({
      'home/origin/pdf/SKILL.md': skill('pdf'),
      'home/origin/docx/SKILL.md': skill('docx'),
      'home/origin/xlsx/SKILL.md': skill('xlsx'),
    });
    expect([(await install(world, 'pdf')).code, (await install(world, 'docx')).code]).toEqual([0, 0]);
    return world;
  };

  test.each([
    ['emptied', () => ''],
    ['cut before the skills', (text: string) => text.slice(0, text.indexOf('skills:') + 'skills:\n'.length)],
    ['cut after the first skill', (text: string) => text.slice(0, text.indexOf('  pdf:'))],
  ])('(%s) is damage: nothing is forgotten, verify and --frozen fail and name the skills', async (_how, cut) => {
    const world = await installed();
    const lock = join(world.home, '.agent/skills-lock.yaml');
    const damaged = cut(readFileSync(lock, 'utf8'));
    writeFileSync(lock, damaged);
    for (const args of [['verify'], ['install', '--frozen']]) {
      const { code, message } = await say(world, ...args);
      expect(code).toBe(1);
      expect(message).toMatch(/truncated.*pdf/s);
      expect(message).toMatch(/docx/);
    }
    expect((await install(world, 'xlsx')).code).toBe(1);
    expect(readFileSync(lock, 'utf8')).toBe(damaged);
  });

  test('that lacks one skill makes verify and --frozen fail and name it, and the next installation keeps it', async () => {
    const world = await installed();
    const lock = join(world.home, '.agent/skills-lock.yaml');
    const text = readFileSync(lock, 'utf8');
    writeFileSync(lock, `${text.slice(0, text.indexOf('  pdf:'))}...\n`);
    expect((await install(world, 'xlsx')).code).toBe(0);
    for (const args of [['verify'], ['install', '--frozen']]) {
      const { code, message } = await say(world, ...args);
      expect([code, message.includes('pdf')]).toEqual([1, true]);
    }
    expect(readFileSync(join(world.home, '.agent/config.yaml'), 'utf8')).toContain('name: pdf');
    expect(existsSync(join(world.home, '.agent/plugins/pdf/SKILL.md'))).toBe(true);
  });

  test('that is gone is told by the skills that it does not list', async () => {
    const world = await installed();
    rmSync(join(world.home, '.agent/skills-lock.yaml'));
    for (const args of [['verify'], ['install', '--frozen']]) {
      const { code, message } = await say(world, ...args);
      expect(code).toBe(1);
      expect(message).toMatch(/docx.*pdf/s);
    }
  });
});
