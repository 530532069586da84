import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openSkills } from '../../src/engine/open-skills.ts';
import { skillplane } from '../support/command-line.ts';
import { skillText, type Tree } from '../support/tree.ts';
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
