import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { createGateway, type Gateway } from './gateway.ts';

const USER = 'home/.agent/skills';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

const PDF: Tree = {
  [`${USER}/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Fills forms.' }, '# PDF Forms\n\nSee references.\n'),
  [`${USER}/pdf/references/tables.md`]: '# Tables\n\nSeams\u200Bless.\n',
  [`${USER}/pdf/references/two words.txt`]: 'Both.\n',
  [`${USER}/pdf/assets/logo.png`]: PNG,
  [`${USER}/secret/SKILL.md`]: skillText({ description: 'Hidden.', 'disable-model-invocation': true }),
  [`${USER}/secret/plan.md`]: 'The plan.\n',
  [`${USER}/off/SKILL.md`]: skillText({ name: 'off', description: 'Disabled.' }),
  [`${USER}/off/plan.md`]: 'The plan.\n',
  'home/.agent/plan.md': 'The plan.\n',
};

async function open(tree: Tree = {}): Promise<{ readonly world: World; readonly gateway: Gateway }> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    ...PDF,
    ...tree,
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, gateway: createGateway(skills) };
}

const TABLES = {
  ok: true,
  resource: {
    skill: 'pdf',
    path: 'references/tables.md',
    url: 'skill://pdf/references/tables.md',
    contentType: 'text/markdown',
    size: 24,
  },
  content: '# Tables\n\nSeams\uFFFDless.\n',
};

describe('a skill’s file read with CTX', () => {
  test('is found by skill name and path, and shows invisible characters', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('!s pdf/references/tables.md')).toEqual(TABLES);
  });

  test('is found by any spelling of the skill’s name or title', async () => {
    const { gateway } = await open();
    for (const skill of ['PDF', 'PDF Forms', 'pdf forms'])
      expect(await gateway.handle(`!s "${skill}/references/tables.md"`)).toEqual(TABLES);
    expect(await gateway.handle('!s "pdf/references/two words.txt"')).toMatchObject({ content: 'Both.\n' });
  });

  test('may be the SKILL.md itself, with its frontmatter', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('!s pdf/SKILL.md')).toMatchObject({
      content: expect.stringMatching(/^---\nname: "pdf"/),
    });
  });

  test('comes as base64 with its type if it is not text', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('!s pdf/assets/logo.png')).toEqual({
      ok: true,
      resource: {
        skill: 'pdf',
        path: 'assets/logo.png',
        url: 'skill://pdf/assets/logo.png',
        contentType: 'image/png',
        size: PNG.length,
      },
      base64: PNG.toString('base64'),
    });
  });

  test('is found even if its name on disk is not normalized', async () => {
    const { gateway } = await open({ [`${USER}/pdf/references/re\u0301sume\u0301.md`]: 'CV.\n' });
    for (const name of ['r\u00E9sum\u00E9.md', 're\u0301sume\u0301.md'])
      expect(await gateway.handle(`!s pdf/references/${name}`)).toMatchObject({ ok: true, content: 'CV.\n' });
  });

  test('is returned in pages if it is long', async () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`).join('');
    const { gateway } = await open({ [`${USER}/pdf/long.txt`]: text });
    let [whole, statement] = ['', '!s pdf/long.txt'];
    for (let pages = 0; statement !== '' && pages < 10; pages += 1) {
      const answer = await gateway.handle(statement);
      if (!('resource' in answer) || answer.content === undefined) throw new Error(JSON.stringify(answer));
      expect(answer.content.length).toBeLessThanOrEqual(40_000);
      whole += answer.content;
      statement = answer.next === undefined ? '' : `!s pdf/long.txt offset=${answer.next}`;
    }
    expect(whole).toBe(text);
  });

  test('is refused if it is a large binary file, and says how to read it', async () => {
    const { gateway } = await open({ [`${USER}/pdf/big.bin`]: Buffer.alloc(80_000) });
    expect(await gateway.handle('!s pdf/big.bin')).toEqual({
      ok: false,
      code: 'PATH_REFUSED',
      message:
        'skill://pdf/big.bin (application/octet-stream, 80000 bytes) is a binary file that is too large to return as base64. ' +
        'Load the skill to learn its directory, and read the file there.',
    });
  });

  test('is answered with the existing files if it does not exist', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('!s pdf/references/table.md')).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      message: expect.stringContaining('references/tables.md'),
    });
  });

  test.each(['!s pdf offset=5', '!s pdf/assets/logo.png offset=5'])(
    'may have an offset only if it is text: %s',
    async (statement) => {
      const { gateway } = await open();
      expect(await gateway.handle(statement)).toEqual({
        ok: false,
        code: 'CTX_INVALID',
        message: 'offset is only for text files of a skill. Leave out `offset`.',
      });
    },
  );
});

