import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { SkillLoader } from '../activate/loader.ts';
import { discoverSkills, discoverSkillsFromDir, loadAll } from '../catalog/discover.ts';
import { SkillStore } from '../catalog/store.ts';
import { systemPromptSection } from '../disclose/system-prompt-section.ts';
import { openSkills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import { SkillRegistry } from '../select/registry.ts';
import { fromFile } from '../sources/from-file.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { agentTools } from './agent-tools.ts';
import { callTool } from './call-tool.ts';
import { SkillContextProvider } from './context-provider.ts';
import { forAgent } from './for-agent.ts';
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

/** Every way to get a list of skills. */
const PRODUCERS: Readonly<Record<string, (world: World) => Promise<readonly Skill[]>>> = {
  fromFile: async ({ home }) => [read(join(home, '.agent/skills/pdf/SKILL.md'))],
  loadAll: async (world) => (await loadAll([join(world.home, '.agent/skills')], place(world))).skills,
  discoverSkills: async (world) => (await discoverSkills(place(world))).skills,
  discoverSkillsFromDir: async (world) =>
    (await discoverSkillsFromDir({ ...place(world), dir: join(world.home, '.agent/skills'), source: 'mine' })).skills,
  catalog: async (world) => {
    await using engine = await openSkills(place(world));
    return engine.catalog().skills;
  },
};

/** Everything that takes a list of skills, and what it makes of the skill `pdf`. */
const CONSUMERS: Readonly<Record<string, (skills: readonly Skill[]) => unknown>> = {
  systemPromptSection: (skills) => systemPromptSection(skills),
  'SkillRegistry.over': (skills) => SkillRegistry.over(skills).search('fill pdf forms')[0]?.description,
  'SkillLoader.over': async (skills) => {
    const loader = SkillLoader.over(skills);
    const [loaded, file] = [await loader.load('pdf'), loader.readResource('pdf', 'references/tables.md')];
    return loaded.ok && file.ok ? `${loaded.skill.description} ${loaded.body} ${file.text}` : [loaded, file];
  },
  'SkillStore.over': (skills) => SkillStore.over(skills).find('pdf'),
  'SkillContextProvider.over': async (skills) => {
    const provider = SkillContextProvider.over(skills);
    const tiers = [provider.getTier1Context(), await provider.getTier2Context('pdf')];
    return [...tiers, await provider.getTier3ResourceList('pdf', 'references')].join('\n');
  },
  listSkillsTool: (skills) => listSkillsTool(skills).execute({}),
  loadSkillTool: (skills) => loadSkillTool(skills).execute({ name: 'pdf' }),
  agentTools: (skills) => callTool(agentTools(skills), { name: 'search_skills', args: { query: 'pdf' } }),
  forAgent: async (skills) => {
    const start = await forAgent(skills, { preload: 'pdf' });
    const loaded = start.ok ? await start.skills.load('pdf') : start;
    return start.ok && loaded.ok ? `${start.system} ${loaded.body}` : start;
  },
};

function read(file: string): Skill {
  const outcome = fromFile(file);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.skill;
}

for (const [producer, produce] of Object.entries(PRODUCERS))
  for (const [consumer, consume] of Object.entries(CONSUMERS))
    test(`${consumer} takes the skills that ${producer} gives`, async () => {
      const world = makeWorld(TREE);
      const made = JSON.stringify(await consume(await produce(world)));
      expect(made).toMatch(/Fill PDF forms\.|Use qpdf\./);
    });

test('skills of different producers make one list', async () => {
  const world = makeWorld({ ...TREE, 'more/zip/SKILL.md': skillText({ name: 'zip', description: 'Pack files.' }) });
  const { skills } = await discoverSkills(place(world));
  const list = [read(join(world.root, 'more/zip/SKILL.md')), ...skills];
  expect(SkillRegistry.over(list).search('pack files')[0]?.name).toBe('zip');
  expect(await SkillLoader.over(list).load('review')).toMatchObject({ ok: true, body: 'Be kind.' });
  expect(await forAgent(list, { skills: ['zip', 'pdf'] })).toMatchObject({
    ok: true,
    system: expect.stringMatching(/(?=[^]*pdf)[^]*zip/),
  });
});

test('a list of skills leaves no history of use behind', async () => {
  const world = makeWorld(TREE);
  vi.stubEnv('HOME', world.home);
  const [skill] = [read(join(world.home, '.agent/skills/pdf/SKILL.md'))];
  await loadSkillTool([skill]).execute({ name: 'pdf' });
  await SkillContextProvider.over([skill]).getTier2Context('pdf');
  expect(readdirSync(join(world.home, '.agent')).filter((name) => name.endsWith('.db'))).toEqual([]);
});

test('list_skills and load_skill work over a plain list of skills as over an engine', async () => {
  const world = makeWorld(TREE);
  const { skills } = await discoverSkills({ ...place(world), includeUnavailable: true });
  await using engine = await openSkills(place(world));
  for (const pool of [skills, engine, engine.only(['pdf', 'review'])]) {
    const [list, load] = [listSkillsTool(pool), loadSkillTool(pool)];
    expect(await list.execute({})).toMatchObject({
      ok: true,
      output: expect.stringMatching(/^- pdf: Fill PDF forms\.\n- review: Review code\.\nLoad the one /),
    });
    expect(await load.execute({ name: 'PDF' })).toMatchObject({
      ok: true,
      output: expect.stringMatching(
        /^<skill name="pdf">\nSkill directory: .*pdf\nFiles: references\/tables\.md\n\n[^]*Use qpdf\.\n<\/skill>\nFollow these instructions now\.$/,
      ),
    });
    expect(await load.execute({ name: 'review' })).toMatchObject({
      ok: true,
      output: expect.stringContaining('Be kind.'),
    });
    expect(await load.execute({ name: 'secret' })).toMatchObject({
      message: 'There is no skill "secret". Go on without a skill.',
    });
  }
});

test('list_skills and load_skill use the first of several skills with the same name', async () => {
  const world = makeWorld({
    ...TREE,
    'project/a/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Of a.' }),
    'project/a/zip/SKILL.md': skillText({ name: 'zip', description: 'Pack files.' }),
  });
  const { skills: more } = await loadAll([join(world.project, 'a')], place(world));
  const pool = [read(join(world.home, '.agent/skills/pdf/SKILL.md')), ...more];
  expect(await listSkillsTool(pool).execute({})).toMatchObject({
    output: expect.stringMatching(/^- pdf: Fill PDF forms\.\n- zip: Pack files\.\nLoad the one /),
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
    message: 'There is no skill "pdf". Go on without a skill.',
  });
});

