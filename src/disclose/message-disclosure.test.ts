import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { matchTriggers } from '../select/triggers.ts';
import { discloseMessage, type MessageDisclosure, type MessageOptions } from './message-disclosure.ts';

/** Seed 002, "Manifest Format" and "Creating a Skill". */
const { skill: HELLO } = foundSkill('/skills/hello-extended', {
  description: 'Extended greeting capabilities',
  triggers: { keywords: ['hello', 'greet', 'greeting'], verbs: ['say', 'wave'], patterns: [String.raw`greet\s+\w+`] },
});
const { skill: MINE } = foundSkill('/skills/my-skill', {
  description: 'My custom skill',
  triggers: { keywords: ['my', 'custom'] },
});
const BODIES: Readonly<Record<string, string>> = {
  'hello-extended': '# Hello Extended Skill\n\nInstructions for using this skill...\n',
  'my-skill': '# My Skill\n\nInstructions for the LLM on how to use this skill.\n',
};

type Content = Awaited<ReturnType<MessageOptions['readInstructions']>>;

function contentOf(text: string | undefined): Content {
  return text === undefined ? undefined : { text };
}

function disclose(
  message: string,
  skills: readonly Skill[] = [HELLO, MINE],
  options: Partial<MessageOptions> = {},
): Promise<MessageDisclosure> {
  return discloseMessage(message, skills, {
    matches: matchTriggers(skills, message),
    readInstructions: (skill) => Promise.resolve(contentOf(BODIES[skill.name])),
    ...options,
  });
}

describe('disclosing skills for a message', () => {
  test('gives tier 3, full instructions with reasons, if triggers match', async () => {
    const text = `## Relevant Skill Documentation

<skill name="hello-extended">
Skill directory: /skills/hello-extended

# Hello Extended Skill

Instructions for using this skill...
</skill>`;
    expect(await disclose('please greet Bob')).toEqual({
      tier: 'instructions',
      why: 'the message matches triggers',
      text,
      tokens: Math.ceil(text.length / 4),
      skills: [
        {
          name: 'hello-extended',
          reasons: [
            { kind: 'keyword', detail: 'greet' },
            { kind: 'pattern', detail: String.raw`greet\s+\w+` },
          ],
        },
      ],
      named: [],
      unread: [],
      catalog: undefined,
    });
  });

  test('gives tier 2, names and brief descriptions, if the message asks for skills', async () => {
    const { tier, text, catalog, skills } = await disclose('what can you do?');
    expect(text).toBe(`## Available Skills

- **hello-extended**: Extended greeting capabilities
- **my-skill**: My custom skill`);
    expect([tier, catalog?.shown, skills]).toEqual(['catalog', ['hello-extended', 'my-skill'], []]);
  });

  test('gives tier 1, only the number of skills, if nothing matches', async () => {
    const { tier, text, tokens } = await disclose('fix the build');
    expect([tier, text, tokens]).toEqual(['breadcrumb', '[2 skills available]', 5]);
    expect((await disclose('fix the build', [HELLO, { ...MINE, hidden: true }])).text).toBe('[1 skills available]');
  });

  test('gives tier 0, no text, if there are no skills', async () => {
    const { tier, text, tokens } = await disclose('list skills', []);
    expect([tier, text, tokens]).toEqual(['none', '', 0]);
  });
});

describe('a message that matches nothing', () => {
  const named = (name: string, fields: Partial<Skill> = {}): Skill => ({
    ...foundSkill(`/skills/${name}`, { description: `Does ${name}.` }).skill,
    ...fields,
  });
  const SKILLS = [HELLO, { ...MINE, pinned: true }, named('zip'), named('secret', { hidden: true })];

  test('gets pinned skills and those without triggers, and the number of the rest', async () => {
    const { tier, text, catalog } = await disclose('fix the build', SKILLS);
    expect(text).toBe(`## Available Skills

- **my-skill**: My custom skill
- **zip**: Does zip

[1 more skill available]`);
    expect([tier, catalog?.shown, catalog?.omitted]).toEqual(['catalog', ['my-skill', 'zip'], ['hello-extended']]);
  });

  test('gets valid JSON if JSON is requested', async () => {
    const { text } = await disclose('fix the build', SKILLS, { format: 'json' });
    expect(JSON.parse(text)).toMatchObject({
      skills: [{ name: 'my-skill' }, { name: 'zip' }],
      note: '[1 more skill available]',
    });
  });

  test.each([undefined, (text: string) => Math.ceil(text.length / 3)])(
    'gets a list within its budget, with the tokenizer %s',
    async (countTokens) => {
      const many = [...SKILLS, ...Array.from({ length: 40 }, (_, at) => named(`skill-${at}`))];
      for (const budget of [0, 4, 5, 6, 10, 15, 20, 25, 40, 80, 160]) {
        // oxlint-disable-next-line no-await-in-loop -- one budget after the other
        const { tokens, catalog } = await disclose('fix the build', many, { budget, countTokens });
        expect(tokens).toBeLessThanOrEqual(budget);
        expect((catalog?.shown.length ?? 0) + (catalog?.omitted.length ?? 0)).toBe(43);
      }
      expect((await disclose('fix the build', many, { budget: 10, countTokens })).text).toBe('[43 skills available]');
      expect((await disclose('fix the build', many, { budget: 80, countTokens })).text).toMatch(
        /my-skill[^]*1 more skill available/,
      );
    },
  );
});

