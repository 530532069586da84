import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { deadName, deadToken } from '../../../test/support/locks.ts';
import { link, skillText, writeTree, type Tree } from '../../../test/support/tree.ts';
import { makeWorld, type World } from '../../../test/support/world.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { validateSkill } from '../../author/validate.ts';
import { openSkills, type Skills } from '../../engine/open-skills.ts';
import type { Outcome } from '../../model/outcome.ts';
import { agentTools } from '../agent-tools.ts';
import { writeSkillTool } from './write-skill.ts';

const NO_BUNDLED = 'skills:\n  disabledSources: [bundled]\n';

interface Opened {
  readonly world: World;
  readonly skills: Skills;
  readonly write: (args: unknown) => Promise<Outcome<ToolResult>>;
  readonly textOf: (name: string) => string;
}

async function open(tree: Tree = {}): Promise<Opened> {
  const world = makeWorld({ 'home/.agent/config.yaml': NO_BUNDLED, ...tree });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  const textOf = (name: string): string => readFileSync(join(world.home, '.agent/skills', name, 'SKILL.md'), 'utf8');
  return { world, skills, write: (args) => writeSkillTool(skills).execute(args), textOf };
}

const FIRST = { name: 'release', description: 'Publish: a release.', content: '# Release\n\nTag, then push.' };

describe('write_skill', () => {
  test('creates a skill, then updates it, and reports which it did', async () => {
    const { skills, write, textOf, world } = await open();
    expect(await write(FIRST)).toMatchObject({ ok: true, output: 'create_skill:release' });
    expect(textOf('release')).toBe(
      '---\nname: release\ndescription: "Publish: a release."\ncreator: agent\n---\n\n# Release\n\nTag, then push.\n',
    );
    expect(validateSkill(join(world.home, '.agent/skills/release'))).toMatchObject({ ok: true, warnings: [] });
    expect(skills.find('release')).toMatchObject({ skill: { creator: 'agent', pinned: false } });
    expect(await write({ ...FIRST, description: 'New.', content: 'Other.' })).toMatchObject({
      ok: true,
      output: 'update_skill:release',
    });
    expect(textOf('release')).toBe('---\nname: release\ndescription: New.\ncreator: agent\n---\n\nOther.\n');
  });

  test('keeps the fields that a person added to an agent-written skill', async () => {
    const text = '---\nname: release\ndescription: x\ncreator: agent\nalways_present: true # mine\nx: y\n---\n\nOld.\n';
    const { write, textOf } = await open({ 'home/.agent/skills/release/SKILL.md': text });
    expect(await write(FIRST)).toMatchObject({ output: 'update_skill:release' });
    expect(textOf('release')).toBe(
      text.replace('description: x', 'description: "Publish: a release."').replace('Old.', FIRST.content),
    );
  });

  test('does not change a skill that no agent wrote, wherever it is', async () => {
    const mine = skillText({ name: 'release', description: 'Mine.' });
    for (const path of ['home/.agent/skills/release/SKILL.md', 'home/.claude/skills/release/SKILL.md']) {
      const { write, world } = await open({ [path]: mine });
      expect(await write(FIRST)).toMatchObject({
        ok: false,
        code: 'ALREADY_EXISTS',
        message: `the name "release" is taken by ${join(world.root, path)}, which was not written by an agent. Use \`name\` to choose another.`,
      });
      expect(readFileSync(join(world.root, path), 'utf8')).toBe(mine);
    }
  });

  test('updates an agent-written skill in another folder of the user in place', async () => {
    const path = 'home/.claude/skills/release/SKILL.md';
    const { write, world, skills } = await open({
      [path]: skillText({ name: 'release', description: 'Old.', creator: 'agent' }),
    });
    expect(await write(FIRST)).toMatchObject({
      ok: true,
      metadata: { path: join(world.root, path), action: 'updated' },
    });
    expect(readFileSync(join(world.root, path), 'utf8')).toContain(FIRST.content);
    expect(skills.catalog().shadowed).toEqual([]);
    expect(await skills.writing.remove('release')).toMatchObject({ ok: true, path: expect.any(String) });
  });

  test('does not change a project’s skill that claims to be agent-written, and says why', async () => {
    const path = 'project/.agent/skills/release/SKILL.md';
    const { write, world } = await open({
      [path]: skillText({ name: 'release', description: 'Theirs.', creator: 'agent' }),
    });
    expect(await write(FIRST)).toMatchObject({
      ok: false,
      code: 'ALREADY_EXISTS',
      message: `the name "release" is taken by ${join(world.root, path)}, which is installed or part of a project. Use \`name\` to choose another.`,
    });
  });

  test('updates a skill by its name even if its folder has another name', async () => {
    const text = '---\nname: release\ndescription: x\ncreator: agent\n---\n';
    const { write, textOf, skills } = await open({ 'home/.agent/skills/old-name/SKILL.md': text });
    expect(await write(FIRST)).toMatchObject({ output: 'update_skill:old-name' });
    expect(textOf('old-name')).toContain('name: release\n');
    expect(skills.copies()).toHaveLength(1);
  });

  test('removes line breaks and invisible characters from descriptions', async () => {
    const { write, skills } = await open();
    await write({ ...FIRST, description: ' One\r\nline\u0000,\u001B[31m no\u202E \u2028more\u{E0041} 👨‍👩‍👧. ' });
    expect(skills.find('release')).toMatchObject({ skill: { description: 'One line , [31m no more 👨‍👩‍👧.' } });
  });

  test.for([
    ['a bad name', { ...FIRST, name: '../../x' }, 'INVALID_NAME'],
    ['no content', { ...FIRST, content: ' \n' }, 'SKILL_INVALID'],
    ['no description', { ...FIRST, description: '\n' }, 'SKILL_INVALID'],
    ['more than 64 KiB', { ...FIRST, content: 'x'.repeat(64 * 1024) }, 'SKILL_INVALID'],
    ['too long a description', { ...FIRST, description: 'x'.repeat(1025) }, 'SKILL_INVALID'],
    ['hidden text', { ...FIRST, content: 'a\u{E0041}' }, 'SKILL_INVALID'],
    ['a missing argument', { name: 'x', content: 'y' }, 'TOOLSET_FAILED'],
  ] as const)('refuses %s', async ([, args, code]) => {
    const { write, world } = await open();
    expect(await write(args)).toMatchObject({ ok: false, code });
    expect(existsSync(join(world.home, '.agent/skills/release'))).toBe(false);
  });
});

