import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { link, skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openStore } from '../catalog/store.ts';
import { findDuplicates } from './find-duplicates.ts';

const BODY = Array.from({ length: 60 }, (_, at) => `Step ${at}: take sheet${at} and write total${at} below.`).join(
  '\n',
);

async function duplicatesIn(tree: Tree): Promise<readonly object[]> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n', ...tree });
  const skills = await openStore({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return findDuplicates(skills).map((group) => ({
    kind: group.kind,
    skills: group.skills.map(({ skill, likeness }) => [
      skill.dir.replace(join(world.home, '/'), '~/'),
      Math.floor(likeness * 100),
    ]),
  }));
}

const sheets = (name: string, body = BODY): string => skillText({ name, description: 'Adds up sheets.' }, body);

test('finding duplicates reports one text under several names and in several places', async () => {
  const found = await duplicatesIn({
    'home/.agent/skills/sheets/SKILL.md': sheets('sheets'),
    'home/.claude/skills/sheets/SKILL.md': sheets('sheets'),
    'home/.agent/skills/tables/SKILL.md': sheets('tables'),
    'home/.agent/skills/letters/SKILL.md': skillText({ name: 'letters', description: 'Writes letters.' }),
  });
  expect(found).toEqual([
    {
      kind: 'same',
      skills: [
        ['~/.agent/skills/sheets', 100],
        ['~/.agent/skills/tables', 100],
        ['~/.claude/skills/sheets', 100],
      ],
    },
  ]);
});

test('finding duplicates reports texts that are nearly the same, and how similar they are', async () => {
  const found = await duplicatesIn({
    'home/.agent/skills/sheets/SKILL.md': sheets('sheets'),
    'home/.agent/skills/tables/SKILL.md': sheets('tables', BODY.replaceAll('total3', 'sum3')),
    'home/.agent/skills/rows/SKILL.md': sheets('rows', BODY.slice(0, BODY.length / 3)),
  });
  expect(found).toEqual([
    {
      kind: 'similar',
      skills: [
        ['~/.agent/skills/sheets', 100],
        ['~/.agent/skills/tables', expect.toSatisfy((share: number) => share >= 80 && share < 100)],
      ],
    },
  ]);
});

test('finding duplicates reports one name with different texts, the copy in use first', async () => {
  const found = await duplicatesIn({
    'home/.agent/skills/sheets/SKILL.md': sheets('sheets'),
    'home/.claude/skills/sheets/SKILL.md': sheets('sheets', 'Use a calculator.'),
  });
  expect(found).toEqual([
    {
      kind: 'name',
      skills: [
        ['~/.agent/skills/sheets', 100],
        ['~/.claude/skills/sheets', expect.toSatisfy((share: number) => share < 50)],
      ],
    },
  ]);
});

test('finding duplicates counts a linked folder as one skill and ignores broken skills', async () => {
  const broken = '---\nname: &a x\nmore: *a\n---\n';
  expect(
    await duplicatesIn({
      'home/.agent/skills/sheets/SKILL.md': sheets('sheets'),
      'home/.claude/skills/sheets': link('../../.agent/skills/sheets'),
      'home/.agent/skills/one/SKILL.md': broken,
      'home/.agent/skills/two/SKILL.md': broken,
    }),
  ).toEqual([]);
});
