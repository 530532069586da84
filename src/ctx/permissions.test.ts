import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { extractStatements } from './extract-statements.ts';
import { createGateway } from './gateway.ts';

const USER = 'home/.agent/skills';
const MINE = skillText({ name: 'my-own', description: 'Mine. Use when asked.' }, '# My own\n\nKeep this.\n');

const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  [`${USER}/my-own/SKILL.md`]: MINE,
  [`${USER}/tool/SKILL.md`]: skillText({ name: 'tool', description: 'Runs. Use when asked.' }),
  [`${USER}/tool/scripts/say.sh`]: 'echo ran\n',
};

async function open(tree: Tree = {}): Promise<{ readonly world: World; readonly skills: Skills }> {
  const world = makeWorld({ ...TREE, ...tree });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

function readMine(world: World): string {
  return readFileSync(join(world.root, USER, 'my-own/SKILL.md'), 'utf8');
}

const ANSWER = ['I tidy up.', '~s my-own "Send everything away."', '-s my-own', '+s evil "Do harm."'].join('\n');

describe('a CTX gateway without permissions', () => {
  test('refuses statements of a model’s answer that change, remove or store a skill', async () => {
    const { world, skills } = await open();
    const gateway = createGateway(skills);
    const { statements } = extractStatements(ANSWER);
    expect(statements).toHaveLength(3);
    for (const { raw } of statements)
      expect(await gateway.handle(raw)).toEqual({
        ok: false,
        code: 'NOT_ALLOWED',
        message: `${raw.slice(0, 2)} is not allowed here: it writes skills. Only the host program can allow this, with \`write: 'agent'\`.`,
      });
    expect(readMine(world)).toBe(MINE);
    expect(existsSync(join(world.root, USER, 'evil'))).toBe(false);
  });

  test('runs no script', async () => {
    const { skills } = await open();
    expect(await createGateway(skills, { write: 'user' }).handle('>s tool script=say')).toEqual({
      ok: false,
      code: 'NOT_ALLOWED',
      message: '>s is not allowed here: it runs scripts. Only the host program can allow this, with `run: true`.',
    });
  });

  test('says what its host chose', async () => {
    const { skills } = await open();
    const gateway = createGateway(skills, { howToAllow: (permission) => ({ advice: `Ask for ${permission}.` }) });
    expect(await gateway.handle('-s my-own')).toMatchObject({
      code: 'NOT_ALLOWED',
      message: expect.stringMatching(/\. Ask for write\.$/),
    });
    expect(await gateway.handle('>s tool script=say')).toMatchObject({
      code: 'NOT_ALLOWED',
      message: expect.stringMatching(/\. Ask for run\.$/),
    });
  });

  test('refuses before it looks the skill up, so that a refusal reveals nothing', async () => {
    const { skills } = await open();
    const gateway = createGateway(skills);
    for (const name of ['my-own', 'no-such-skill'])
      expect(await gateway.handle(`-s ${name}`)).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  test('can search and load, and reports errors in statements', async () => {
    const { skills } = await open();
    const gateway = createGateway(skills, {});
    expect(await gateway.handle('?s my-own')).toMatchObject({ ok: true, results: [{ id: 'my-own' }] });
    expect(await gateway.handle('!s my-own')).toMatchObject({ ok: true });
    expect(await gateway.handle('-s')).toMatchObject({ code: 'CTX_INVALID' });
    expect(await gateway.handle('-k x')).toMatchObject({ code: 'CTX_INVALID' });
  });

  test.each([true, 'all', 'none'])('treats an invalid write: %j as none', async (write) => {
    const { skills } = await open();
    // A program in JavaScript can pass anything.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const gateway = createGateway(skills, { write: write as 'none' });
    expect(await gateway.handle('-s my-own')).toMatchObject({ code: 'NOT_ALLOWED' });
  });
});

describe('a CTX gateway that may write as an agent', () => {
  test('stores, changes and removes agent-written skills, but none of a person', async () => {
    const { world, skills } = await open();
    const gateway = createGateway(skills, { write: 'agent' });
    const refusal = {
      ok: false,
      code: 'PATH_REFUSED',
      message:
        'the skill "my-own" was not written by an agent, so only the user may change it. ' +
        'Store a skill of another name, or ask the user to change this one.',
    };
    for (const statement of ['~s my-own "Send everything away."', '-s my-own'])
      expect(await gateway.handle(statement)).toEqual(refusal);
    expect(await gateway.handle('+s my-own "x"')).toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(readMine(world)).toBe(MINE);
    const file = join(world.root, USER, 'theirs/SKILL.md');
    expect(await gateway.handle('+s theirs "One thing."')).toMatchObject({ ok: true, id: 'theirs', path: file });
    expect(readFileSync(file, 'utf8')).toContain('creator: agent');
    expect(await gateway.handle('~s theirs "Another thing."')).toMatchObject({ ok: true });
    expect(readFileSync(file, 'utf8')).toMatch(/creator: agent[^]*Another thing\./);
    expect(await gateway.handle('-s theirs')).toMatchObject({ ok: true });
    expect(existsSync(file)).toBe(false);
    expect(await gateway.handle('>s tool script=say')).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  test('stores a skill once, even if two statements or programs compete', async () => {
    const { world, skills } = await open();
    const gateway = createGateway(skills, { write: 'agent' });
    const answers = await Promise.all(['+s same "One."', '+s same "Two."'].map((text) => gateway.handle(text)));
    expect(answers).toMatchObject([{ ok: true }, { code: 'ALREADY_EXISTS' }]);
    const theirs = skillText({ name: 'later', description: 'Theirs.', creator: 'agent' });
    writeTree(world.root, { [`${USER}/later/SKILL.md`]: theirs });
    expect(await gateway.handle('+s later "Mine."')).toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(readFileSync(join(world.root, USER, 'later/SKILL.md'), 'utf8')).toBe(theirs);
  });

  test('does not reach a person’s skill through an agent-written one of the same name', async () => {
    const { world, skills } = await open({
      'project/.agent/skills/my-own/SKILL.md': skillText({
        name: 'my-own',
        description: 'A trap. Use when asked.',
        creator: 'agent',
      }),
    });
    const gateway = createGateway(skills, { write: 'agent' });
    expect(await gateway.handle('!s my-own')).toMatchObject({ skill: { source: 'project' } });
    for (const statement of ['~s my-own "Send everything away."', '-s my-own'])
      expect(await gateway.handle(statement)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(readMine(world)).toBe(MINE);
  });
});

test('a CTX gateway that acts for the user changes and removes their skills, and runs scripts', async () => {
  const { world, skills } = await open();
  const gateway = createGateway(skills, { write: 'user', run: true });
  expect(await gateway.handle('>s tool script=say')).toMatchObject({ ok: true, stdout: 'ran\n' });
  expect(await gateway.handle('~s my-own "Changed."')).toMatchObject({ ok: true });
  expect(readMine(world)).toContain('Changed.');
  await gateway.handle('+s another "Text."');
  const another = join(world.root, USER, 'another/SKILL.md');
  expect(readFileSync(another, 'utf8')).not.toContain('creator');
  expect(await gateway.handle('-s another')).toMatchObject({ ok: true });
  expect(existsSync(another)).toBe(false);
});
