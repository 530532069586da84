import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import * as agent from '../src/agent.ts';
import * as audit from '../src/audit.ts';
import * as root from '../src/index.ts';
import * as install from '../src/install.ts';
import { skillText } from './support/tree.ts';
import { makeWorld } from './support/world.ts';

/** Plain JavaScript: no types keep a program from these calls. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const lib: Loose = { ...root, ...agent, ...audit, ...install };

async function open(options: object = {}): Promise<Loose> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
  });
  const skills = await lib.openSkills({ cwd: world.project, home: world.home, env: world.env, ...options });
  onTestFinished(() => skills.close());
  return skills;
}

/** Each call, and the message that it throws. */
const CALLS: readonly (readonly [string, (skills: Loose) => unknown, string])[] = [
  ['openSkills', () => lib.openSkills({ dir: '/x' }), 'unknown option "dir"; did you mean "dirs"?'],
  ['openSkills', () => lib.openSkills({ dirs: '/x' }), 'dirs must be a list of directories, not "/x"'],
  ['openSkills', () => lib.openSkills('/x'), 'options must be an object, not "/x"'],
  [
    'openSkills',
    () => lib.openSkills({ config: { maxSkils: 3 } }),
    'config: unknown setting "maxSkils"; did you mean "maxSkills"?',
  ],
  ['openSkills', () => lib.openSkills({ config: { maxSkills: 'many' } }), 'config.maxSkills must be a whole number'],
  ['search', (s) => s.search({ querry: 'x' }), 'unknown option "querry"; did you mean "query"?'],
  ['search', (s) => s.search({}), 'query must have "query"'],
  ['search', (s) => s.search(), 'query must be an object, not undefined'],
  ['match', (s) => s.match({ message: 'x' }), 'message must be a string, not an object with message'],
  ['load', (s) => s.load({ name: 'pdf' }), 'name must be a string, not an object with name'],
  ['load', (s) => s.load('pdf', { includeDisable: true }), 'unknown option "includeDisable"'],
  [
    'prompt',
    (s) => s.prompt({ format: 'html' }),
    'format must be "xml" or "markdown" or "index" or "json", not "html"',
  ],
  ['disclose', (s) => s.disclosure.disclose('x', { budget: '1k' }), 'budget must be a number, not "1k"'],
  ['promptSection', (s) => s.disclosure.promptSection({ top: 3 }), 'unknown option "top"; did you mean "topN"?'],
  ['readResource', (s) => s.loader.readResource('pdf'), 'path must be a string, not undefined'],
  ['readResource', (s) => s.serving.readResource('pdf', 7), 'path must be a string, not 7'],
  ['run', (s) => s.scripts.run('pdf', 'a.sh', ['x']), 'options must be an object, not a list'],
  ['only', (s) => s.only({ names: 'pdf' }), 'selection must be names, globs or a function, not an object with names'],
  ['as', (s) => s.as('me'), 'agent must be an object, not "me"'],
  ['SkillStore.over', () => lib.SkillStore.over('/x'), 'dirs must be a list of directories or of skills, not "/x"'],
  ['SkillRegistry.over', () => lib.SkillRegistry.over({}), 'skills must be a list of skills, not an empty object'],
  ['SkillLoader.over', () => lib.SkillLoader.over(), 'skills must be a SkillStore or a list of skills, not undefined'],
  [
    'SkillContextProvider.over',
    () => lib.SkillContextProvider.over({ skills: [] }),
    'skills must be what `openSkills` gives, or a list of skills, not an object with skills',
  ],
  ['discoverSkills', () => lib.discoverSkills({ includeSkill: ['x'] }), 'unknown option "includeSkill"'],
  ['discoverSkillsFromDir', () => lib.discoverSkillsFromDir({ dir: '/x' }), 'options must have "source"'],
  ['loadAll', () => lib.loadAll('/x'), 'dirs must be a list of strings, not "/x"'],
  ['fromFile', () => lib.fromFile(), 'path must be a string, not undefined'],
  ['parseSkill', () => lib.parseSkill('# X'), 'options must be an object, not undefined'],
  [
    'systemPromptSection',
    () => lib.systemPromptSection({ skills: [], diagnostics: [] }),
    'skills must be a list of skills, not an object with skills, diagnostics',
  ],
  [
    'systemPromptSection',
    () => lib.systemPromptSection([lib.parseSkill('# X\n', { dir: '/x' }).skill]),
    'skills[0] must be a skill',
  ],
  ['forAgent', (s) => lib.forAgent(s, { preloaded: 'pdf' }), 'unknown option "preloaded"; did you mean "preload"?'],
  ['agentTools', (s) => lib.agentTools(s, { lists: true }), 'unknown option "lists"; did you mean "list"?'],
  ['listSkillsTool', () => lib.listSkillsTool('pdf'), 'skills must be what `openSkills` gives, or a list of skills'],
  ['loadSkillTool', (s) => lib.loadSkillTool(s, { ledger: true }), 'ledger must be an object, not true'],
  ['new SkillInstaller', () => new lib.SkillInstaller({ scope: 'me' }), 'scope must be "user" or "project", not "me"'],
  ['install', () => new lib.SkillInstaller().install('owner/repo'), 'request must be an object, not "owner/repo"'],
  ['update', () => new lib.SkillInstaller().update('pdf'), 'names must be a list of strings, not "pdf"'],
  ['remove', () => new lib.SkillInstaller().remove(['pdf']), 'name must be a string, not a list'],
  ['enable', () => lib.enable('pdf', { projet: true }), 'unknown option "projet"; did you mean "project"?'],
  ['auditSkills', () => lib.auditSkills(), 'target must be a string, not undefined'],
];

test.each(CALLS)('a wrong argument of %s says what was meant (%#)', async (name, call, message) => {
  const skills = await open();
  const error = await (async () => call(skills))().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TypeError);
  const text = error instanceof Error ? error.message : '';
  expect(text.startsWith(`${name}(`)).toBe(true);
  expect(text).toContain(message);
});

test('a method that returns a promise rejects it for a wrong argument instead of throwing at once', async () => {
  const skills = await open();
  for (const call of [
    () => skills.search(1),
    () => skills.load(1),
    () => skills.prompt(1),
    () => lib.openSkills(1),
    () => new lib.SkillInstaller().remove(1),
  ])
    await expect(call()).rejects.toThrow(TypeError);
});

test('search takes a text alone as its query', async () => {
  const skills = await open();
  expect(await skills.search('fill forms')).toEqual(await skills.search({ query: 'fill forms' }));
  expect(await skills.search('fill forms')).toMatchObject([{ name: 'pdf' }]);
});

test('a directory in dirs that does not exist is reported, and the others are read', async () => {
  const world = makeWorld({ 'more/zip/SKILL.md': skillText({ name: 'zip', description: 'Pack files.' }) });
  const [missing, more] = [join(world.root, 'nope'), join(world.root, 'more')];
  const skills = await open({ dirs: [missing, more] });
  expect(skills.catalog().skills).toMatchObject([{ name: 'zip' }]);
  expect(skills.catalog().diagnostics).toEqual([
    { code: 'SOURCE_UNREADABLE', severity: 'warning', path: missing, message: 'the folder does not exist' },
  ]);
});
