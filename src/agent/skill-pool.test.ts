import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { discoverSkills, loadAll } from '../catalog/discover.ts';
import { openSkills } from '../engine/open-skills.ts';
import { fromFile } from '../sources/from-file.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { callTool } from './call-tool.ts';
import { MAX_PAGE_LENGTH } from './text-page.ts';
import { toAiSdkTool, toAnthropicTool, toOpenAiChatTool } from './tool-formats.ts';
import { listSkillsTool } from './tools/list-skills.ts';
import { loadSkillTool } from './tools/load-skill.ts';

const PDF = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, 'Use qpdf.\n');
const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  'home/.agent/skills/pdf/SKILL.md': PDF,
  'home/.agent/skills/pdf/references/tables.md': '# Tables\n',
  'home/.agent/skills/secret/SKILL.md': skillText({ description: 'Hidden.', 'disable-model-invocation': true }),
  'home/.agent/skills/broken/SKILL.md': '---\ndescription: &a Fill forms.\nmore: *a\n---\n',
  'project/.claude/skills/review/SKILL.md': skillText({ name: 'review', description: 'Review code.' }, 'Be kind.\n'),
};

function place({ project, home, env }: World): {
  readonly cwd: string;
  readonly home: string;
  readonly env: World['env'];
} {
  return { cwd: project, home, env };
}

test('list_skills and load_skill work over a plain list of skills as over an engine', async () => {
  const world = makeWorld(TREE);
  const { skills } = await discoverSkills({ ...place(world), includeUnavailable: true });
  await using engine = await openSkills(place(world));
  for (const pool of [skills, engine, engine.only(['pdf', 'review'])]) {
    const [list, load] = [listSkillsTool(pool), loadSkillTool(pool)];
    expect(await list.execute({})).toMatchObject({
      ok: true,
      output: '- **pdf**: Fill PDF forms.\n- **review**: Review code.',
    });
    expect(await load.execute({ name: 'PDF' })).toMatchObject({
      ok: true,
      output: `Skill directory: ${join(world.home, '.agent/skills/pdf')}\nFiles: references/tables.md\n\n${PDF}`,
    });
    expect(await load.execute({ name: 'review' })).toMatchObject({
      ok: true,
      output: expect.stringContaining('Be kind.'),
    });
    expect(await load.execute({ name: 'secret' })).toMatchObject({
      message: 'Unknown skill: secret. Available: review, pdf',
    });
  }
});

test('list_skills and load_skill use the first of several skills with the same name', async () => {
  const world = makeWorld({
    ...TREE,
    'project/a/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Of a.' }),
    'project/a/zip/SKILL.md': skillText({ name: 'zip', description: 'Pack files.' }),
  });
  const read = fromFile(join(world.home, '.agent/skills/pdf/SKILL.md'));
  if (!read.ok) throw new Error(read.message);
  const { skills: more } = await loadAll([join(world.project, 'a')], place(world));
  const pool = [read.skill, ...more];
  expect(await listSkillsTool(pool).execute({})).toMatchObject({
    output: '- **pdf**: Fill PDF forms.\n- **zip**: Pack files.',
  });
  expect(await loadSkillTool(pool).execute({ name: 'pdf' })).toMatchObject({
    output: expect.stringContaining('Use qpdf.'),
  });
  expect(await listSkillsTool([]).execute({})).toMatchObject({
    output: 'No skills available.',
    metadata: { count: 0 },
  });
  expect(await loadSkillTool([]).execute({ name: 'pdf' })).toMatchObject({
    ok: false,
    message: 'Unknown skill: pdf. Available: none',
  });
});

test('list_skills and load_skill over a list convert to every tool format', async () => {
  const { skills } = await discoverSkills(place(makeWorld(TREE)));
  const tools = [listSkillsTool(skills), loadSkillTool(skills)];
  const names = ['list_skills', 'load_skill'];
  expect(tools.map(toAnthropicTool).map(({ name }) => name)).toEqual(names);
  expect(tools.map(toOpenAiChatTool).map((tool) => tool.function.name)).toEqual(names);
  expect(tools.map(toAnthropicTool)[1]?.input_schema).toMatchObject({
    properties: { name: { enum: ['pdf', 'review'] } },
  });
  expect(await toAiSdkTool(loadSkillTool(skills)).execute({ name: 'pdf' })).toContain('Use qpdf.');
  expect(await callTool(tools, { name: 'load_skill', args: '{"name":"pdf"}' })).toMatchObject({ isError: false });
});

test('load_skill over a list names a file to read instead of a tool that is not there', async () => {
  const long = skillText({ description: 'Long.' }, 'x'.repeat(2 * MAX_PAGE_LENGTH));
  const world = makeWorld({ ...TREE, 'home/.agent/skills/long/SKILL.md': long });
  const { skills } = await discoverSkills(place(world));
  const file = join(world.home, '.agent/skills/long/SKILL.md');
  const load = loadSkillTool(skills, { ledger: new ActivationLedger() });
  expect(await load.execute({ name: 'long' })).toMatchObject({
    output: expect.stringContaining(`characters follow. The whole text is in ${file}.`),
  });
  expect(await load.execute({ name: 'long' })).toMatchObject({
    output: expect.stringMatching(new RegExp(`If they are no longer there, read ${file}\\.$`)),
  });
});

test('load_skill over a list does not follow a project folder that became a link out of the project', async () => {
  const world = makeWorld({ ...TREE, 'elsewhere/review/SKILL.md': skillText({ description: 'Other.' }) });
  const { skills } = await discoverSkills(place(world));
  const load = loadSkillTool(skills);
  const dir = join(world.project, '.claude/skills');
  renameSync(dir, `${dir}-old`);
  symlinkSync(join(world.root, 'elsewhere'), dir);
  expect(await load.execute({ name: 'review' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('no longer where it was'),
  });
});
