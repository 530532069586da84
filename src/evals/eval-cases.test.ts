import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { parseEvalCases, type EvalCase, type EvalCases } from './eval-cases.ts';

/** The same cases in every run: a failure here is a fault of the change at hand. */
const SEED = 20_261_115;

function parsed(text: string, skill?: string): EvalCases {
  const outcome = parseEvalCases(text, { skill });
  if (!outcome.ok) throw new Error(outcome.message);
  return { cases: outcome.cases, problems: outcome.problems };
}

/** Why there are no cases at all. */
function failure(text: string): string {
  const outcome = parseEvalCases(text);
  if (outcome.ok) throw new Error('there are cases');
  return `${outcome.code} ${outcome.message}`;
}

const find = (query: string, ...gold: readonly string[]): EvalCase => ({ kind: 'find', query, gold });
const trigger = (query: string, skill: string, shouldTrigger: boolean): EvalCase => {
  return { kind: 'trigger', query, skill, shouldTrigger };
};

describe('eval cases, one per line,', () => {
  test('name their skills in a list or as a single name', () => {
    const text = '{"query": "a", "gold": ["x", "y", "x"]}\n{"query": "b", "gold": " z "}\n';
    expect(parsed(text)).toEqual({ cases: [find('a', 'x', 'y'), find('b', 'z')], problems: [] });
  });

  test('may be a single line, and of any kind that an array may contain', () => {
    expect(parsed('{"query": "a", "gold": "x"}').cases).toEqual([find('a', 'x')]);
    expect(parsed('{"prompt": "a", "should_trigger": false}\n{"query": "b", "gold": "x"}', 'pdf').cases).toEqual([
      trigger('a', 'pdf', false),
      find('b', 'x'),
    ]);
  });

  test('may have a byte-order mark, CRLF and blank lines, and problems give the right line', () => {
    const { cases, problems } = parsed('\uFEFF{"query": "a", "gold": "x"}\r\n\r\n  \r\n{"query": 1, "gold": "x"}\r\n');
    expect(cases).toEqual([find('a', 'x')]);
    expect(problems).toEqual([{ place: 'line 4', message: 'has no "query" that is text' }]);
  });

  test('that cannot be used are reported with their line, and the others are used', () => {
    const lines = [
      '{"query": "a", "gold": "x"}',
      '{"query": "a", "gold"',
      '[1]',
      '{"query": "  ", "gold": "x"}',
      '{"query": "a", "gold": []}',
      '{"query": "a", "gold": ["x", 3]}',
      '{"query": "a"}',
      '{"query": "a", "should_trigger": true}',
      JSON.stringify({ query: 'a', gold: 'n'.repeat(257) }),
      JSON.stringify({ query: 'a', skill: 'n'.repeat(257), should_trigger: true }),
      JSON.stringify({ query: 'q'.repeat(64 * 1024 + 1), gold: 'x' }),
      '{"query": "last", "gold": "x"}',
    ];
    const { cases, problems } = parsed(lines.join('\n'));
    expect(cases).toEqual([find('a', 'x'), find('last', 'x')]);
    expect(problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
      'line 2 is not JSON',
      'line 3 is not a JSON object; write {"query": "fill in this form", "gold": ["pdf"]}',
      'line 4 has no "query" that is text',
      'line 5 has a "gold" that is neither a name nor a list of names',
      'line 6 has a "gold" that is neither a name nor a list of names',
      'line 7 says neither "gold" (the skills that serve it) nor "should_trigger" (true or false)',
      'line 8 does not say which skill it is about; add "skill_name"',
      'line 9 names a skill by more than 256 characters',
      'line 10 names a skill by more than 256 characters',
      'line 11 is longer than 65536 characters',
    ]);
  });

  test('may have queries and names up to the length limits', () => {
    const [query, name] = ['q'.repeat(64 * 1024), 'n'.repeat(256)];
    expect(parsed(JSON.stringify({ query, gold: name })).cases).toEqual([find(query, name)]);
    expect(parsed(JSON.stringify({ query: 'a', skill: name, should_trigger: true })).cases).toHaveLength(1);
  });
});

test('eval cases that name no skill fail and name the option `skill`', () => {
  const parsing = parseEvalCases('[{"query": "a", "should_trigger": true}]');
  expect(parsing).toMatchObject({
    ok: false,
    next: { give: 'skill', aim: 'name the skill that all entries are about' },
  });
});

