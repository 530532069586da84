import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText, link } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { SkillContextProvider } from './context-provider.ts';

const PDF = skillText({ name: 'pdf', description: 'Fill "forms".' }, '# PDF\n\nUse qpdf.\n');
const SKILLS = 'home/.agent/skills';

async function open(tree = {}): Promise<{ readonly provider: SkillContextProvider; readonly dir: string }> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    ...tree,
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { provider: SkillContextProvider.over(skills), dir: join(world.root, SKILLS) };
}

const TREE = {
  [`${SKILLS}/pdf/SKILL.md`]: PDF,
  [`${SKILLS}/pdf/references/forms.md`]: '# Forms',
  [`${SKILLS}/pdf/references/deep/more.md`]: '# More',
  [`${SKILLS}/pdf/scripts/fill.py`]: 'print()',
  [`${SKILLS}/pdf/assets/logo.png`]: '\0png',
  [`${SKILLS}/pdf/references/out`]: link('/etc/passwd'),
  [`${SKILLS}/off/SKILL.md`]: skillText({ description: 'Off.' }),
  [`${SKILLS}/needy/SKILL.md`]: skillText({ description: 'Needs.', metadata: { requires: 'no-such-command' } }),
  [`${SKILLS}/secret/SKILL.md`]: skillText({ description: 'Hidden.', 'disable-model-invocation': 'true' }),
};

test('the context provider’s tier 1 lists the visible skills, and is empty without any', async () => {
  const { provider, dir } = await open(TREE);
  expect(provider.getTier1Context()).toBe(
    `<available_skills>\n<skill>\n<name>pdf</name>\n<description>Fill &quot;forms&quot;.</description>\n<location>${dir}/pdf/SKILL.md</location>\n</skill>\n</available_skills>`,
  );
  expect((await open()).provider.getTier1Context()).toBe('');
});

test('the context provider’s tier 1 leaves out no skill, however many there are', async () => {
  const many = Array.from({ length: 300 }, (_, at) => [
    `${SKILLS}/skill-${at}/SKILL.md`,
    skillText({ description: `Does ${at} things, ${'and explains them. '.repeat(20)}` }),
  ]);
  const { provider } = await open(Object.fromEntries(many));
  expect(provider.getTier1Context().match(/<description>[^<]{100,}<\/description>/g)).toHaveLength(300);
});

test('the context provider’s tier 2 is the whole SKILL.md', async () => {
  const { provider } = await open(TREE);
  expect(await provider.getTier2Context('pdf')).toBe(PDF);
});

test('the context provider’s tier 3 lists the files of one kind and returns one', async () => {
  const { provider } = await open(TREE);
  expect(await provider.getTier3ResourceList('pdf', 'references')).toEqual([
    'references/deep/more.md',
    'references/forms.md',
  ]);
  expect(await provider.getTier3ResourceList('pdf', 'scripts')).toEqual(['scripts/fill.py']);
  expect(await provider.getTier3Resource('pdf', 'references/forms.md')).toBe('# Forms');
  expect(await provider.getTier3Resource('pdf', 'assets/logo.png')).toBe(Buffer.from('\0png').toString('base64'));
});

test.each(['nope', 'off', 'needy', 'secret', '..', ''])(
  'the context provider returns nothing for the name %j',
  async (name) => {
    const { provider } = await open(TREE);
    expect(provider.getSkill(name)).toBeUndefined();
    expect(await provider.getTier2Context(name)).toBeNull();
    expect(await provider.getTier3ResourceList(name, 'assets')).toEqual([]);
    expect(await provider.getTier3Resource(name, 'SKILL.md')).toBeNull();
  },
);

test.each(['../../../etc/passwd', '/etc/passwd', 'references/out', 'references', '', 'gone.md'])(
  'the context provider reads no file for the path %j',
  async (path) => {
    const { provider } = await open(TREE);
    expect(await provider.getTier3Resource('pdf', path)).toBeNull();
  },
);

test('the context provider returns names and records of visible skills only', async () => {
  const { provider } = await open(TREE);
  expect(provider.getSkillNames()).toEqual(['pdf']);
  expect(provider.getSkill('PDF')).toMatchObject({ name: 'pdf', source: 'user' });
});