test('list_skills and load_skill over a list convert to every tool format', async () => {
  const { skills } = await discoverSkills(place(makeWorld(TREE)));
  const tools = [listSkillsTool(skills), loadSkillTool(skills)];
  const names = ['list_skills', 'load_skill'];
  expect(tools.map(toAnthropicTool).map(({ name }) => name)).toEqual(names);
  expect(tools.map(toOpenAiChatTool).map((tool) => tool.function.name)).toEqual(names);
  expect(tools.map(toAnthropicTool)[1]?.input_schema).toMatchObject({ required: ['name'] });
  const loaded = await toAiSdkTool(loadSkillTool(skills)).execute({ name: 'pdf' });
  expect(loaded.output).toContain('Use qpdf.');
  expect(await callTool(tools, { name: 'load_skill', args: '{"name":"pdf"}' })).toMatchObject({ isError: false });
});

test('load_skill over a list names a file to read instead of a tool that is not there', async () => {
  const long = skillText({ description: 'Long.' }, 'x'.repeat(2 * MAX_PAGE_LENGTH));
  const world = makeWorld({ ...TREE, 'home/.agent/skills/long/SKILL.md': long });
  const { skills } = await discoverSkills(place(world));
  const file = join(world.home, '.agent/skills/long/SKILL.md');
  const load = loadSkillTool(skills, { ledger: new ActivationLedger() });
  expect(await load.execute({ name: 'long' })).toMatchObject({
    output: expect.stringContaining(`). The whole text is in ${file}.`),
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
    message: expect.stringContaining('is now a link to a place outside its source'),
  });
});