describe('an evals file beside a skill:', () => {
  const triggers = [
    { id: 1, query: 'a', should_trigger: true, rationale: 'why' },
    { id: 2, prompt: 'b', should_trigger: false },
  ];

  test('an array is for the skill that the caller names', () => {
    const expected = { cases: [trigger('a', 'pdf', true), trigger('b', 'pdf', false)], problems: [] };
    expect(parsed(JSON.stringify(triggers), 'pdf')).toEqual(expected);
    expect(parsed(JSON.stringify(triggers, undefined, 2), 'pdf')).toEqual(expected);
  });

  test.each(['skill_name', 'skill'])(
    "an object names its skill in %s, but the caller's choice has precedence",
    (key) => {
      const text = JSON.stringify({ version: 1, notes: ['x'], [key]: 'pdf', cases: triggers });
      expect(parsed(text).cases).toEqual([trigger('a', 'pdf', true), trigger('b', 'pdf', false)]);
      expect(parsed(text, 'docx').cases).toEqual([trigger('a', 'docx', true), trigger('b', 'docx', false)]);
    },
  );

  test('every list of requests is read, whatever its key', () => {
    const text = JSON.stringify({
      skill_name: 'pdf',
      trigger_evals: [{ query: 'a', should_trigger: true }, 'text'],
      output_evals: [{ id: 1, prompt: 'b', expected_output: 'A file.', files: [] }],
      history: [{ score: 1 }],
    });
    expect(parsed(text)).toMatchObject({
      cases: [trigger('a', 'pdf', true), find('b', 'pdf')],
      problems: [{ place: 'trigger_evals 2' }],
    });
  });

  test.each(['expected_output', 'expectations', 'assertions'])(
    'a task with %s becomes a request that must find the skill',
    (key) => {
      expect(parsed(JSON.stringify([{ prompt: 'a', [key]: [] }]), 'pdf').cases).toEqual([find('a', 'pdf')]);
    },
  );

  test('the lists should_trigger and should_not_trigger contain requests', () => {
    const text = JSON.stringify({
      skill: 'pdf',
      should_trigger: ['a', { request: 'b', reason: 'why' }],
      should_not_trigger: ['c', 7],
    });
    expect(parsed(text)).toMatchObject({
      cases: [trigger('a', 'pdf', true), trigger('b', 'pdf', true), trigger('c', 'pdf', false)],
      problems: [{ place: 'should_not_trigger 2' }],
    });
  });

  test('an entry may name its own skill, which has precedence', () => {
    const entries = [
      { query: 'a', skill: 'x', should_trigger: false },
      { query: 'b', should_trigger: true, expected_skill: 'y' },
      { query: 'b', should_trigger: true, expected_skill: 'y', skill: 'x' },
      { query: 'c', should_trigger: false, expected_skill: 'y' },
      { query: 'd', should_trigger: 'z' },
      { query: 'e', should_trigger: 'true' },
      { query: 'f', should_trigger: 'false' },
    ];
    expect(parsed(JSON.stringify(entries), 'pdf').cases).toEqual([
      trigger('a', 'x', false),
      trigger('b', 'y', true),
      trigger('b', 'x', true),
      trigger('c', 'pdf', false),
      find('d', 'z'),
      trigger('e', 'pdf', true),
      trigger('f', 'pdf', false),
    ]);
  });

  test('an array may contain entries with gold', () => {
    expect(parsed('[{"query": "a", "gold": ["x"]}]').cases).toEqual([find('a', 'x')]);
  });
});

