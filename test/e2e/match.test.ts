import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

function makeHome(): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    '.agents/skills/ship/SKILL.md': skillText({
      name: 'ship',
      description: 'Ships services.',
      triggers: { verbs: ['deploy'], keywords: ['blue green'], patterns: ['v\\d+'] },
    }),
    '.agents/skills/python/SKILL.md': skillText({ name: 'python', description: 'Python code.', globs: ['*.py'] }),
    '.agents/skills/off/SKILL.md': skillText({ name: 'off', description: 'Is off.', triggers: { verbs: ['deploy'] } }),
    '.agents/skills/secret/SKILL.md': skillText({
      name: 'secret',
      description: 'Deploying in secret.',
      'disable-model-invocation': 'true',
      triggers: { verbs: ['deploy'] },
    }),
  });
}

describe('match', () => {
  test('prints the skills that a message activates, with the reasons', async () => {
    const args = ['match', 'we', 'are', 'deploying', 'Blue-Green', 'v2'];
    const { code, stdout, stderr } = await skillplane(args, { home: makeHome() });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The model gets the instructions: \d+ tokens \(the message matches triggers\)\.\n$/);
    expect(stdout).toMatch(
      /^ship\n {6}phrase: blue green\n {6}verb: deploy\n {6}pattern: v\\d\+\n {6}relevance: 0\.\d\d\n$/,
    );
  });

  test('--json prints names and reasons, without disabled and hidden skills', async () => {
    const { stdout } = await skillplane(['match', 'deploy it', '--json'], { home: makeHome() });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      tier: 'instructions',
      why: 'the message matches triggers',
      text: expect.stringContaining('<skill name="ship">'),
      tokens: expect.any(Number),
      matches: [
        {
          name: 'ship',
          score: expect.any(Number),
          confidence: expect.any(Number),
          reasons: [
            { kind: 'verb', detail: 'deploy' },
            { kind: 'relevance', detail: expect.stringMatching(/^0\.\d\d$/) },
          ],
        },
      ],
      skills: [expect.objectContaining({ name: 'ship' })],
      named: [],
      unread: [],
      suggestions: [],
    });
  });

  test('activates skills by globs for the paths of touched files', async () => {
    const { stdout } = await skillplane(['match', 'fix this', '--path', 'src/app.py'], { home: makeHome() });
    expect(stdout).toBe('python\n      glob: *.py: src/app.py\n');
  });

  test('says that a message activates nothing, and lists search results', async () => {
    expect(await skillplane(['match', 'some code please'], { home: makeHome() })).toMatchObject({
      code: 0,
      stdout: '',
      stderr:
        'The model gets the number of skills: 5 tokens (the message matches no trigger).\nA search finds python.\n',
    });
  });

  test('answers a question about abilities with the catalog', async () => {
    const { stdout } = await skillplane(['match', 'what can you do?', '--json'], { home: makeHome() });
    expect(JSON.parse(stdout)).toMatchObject({ tier: 'catalog', matches: [] });
  });

  test('records matches, but not as uses', async () => {
    const home = makeHome();
    await skillplane(['match', 'deploy'], { home });
    const { stdout } = await skillplane(['usage', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'ship', matched: 1, uses: 0 }] });
  });

  test('--budget limits the instructions, and lists the skills that are only named', async () => {
    const fields = { name: 'long', description: 'Is long.', triggers: { verbs: ['deploy'] } };
    const home = makeTree({ '.agents/skills/long/SKILL.md': skillText(fields, 'Use helm.\n'.repeat(20)) });
    expect((await skillplane(['match', 'deploy', '--budget', '36'], { home })).stderr).toMatch(
      /^The model gets the instructions: \d\d tokens .*\nListed by name only: long\.\n/,
    );
  });

  test('--max limits the results, and takes only a whole number', async () => {
    const home = makeHome();
    expect((await skillplane(['match', 'ship python', '--max', '1'], { home })).stdout.split('\n')[0]).toBe('ship');
    expect(await skillplane(['match', 'ship', '--max', 'many'], { home })).toMatchObject({ code: 2 });
  });
});