describe('frontmatter in the content given to write_skill', () => {
  test('is removed, keeping tags and version and reporting other fields as ignored', async () => {
    const { write, textOf } = await open();
    const content = `---
name: another
description: Another.
tags: [git, release]
version: 1.2
always_present: true
allowed-tools: Bash(*)
creator: me
---

# Release
`;
    expect(await write({ ...FIRST, content })).toMatchObject({
      ok: true,
      output:
        'create_skill:release\nThe content began with frontmatter. These fields of it were ignored: allowed-tools, always_present, creator',
    });
    expect(textOf('release')).toBe(
      '---\nname: release\ndescription: "Publish: a release."\nversion: "1.2"\ntags: [git, release]\ncreator: agent\n---\n\n# Release\n',
    );
  });

  test('is only recognized if it has a name or a description', async () => {
    const { write, skills } = await open();
    const content = '---\nsteps: two\n---\n\nText.';
    await write({ ...FIRST, content });
    expect(await skills.loader.load('release')).toMatchObject({ body: content });
  });
});

describe('the folder that write_skill writes to', () => {
  const CONFIG = `${NO_BUNDLED}  agentSkillsDir: ~/learned\n`;

  test('is set by the user and is a source of its own', async () => {
    const { write, skills, world } = await open({ 'home/.agent/config.yaml': CONFIG });
    expect(await write(FIRST)).toMatchObject({ output: 'create_skill:release' });
    expect(skills.find('release')).toMatchObject({
      skill: { source: 'agent-written', file: join(world.home, 'learned/release/SKILL.md') },
    });
    expect(await skills.writing.remove('release')).toMatchObject({ ok: true });
  });

  test('may be a link to the user’s own skill folder', async () => {
    const config = `${NO_BUNDLED}  agentSkillsDir: ~/same\n`;
    const { write } = await open({
      'home/.agent/config.yaml': config,
      'home/.agent/skills/': '',
      'home/same': link('.agent/skills'),
    });
    expect(await write(FIRST)).toMatchObject({ output: 'create_skill:release' });
    expect(await write(FIRST)).toMatchObject({ output: 'update_skill:release' });
  });

  test('cannot be set by a project', async () => {
    const { write, world } = await open({ 'project/.agent/config.yaml': 'skills:\n  agentSkillsDir: ./here\n' });
    expect(await write(FIRST)).toMatchObject({ ok: true });
    expect(existsSync(join(world.project, 'here'))).toBe(false);
    expect(existsSync(join(world.home, '.agent/skills/release'))).toBe(true);
  });

  test('is not written to if its source is turned off', async () => {
    const config = `skills:\n  disabledSources: [bundled, agent-written]\n  agentSkillsDir: ~/learned\n`;
    const { write, world } = await open({ 'home/.agent/config.yaml': config });
    expect(await write(FIRST)).toMatchObject({ ok: false, message: expect.stringContaining('turned off') });
    expect(existsSync(join(world.home, 'learned'))).toBe(false);
  });
});

