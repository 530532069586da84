import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

const REQUESTS = [
  { query: 'merge two documents', gold: ['pdf'] },
  { query: 'fill\u001B[31m in this\nform', gold: ['pdf'] },
  { query: 'draw a horse', gold: ['paint'] },
];
const TRIGGERS = [
  { query: 'merge documents', should_trigger: true },
  { query: 'merge zebras', should_trigger: false },
  { query: 'write a letter', should_trigger: false },
];

function makeHome(): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Merge documents.' }),
    '.agents/skills/pdf/evals/triggers.json': JSON.stringify(TRIGGERS),
    '.agents/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill in any form.' }),
    '.agents/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write a letter.' }),
    'requests.jsonl': REQUESTS.map((one) => JSON.stringify(one)).join('\n'),
    'broken.jsonl': `${JSON.stringify(REQUESTS[0])}\n{"query": 1}\n`,
    'whose.json': '[{"query": "a", "should_trigger": true}]',
    'silent.json': JSON.stringify({ skill: 'pdf', should_not_trigger: ['write a letter'] }),
  });
}

const evaluate = (home: string, ...args: readonly string[]): Promise<CommandResult> =>
  skillplane(['eval', ...args], { home });
const json = (result: CommandResult): unknown => JSON.parse(result.stdout);

