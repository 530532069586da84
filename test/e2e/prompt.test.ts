import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

function makeHome(tree: Tree = {}): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    '.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill <forms> & more.' }, 'Use qpdf.\n'),
    '.agents/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write letters.' }),
    '.agents/skills/off/SKILL.md': skillText({ name: 'off', description: 'Is off.' }),
    '.agents/skills/secret/SKILL.md': skillText({
      name: 'secret',
      description: 'Hidden.',
      'disable-model-invocation': 'true',
    }),
    ...tree,
  });
}

describe('prompt', () => {
  test('prints the list of skills that a model may use', async () => {
    const home = makeHome();
    expect(await skillplane(['prompt'], { home })).toMatchObject({
      code: 0,
      stdout: [
        '<available_skills>',
        '<skill>',
        '<name>mail</name>',
        '<description>Write letters.</description>',
        `<location>${join(home, '.agents/skills/mail/SKILL.md')}</location>`,
        '</skill>',
        '<skill>',
        '<name>pdf</name>',
        '<description>Fill &lt;forms&gt; &amp; more.</description>',
        `<location>${join(home, '.agents/skills/pdf/SKILL.md')}</location>`,
        '</skill>',
        '</available_skills>',
        '',
      ].join('\n'),
    });
  });

  test('--json prints the tokens and the listed skills', async () => {
    const { stdout } = await skillplane(['prompt', '--format', 'markdown', '--json'], { home: makeHome() });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      tier: 'catalog',
      format: 'markdown',
      text: '## Available Skills\n\n- **mail**: Write letters\n- **pdf**: Fill &lt;forms> & more',
      tokens: expect.any(Number),
      budget: 4000,
      shown: ['mail', 'pdf'],
      shortened: [],
      named: [],
      omitted: [],
      lengths: { mail: 26, pdf: 34 },
      contextFiles: [],
    });
  });

  test('--context-files puts the AGENTS.md files before the list', async () => {
    const home = makeHome({ 'work/AGENTS.md': 'Use tabs.\n' });
    const cwd = join(home, 'work');
    const { stdout } = await skillplane(['prompt', '--context-files'], { home, cwd });
    expect(stdout).toMatch(/^<context_files>\n[^]*\nUse tabs\.\n[^]*<\/context_files>\n\n<available_skills>/);
    const { contextFiles } = JSON.parse(
      (await skillplane(['prompt', '--context-files', '--json'], { home, cwd })).stdout,
    ) as {
      readonly contextFiles: unknown;
    };
    expect(contextFiles).toEqual([{ path: join(cwd, 'AGENTS.md'), level: 'project', depth: 0 }]);
    expect((await skillplane(['prompt', '--context-files', '--format', 'json'], { home, cwd })).code).toBe(2);
  });

  test('stays within the budget, and counts the omitted skills', async () => {
    const many = Array.from({ length: 200 }, (_, at) => [
      `.agents/skills/skill-number-${at}/SKILL.md`,
      skillText({ description: `Does thing ${at} very well, and explains at length how it was done.` }),
    ]);
    const home = makeHome(Object.fromEntries(many));
    const { stdout } = await skillplane(['prompt', '--budget', '300', '--query', 'write letters', '--json'], { home });
    const shown = JSON.parse(stdout) as { tokens: number; shown: readonly string[]; omitted: readonly string[] };
    expect(shown.tokens).toBeLessThanOrEqual(300);
    expect(shown.shown).toContain('mail');
    expect(shown.shown.length + shown.omitted.length).toBe(202);
    expect(stdout).toContain(`… ${shown.omitted.length} more; find them with search_skills`);
  });

  test('--preload includes whole skills, or lists every unknown name', async () => {
    const home = makeHome();
    const { stdout } = await skillplane(['prompt', '--preload', 'pdf'], { home });
    expect(stdout).toMatch(
      /^These skills are loaded already: .*\n<preloaded_skills>\n<skill name="pdf">\n[\s\S]*Use qpdf\.[\s\S]*<\/preloaded_skills>\n$/,
    );
    expect(await skillplane(['prompt', '--preload', 'pdf,nope,secret'], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nope, secret.*mail, pdf|nope, secret.*pdf, mail/),
    });
  });

  test('--top lists the pinned and the last used skills', async () => {
    const home = makeHome({
      '.agents/skills/always/SKILL.md': skillText({ description: 'Pinned.', always_present: true }),
    });
    await skillplane(['load', 'pdf'], { home });
    const { stdout } = await skillplane(['prompt', '--top', '1', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      text: expect.stringMatching(
        /## Pinned skills[\s\S]*always[\s\S]*## Last used skills[\s\S]*pdf[\s\S]*1 more skill/,
      ),
      shown: ['always', 'pdf'],
      omitted: ['mail'],
    });
  });

  test.each([
    [['--format', 'yaml'], '--format takes xml, markdown, index, json, not "yaml"'],
    [['--budget', 'much'], '--budget takes a whole number, not "much"'],
    [['--top', '-1'], '--top takes a whole number, not "-1"'],
  ])('refuses wrong usage: %j', async (args, message) => {
    expect(await skillplane(['prompt', ...args], { home: makeHome() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