describe('an agent that may write skills', () => {
  test('gets write_skill, even if there are no skills yet', async () => {
    const { skills } = await open();
    const namesOf = (): readonly string[] => agentTools(skills, { list: true, write: true }).map(({ name }) => name);
    expect(namesOf()).toEqual(['list_skills', 'write_skill']);
    await skills.writing.putByAgent({ name: 'a', description: 'x', body: 'y' });
    expect(namesOf()).toEqual(['list_skills', 'load_skill', 'search_skills', 'read_skill_resource', 'write_skill']);
    expect(agentTools(skills, { list: true }).map(({ name }) => name)).not.toContain('write_skill');
  });

  test('can list only the agent-written skills', async () => {
    const { skills } = await open({
      'home/.agent/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'x' }),
      'home/.agent/skills/its/SKILL.md': skillText({ name: 'its', description: 'y', creator: 'agent' }),
    });
    const [list] = agentTools(skills, { list: true, write: true });
    expect(await list?.execute({})).toMatchObject({ metadata: { count: 2 } });
    const own = await list?.execute({ by_agents: true });
    expect(own).toMatchObject({ ok: true, metadata: { count: 1 }, output: expect.stringContaining('its') });
    expect(agentTools(skills, { list: true })[0]?.schema()).toMatchObject({ properties: {} });
  });
});

describe('several agents writing skills at once', () => {
  const CODE = `
    import { openSkills } from ${JSON.stringify(sourceUrl('engine/open-skills.ts'))};
    import { writeSkillTool } from ${JSON.stringify(sourceUrl('agent/tools/write-skill.ts'))};
    const [home, cwd, agent] = process.argv.slice(1);
    const skills = await openSkills({ home, cwd, env: { HOME: home } });
    const said = [];
    for (let round = 0; round < 10; round += 1) {
      const content = (agent + round + '\\n').repeat(2_000);
      const written = await writeSkillTool(skills).execute({ name: 'shared', description: agent + round, content });
      said.push(written.ok ? written.output : written.message);
      await skills.writing.update('shared', agent === 'a' ? { domain: 'a' + round } : { version: 'b' + round });
      await writeSkillTool(skills).execute({ name: agent + round, description: 'x', content: 'y' });
    }
    console.log(JSON.stringify(said));
    await skills[Symbol.asyncDispose]();`;

  test('take turns on the same skill, and no write is torn or lost', async () => {
    const { world, textOf, skills } = await open();
    const run = (agent: string): Promise<unknown> => runModule(CODE, [world.home, world.project, agent]);
    const said = (await Promise.all([run('a'), run('b')])).flat();
    expect(said.map(String).sort()).toEqual([
      'create_skill:shared',
      ...Array.from({ length: 19 }, () => 'update_skill:shared'),
    ]);
    const text = textOf('shared');
    const last = /^description: (\w+)$/m.exec(text)?.[1] ?? '';
    expect(text).toContain(`\n---\n\n${`${last}\n`.repeat(2_000)}`);
    // Neither's writings undid the last change of the other.
    expect(text).toContain('domain: a9\n');
    expect(text).toContain('version: b9\n');
    await skills.refresh();
    expect(skills.copies()).toHaveLength(21);
  });

  test('clean up what a killed writer left behind', async () => {
    const { world, write, textOf } = await open();
    const half = `.skillplane-${deadName()}.tmp`;
    writeTree(world.home, {
      [`.agent/skills/${half}/SKILL.md`]: 'half',
      '.agent/skills/.skillplane-writing.lock': await deadToken(),
    });
    expect(await write(FIRST)).toMatchObject({ output: 'create_skill:release' });
    expect(textOf('release')).toContain('Tag, then push.');
    for (const name of [half, '.skillplane-writing.lock'])
      expect(existsSync(join(world.home, '.agent/skills', name))).toBe(false);
  });
});