describe('an evals file in YAML', () => {
  const yaml = (text: string, skill?: string): unknown => parseEvalCases(text, { skill, format: 'yaml' });

  test('may have the same forms as in JSON', () => {
    expect(yaml('should_trigger:\n  - fill a form\nshould_not_trigger:\n  - "draw: a horse"\n', 'pdf')).toEqual({
      ok: true,
      cases: [trigger('fill a form', 'pdf', true), trigger('draw: a horse', 'pdf', false)],
      problems: [],
    });
    const listed = '- {query: a, gold: [x, y]}\n- query: b\n  skill: pdf\n  should_trigger: no\n- query: 5\n';
    expect(yaml(listed)).toMatchObject({
      ok: true,
      cases: [find('a', 'x', 'y'), trigger('b', 'pdf', false)],
      problems: [{ place: 'entry 3' }],
    });
    expect(yaml('skill_name: pdf\nevals:\n  - prompt: a\n    expected_output: b\n')).toMatchObject({
      cases: [find('a', 'pdf')],
    });
  });

  test('that is broken or too long fails with the line', () => {
    expect(yaml('should_trigger:\n  - "a\n')).toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringMatching(/^line \d+: /),
    });
    expect(yaml(`- query: ${'a'.repeat(1024 * 1024)}\n`)).toMatchObject({ code: 'PARSE_FAILED' });
    expect(yaml('')).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('an evals file without usable cases fails:', () => {
  test.each(['', ' \n\n', '[]', '{}', '3', 'null', '{"evals": []}', '{"evals": [[]]}'])(
    '%j has no requests',
    (text) => {
      expect(failure(text)).toBe('RESOURCE_NOT_FOUND no requests in this file yet');
    },
  );

  test('if no entry can be used, the first reasons are given', () => {
    const neither = 'says neither "gold" (the skills that serve it) nor "should_trigger" (true or false)';
    expect(failure('[{"query": "a"}]')).toBe(`PARSE_FAILED no entry can be used: entry 1 ${neither}`);
    expect(failure('x\n'.repeat(5))).toBe(
      'PARSE_FAILED no entry can be used: line 1 is not JSON; line 2 is not JSON; line 3 is not JSON; and 2 more',
    );
  });

  test.each([
    ['a comma too many', '[\n  {"query": "a"},\n]', 3],
    ['a comma too many in the middle', '[\n  {"query": "a",},\n  {"query": "b"}\n]', 2],
    ['a comma at the beginning', '[\n\n,\n\n\n{"query": "a"}]', 3],
    ['a key without quotes', '[\n  {query: "a"}\n]', 2],
    ['a missing comma', '{\n  "evals": [\n    {}\n    {}\n  ]\n}', 4],
    ['a file that breaks off', '[\n  {"query": "a"},\n  {"query": "b"},\n\n', 3],
  ])('%s is reported with its line', (_, text, line) => {
    expect(failure(text)).toMatch(new RegExp(`^PARSE_FAILED line ${line}: the JSON is broken: [^\\n]+$`));
  });
});

describe('parsing an evals file never throws:', () => {
  const hostile = [
    `{"query": "${'x'.repeat(1_000_000)}", "gold": "a"}\n{"query": "b", "gold": "a"}`,
    '{"__proto__": {"query": "a"}, "gold": "x"}\n{"query": "b", "gold": "__proto__"}',
    '[{"__proto__": null, "query": "a", "should_trigger": true, "skill": "constructor"}]',
    '{"__proto__": [{"query": "a", "gold": "x"}], "should_trigger": [{"__proto__": 1}, "b"], "skill": "toString"}',
    '{"query": "\\ud800 \\udfff", "gold": "\\ud800"}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    '['.repeat(100_000),
    '[[[{"query": "a", "gold": "x"}]]]',
    '{"query": 1e999, "gold": "x"}',
    '{"query": "a", "gold": "x"}\n{"query": "a", "gold": "x"}\n{"query": "a", "gold": "y"}',
    '\0',
  ];

  test.each(hostile.map((text) => [text.slice(0, 60), text]))('the text %j is accepted or refused', (_, text) => {
    expect(typeof parseEvalCases(text).ok).toBe('boolean');
  });

  test('special keys such as __proto__ are names like any other', () => {
    expect(parsed(hostile[1] ?? '').cases).toEqual([find('b', '__proto__')]);
    expect(parsed(hostile[3] ?? '').cases).toEqual([find('a', 'x'), trigger('b', 'toString', true)]);
  });

  test('duplicate requests all count', () => {
    expect(parsed(hostile[9] ?? '').cases).toHaveLength(3);
  });

  test('every entry of any JSON becomes a case or a problem', () => {
    const key = fc.constantFrom('query', 'prompt', 'gold', 'should_trigger', 'skill', 'expected_output', '__proto__');
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
    const entry = fc.oneof(
      { arbitrary: fc.array(fc.tuple(key, value)).map((pairs) => Object.fromEntries(pairs)), weight: 3 },
      fc.jsonValue({ maxDepth: 1 }),
    );
    const check = (entries: readonly unknown[]): void => {
      const outcome = parseEvalCases(JSON.stringify(entries), { skill: 'pdf' });
      if (!outcome.ok) return;
      expect(outcome.cases.length + outcome.problems.length).toBe(entries.length);
      const lines = ['{"query": 0}', ...entries.map((one) => JSON.stringify(one))];
      const byLine = parseEvalCases(lines.join('\n'), { skill: 'pdf' });
      expect(byLine).toMatchObject({ ok: true, cases: outcome.cases });
    };
    fc.assert(fc.property(fc.array(entry), check), { numRuns: propertyRuns(1_000), seed: SEED });
  });

  test('any text is accepted or refused', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(fc.json()).map((lines) => lines.join('\n')),
    );
    const check = (content: string): void => {
      expect(typeof parseEvalCases(content).ok).toBe('boolean');
    };
    fc.assert(fc.property(text, check), { numRuns: propertyRuns(1_000), seed: SEED });
  });
});