describe('reading a file with CTX', () => {
  test.each(['secret', 'off', 'nothing', '.', '..'])('fails because "%s" is not a visible skill', async (name) => {
    const { gateway } = await open();
    const answer = await gateway.handle(`!s ${name}/plan.md`);
    expect(answer).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: `Unknown skill: ${name}. Available: pdf`,
      nearest: ['pdf'],
    });
  });

  test.each([
    'pdf/../secret/plan.md',
    'pdf/references/../../secret/plan.md',
    'pdf/../../plan.md',
    'pdf//etc/passwd',
    'pdf/./SKILL.md',
    'pdf/',
    String.raw`"pdf/..\\secret\\plan.md"`,
    'pdf/references',
    'pdf/link.md',
  ])('refuses %s', async (target) => {
    const { gateway, world } = await open();
    symlinkSync(join(world.root, 'home/.agent/plan.md'), join(world.root, USER, 'pdf/link.md'));
    const answer = await gateway.handle(`!s ${target}`);
    expect(answer).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(JSON.stringify(answer)).not.toContain('The plan');
  });

  test('finds no skill for an absolute path', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('!s /etc/passwd')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });

  test('is not possible with statements that write or run', async () => {
    const { world } = await open();
    await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
    const gateway = createGateway(skills, { write: 'user', run: true });
    for (const rest of ['-s pdf/SKILL.md', '~s pdf/SKILL.md "x"', '>s pdf/SKILL.md script=x'])
      expect(await gateway.handle(rest)).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });
});

describe('in CTX, a skill whose name contains slashes', () => {
  const named = (name: string, title: string): string => skillText({ name, description: 'D.' }, `# ${title}\n`);
  const tree: Tree = {
    [`${USER}/a/SKILL.md`]: named('a', 'A'),
    [`${USER}/a/b.md`]: 'of a\n',
    [`${USER}/a/b/c.md`]: 'of a, too\n',
    [`${USER}/nested/SKILL.md`]: named('a/b', 'Nested'),
    [`${USER}/nested/c.md`]: 'of a/b\n',
    [`${USER}/cicd/SKILL.md`]: named('cicd', 'CI/CD'),
    [`${USER}/cicd/x.md`]: 'of CI/CD\n',
    [`${USER}/decoy/SKILL.md`]: named('decoy', 'a/b.md'),
  };

  test('is loaded by its name, which wins over the path of a file of another skill', async () => {
    const { gateway } = await open(tree);
    expect(await gateway.handle('!s a/b')).toMatchObject({ skill: { name: 'Nested' } });
    expect(await gateway.handle('!s a/b/c.md')).toMatchObject({ resource: { path: 'c.md' }, content: 'of a/b\n' });
    expect(await gateway.handle('!s a')).toMatchObject({ skill: { name: 'A' } });
  });

  test('is loaded by its title, unless a file of another skill has that path', async () => {
    const { gateway } = await open(tree);
    expect(await gateway.handle('!s CI/CD')).toMatchObject({ skill: { id: 'cicd' } });
    expect(await gateway.handle('!s ci/cd/x.md')).toMatchObject({ resource: { skill: 'cicd' }, content: 'of CI/CD\n' });
    expect(await gateway.handle('!s a/b.md')).toMatchObject({ resource: { skill: 'a' }, content: 'of a\n' });
  });

  test('is looked up quickly even with thousands of slashes', async () => {
    const { gateway } = await open(tree);
    expect(await gateway.handle(`!s ${'a/'.repeat(32_000)}`)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(await gateway.handle(`!s ${'x/'.repeat(32_000)}`)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});
