import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { makeTree, skillText } from '../../test/support/tree.ts';
import { giveSkills } from './give-skills.ts';
import { turnSkills, type TurnedSkill, type TurnOptions } from './turn-skills.ts';

/** Codex finds the skill by itself, Claude Code does not. */
function makeHome() {
  const home = makeTree({
    '.claude/': '',
    '.codex/': '',
    '.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Does pdf.' }, 'Text.\n'),
  });
  const place = { cwd: home, home, env: { HOME: home, PATH: '' } };
  return {
    config: (): unknown => parse(readFileSync(join(home, '.agent/config.yaml'), 'utf8')),
    give: (changes: TurnedSkill['replaced']) => giveSkills(['pdf'], { ...place, choose: { how: 'each', changes } }),
    turn: async (isOn: boolean, options: TurnOptions = {}): Promise<TurnedSkill> => {
      const [turned] = await turnSkills(['pdf'], isOn, { ...place, ...options });
      if (turned?.outcome.ok !== true) throw new Error('it was not turned');
      return turned.outcome;
    },
  };
}

const having = ({ after }: TurnedSkill): readonly string[] =>
  after.agents.filter(({ has }) => has).map(({ agent }) => agent);

test('a disabled skill that is enabled for one agent stays disabled for an agent that finds it by itself', async () => {
  const { turn } = makeHome();
  expect(having(await turn(false))).toEqual([]);
  expect(having(await turn(true, { agents: ['claude-code'] }))).toEqual(['claude-code']);
  expect(having(await turn(true, { agents: ['codex'] }))).toEqual(['claude-code', 'codex']);
});

test('a disabled skill that is enabled for one agent stays disabled for an agent that it was disabled for before', async () => {
  const { turn } = makeHome();
  await turn(false, { agents: ['codex'] });
  await turn(false);
  expect(having(await turn(true, { agents: ['claude-code'] }))).toEqual(['claude-code']);
});

test('the exceptions that enabling for one agent replaced take it back, together with disabling', async () => {
  const { turn, give, config } = makeHome();
  await turn(false);
  const before = config();
  const { replaced } = await turn(true, { agents: ['claude-code'] });
  expect(config()).not.toEqual(before);
  expect(replaced.map(({ agent }) => agent)).toEqual(['claude-code', 'codex']);
  await turn(false);
  await give(replaced);
  expect(config()).toEqual(before);
  expect(having(await turn(true))).toEqual(['codex']);
});