describe('a message that asks for all skills', () => {
  test('gets no note if all of them are shown', async () => {
    const { text } = await disclose('documentation of all skills');
    expect(text.split('\n\n').at(-1)).toBe('Instructions for the LLM on how to use this skill.\n</skill>');
    expect(text).toContain('</skill>\n\n<skill name="my-skill">\nSkill directory: /skills/my-skill\n\n# My Skill');
  });

  test('gets a note with the total if there are more than ten', async () => {
    const skills = Array.from({ length: 15 }, (_, at) => ({ ...HELLO, name: `s${at}` }));
    const readInstructions = (): Promise<Content> => Promise.resolve({ text: 'Text.' });
    const { text, skills: shown } = await disclose('documentation of all skills', skills, { readInstructions });
    expect(text.endsWith('\n\n*Showing 10 of 15 skills. Ask about specific skills for more details.*')).toBe(true);
    expect(shown.length).toBe(10);
  });
});

describe('instructions that cannot be read for a message', () => {
  const readMine = (skill: Skill): Promise<Content> =>
    Promise.resolve(contentOf(skill === MINE ? BODIES[MINE.name] : undefined));

  test('are reported, and the others are shown', async () => {
    const { tier, skills, unread, text } = await disclose('greet my friend', undefined, { readInstructions: readMine });
    expect([tier, skills.map(({ name }) => name), unread]).toEqual(['instructions', ['my-skill'], ['hello-extended']]);
    expect(text).not.toContain('hello-extended');
  });

  test('are counted in the note about all skills', async () => {
    const { text } = await disclose('documentation of all skills', undefined, { readInstructions: readMine });
    expect(text).toContain('*Showing 1 of 2 skills.');
  });

  test('give the result of a message that matches nothing if there are no others', async () => {
    const { tier, text, skills, unread } = await disclose('hello', undefined, { readInstructions: readMine });
    expect([tier, text, skills, unread]).toEqual(['breadcrumb', '[2 skills available]', [], ['hello-extended']]);
  });
});

test('a disclosure uses the caller’s format, budget and tokenizer', async () => {
  const { text, tokens } = await disclose('list skills', undefined, { format: 'xml', countTokens: () => 7 });
  expect(text).toMatch(/^<available_skills>\n<skill>\n<name>hello-extended<\/name>/);
  expect(tokens).toBe(7);
  const small = await disclose('list skills', undefined, { budget: 5 });
  expect([small.tier, small.text]).toEqual(['breadcrumb', '[2 skills available]']);
  expect((await disclose('fix it', [], { countTokens: () => 9 })).tokens).toBe(0);
  expect((await disclose('fix it', undefined, { countTokens: () => 9 })).tokens).toBe(9);
  expect((await disclose('hello', undefined, { countTokens: () => 11 })).tokens).toBe(11);
});

describe('the folder of a disclosed skill', () => {
  const readInstructions = (): Promise<Content> =>
    Promise.resolve({ text: 'See references/tables.md.', files: ['references/tables.md', 'scripts/a.sh'] });

  test('is shown before its instructions, with its files', async () => {
    const { text } = await disclose('hello', [HELLO], { readInstructions });
    expect(text).toContain(`<skill name="hello-extended">
Skill directory: /skills/hello-extended
Files: references/tables.md, scripts/a.sh

See references/tables.md.
</skill>`);
  });

  test('is a skill:// URL if paths are hidden, in lists as well', async () => {
    const { text } = await disclose('hello', [HELLO], { readInstructions, hidePaths: true });
    expect(text).toContain('\nSkill directory: skill://hello-extended/\nFiles: references/tables.md');
    const list = await disclose('list skills', [HELLO], { format: 'xml', hidePaths: true });
    expect(list.text).toContain('<location>skill://hello-extended</location>');
    expect(text + list.text).not.toContain('/skills/hello');
  });
});

describe('a budget for instructions', () => {
  const SKILLS = ['a', 'b', 'c'].map(
    (name) => foundSkill(`/skills/${name}`, { description: `Does ${name}.`, triggers: { keywords: ['form'] } }).skill,
  );
  const LENGTHS: Readonly<Record<string, number>> = { a: 400, b: 4_000, c: 40 };
  const readInstructions = ({ name }: Skill): Promise<Content> =>
    Promise.resolve({ text: 'x'.repeat(LENGTHS[name] ?? 0) });

  test('keeps whole skills in order while they fit, and names the others', async () => {
    const { tier, text, tokens, skills, named } = await disclose('a form', SKILLS, { readInstructions, budget: 200 });
    expect([tier, skills.map(({ name }) => name), named]).toEqual(['instructions', ['a'], ['b', 'c']]);
    expect(text).toMatch(
      /<\/skill>\n\nThere is no room here for: b, c\. Load a skill with `load_skill` before you use it\.$/,
    );
    expect(tokens).toBeLessThanOrEqual(200);
  });

  test('never truncates a skill and is never exceeded', async () => {
    const all = [0, 4, 5, 30, 60, 100, 150, 1_000, 1_300].map((budget) =>
      disclose('a form', SKILLS, { readInstructions, budget }).then((disclosed) => ({ ...disclosed, budget })),
    );
    for (const { tokens, budget, text } of await Promise.all(all)) {
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(text.match(/x+/g)?.every((run) => Object.values(LENGTHS).includes(run.length)) ?? true).toBe(true);
    }
    const tiers = (await Promise.all(all)).map(({ tier, skills }) => `${tier} ${skills.length}`);
    expect(tiers).toEqual([
      'none 0',
      'none 0',
      'breadcrumb 0',
      'instructions 0',
      'instructions 0',
      'instructions 0',
      'instructions 1',
      'instructions 1',
      'instructions 3',
    ]);
  });

  test('is 15,000 tokens by default, whatever the context window', async () => {
    const read = (): Promise<Content> => Promise.resolve({ text: 'x'.repeat(24_000) });
    const { skills, named } = await disclose('a form', SKILLS, { readInstructions: read, contextWindow: 100 });
    expect([skills.length, named]).toEqual([2, ['c']]);
  });
});