describe('eval', () => {
  test('of a new skill says that its file of requests is still empty', async () => {
    const home = makeTree();
    await skillplane(['new', 'my-skill'], { home });
    const file = join(home, '.agent/skills/my-skill/evals/evals.yaml');
    expect(await evaluate(home, 'my-skill')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `skillplane: ${file}: no requests in this file yet\n` +
        'Add some under should_trigger and should_not_trigger, or one a line: {"query": "fill in this form", "gold": ["pdf"]}\n',
    });
  });

  test('finds requests in the evals folder of a skill, in every supported format', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      ...Object.fromEntries(
        Object.entries({
          'a/evals/evals.json': JSON.stringify({
            skill_name: 'a',
            evals: [{ query: 'aardvark', should_trigger: true }],
          }),
          'b/evals/evals.json': JSON.stringify({
            schema_version: 1,
            evals: [{ prompt: 'badger', should_trigger: true }],
          }),
          'c/evals/queries.yaml': 'should_trigger: [camel]\nshould_not_trigger: [aardvark]\n',
          'd/evals/lines.jsonl': '{"query": "donkey", "gold": "d"}\n',
          'e/notes.md': 'no requests\n',
        }).map(([path, text]) => [`.agent/skills/${path}`, text]),
      ),
      ...Object.fromEntries(
        ['aardvark', 'badger', 'camel', 'donkey', 'emu'].map((animal) => [
          `.agent/skills/${animal.slice(0, 1)}/SKILL.md`,
          skillText({ name: animal.slice(0, 1), description: `Feeds an ${animal}.` }),
        ]),
      ),
    });
    const all = await evaluate(home, '*', '--min-hit1', '1', '--json');
    expect([all.code, json(all)]).toMatchObject([
      0,
      {
        ok: true,
        results: [
          { ranking: { hit1: 1 } },
          { ranking: { hit1: 1 } },
          { ranking: { hit1: 1 }, requests: 1 },
          { ranking: { hit1: 1 } },
          { ok: false, code: 'RESOURCE_NOT_FOUND' },
        ],
      },
    ]);
    const text = await evaluate(home, 'a', 'e');
    expect(text).toMatchObject({ code: 0, stderr: expect.stringContaining('no .jsonl, .json or .yaml file here') });
    expect(text.stdout).toContain(`${join(home, '.agent/skills/a')}\n1 request with a skill to find\n`);
    expect((await evaluate(home, 'e')).code).toBe(1);
  });

  test('prints figures, skills that ranked first instead, missing words and unknown names', async () => {
    expect(await evaluate(makeHome(), 'requests.jsonl')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        '3 requests with a skill to find',
        '  Hit@1      0.333',
        '  Recall@5   0.333',
        '  Recall@10  0.333',
        '  MRR        0.333',
        '  nDCG@10    0.333',
        '',
        'Where another skill came first',
        '  paint: nothing was found (1)',
        '      draw a horse',
        '  pdf: forms came first (1)',
        '      fill\\u{1b}[31m in this form',
        '',
        'Words that would have helped',
        '  pdf',
        '      fill, form, 31m',
        '',
        'Not found among the skills',
        '  paint (1)',
        '      no skill called "paint"; available: forms, mail, pdf',
        '',
      ].join('\n'),
    });
  });

  test('--suggest prints a diff to a pipe, and everything else to stderr', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      '.agents/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill out papers.' }),
      '.agents/skills/books/SKILL.md': skillText({ name: 'books', description: 'Find where a book belongs.' }),
      'requests.jsonl': ['where does this receipt belong', 'a receipt of yesterday']
        .map((query) => JSON.stringify({ query, gold: 'forms' }))
        .join('\n'),
    });
    const result = await evaluate(home, 'requests.jsonl', '--suggest');
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^--- a\/forms\/SKILL\.md\n\+\+\+ b\/forms\/SKILL\.md\n@@/);
    expect(result.stdout).toContain('Fill out papers. Keywords: receipt.');
    expect(result.stderr).toContain('forms: receipt\n  better: where does this receipt belong\n');
    expect(result.stderr).toContain('Hit@1 0.000 → 1.000');
    expect(json(await evaluate(home, 'requests.jsonl', '--suggest', '--json'))).toMatchObject({
      ok: true,
      suggestions: [{ skill: 'forms', words: ['receipt'] }],
      after: { hit1: 1 },
    });
    expect((await evaluate(home, 'requests.jsonl', '--suggest', '--compare', 'HEAD')).code).toBe(2);
  });

  test('says for one skill which requests trigger it, and which should not', async () => {
    const { stdout, code } = await evaluate(makeHome(), '.agents/skills/pdf', '--threshold', '0.0');
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        '',
        'Triggered: first, with a score of 0 or more',
        '  Precision  0.500',
        '  Recall     1.000',
        '  F1         0.667',
        '  1 of 1 that should be, 1 of 2 that should not',
        '',
        'Triggered, but should not be',
        '  pdf (1)',
        '      merge zebras',
        '',
      ].join('\n'),
    );
    expect((await evaluate(makeHome(), '.agents/skills/pdf', '--threshold', '1')).stdout).toContain(
      'First, but below the threshold\n  pdf (1)\n      merge documents\n',
    );
  });

  test('--json prints all results', async () => {
    const home = makeHome();
    expect(json(await evaluate(home, 'requests.jsonl', '--json'))).toEqual({
      ok: true,
      file: join(home, 'requests.jsonl'),
      requests: 3,
      ranking: { hit1: 1 / 3, recall5: 1 / 3, recall10: 1 / 3, mrr: 1 / 3, ndcg10: 1 / 3 },
      confusion: [
        { gold: ['paint'], count: 1, requests: ['draw a horse'] },
        { gold: ['pdf'], stolenBy: 'forms', count: 1, requests: [REQUESTS[1]?.query] },
      ],
      missingWords: [{ skill: 'pdf', words: ['fill', 'form', '31m'].map((word) => ({ word, count: 1 })) }],
      unknown: [{ name: 'paint', count: 1, message: 'no skill called "paint"; available: forms, mail, pdf' }],
      problems: [],
    });
    const silent = json(await evaluate(home, 'silent.json', '--json'));
    expect(silent).toMatchObject({ ok: true, requests: 0, trigger: { threshold: 0.3, trueNegatives: 1 } });
    expect(silent).not.toHaveProperty('ranking');
    expect(silent).not.toHaveProperty('trigger.precision');
  });

  test('--min-hit1 fails below its threshold', async () => {
    const home = makeHome();
    expect(await evaluate(home, 'requests.jsonl', '--min-hit1', '0.33')).toMatchObject({ code: 0, stderr: '' });
    expect(await evaluate(home, 'requests.jsonl', '--min-hit1', '0.34')).toMatchObject({
      code: 1,
      stdout: (await evaluate(home, 'requests.jsonl')).stdout,
      stderr: 'skillplane: Hit@1 is 0.333, less than the minimum of 0.34\n',
    });
    const refused = await evaluate(home, 'requests.jsonl', '--min-hit1', '1', '--json');
    expect(refused).toMatchObject({ code: 1, stderr: '' });
    expect(json(refused)).toMatchObject({
      ok: false,
      code: 'HIT1_BELOW_MINIMUM',
      message: 'Hit@1 is 0.333, less than the minimum of 1',
      requests: 3,
      ranking: { hit1: 1 / 3 },
      unknown: [{ name: 'paint' }],
    });
    expect((await evaluate(home, '.agents/skills/pdf', '--min-hit1', '1')).code).toBe(0);
    expect((await evaluate(home, 'silent.json', '--min-hit1', '0')).code).toBe(1);
  });

  test('reports unusable entries, and then passes no threshold', async () => {
    const home = makeHome();
    expect(await evaluate(home, 'broken.jsonl')).toMatchObject({
      code: 0,
      stderr: 'warning: broken.jsonl: line 2 has no "query" that is text\n',
    });
    expect(json(await evaluate(home, 'broken.jsonl', '--min-hit1', '0.5', '--json'))).toMatchObject({
      ok: false,
      code: 'PARSE_FAILED',
      message: '1 of the entries could not be used',
      ranking: { hit1: 1 },
      problems: [{ file: 'broken.jsonl', place: 'line 2' }],
    });
  });

  test('fits long lists, requests and names to the terminal', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      query: 'merge '.repeat(20),
      gold: `${at}-${'x'.repeat(60)}`,
    }));
    const home = makeTree({ 'many.jsonl': many.map((one) => JSON.stringify(one)).join('\n') });
    const { stdout } = await skillplane(['eval', 'many.jsonl'], { home, env: { COLUMNS: '40' } });
    const printed = stdout.split('\n');
    expect(printed.filter((line) => line.length > 40)).toEqual([]);
    expect(printed.filter((line) => line === '  and 2 more; --json lists all')).toHaveLength(2);
    expect(printed.filter((line) => line.includes('merge'))).toHaveLength(10);
  });

  test('treats wrong numbers as wrong usage and a missing file as a failure', async () => {
    const home = makeHome();
    for (const value of ['1.1', '-1', '', '.', '0x1']) {
      expect(await evaluate(home, 'requests.jsonl', `--min-hit1=${value}`)).toMatchObject({
        code: 2,
        stderr: `skillplane: --min-hit1 takes a number from 0 to 1, not "${value}"\n`,
      });
    }
    expect((await evaluate(home, 'requests.jsonl', '--threshold', '2')).code).toBe(2);
    expect(json(await evaluate(home, 'none.jsonl', '--json'))).toEqual({
      ok: false,
      code: 'RESOURCE_NOT_FOUND',
      message: `${join(home, 'none.jsonl')}: File not found`,
    });
    expect(await evaluate(home, 'silent.json', '--skill', 'x')).toMatchObject({ code: 1, stdout: '' });
  });

  test('points to the option that names a skill if a file names none', async () => {
    expect(await evaluate(makeHome(), 'whose.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('\nUse --skill to name the skill that all entries are about.\n'),
    });
  });
});
