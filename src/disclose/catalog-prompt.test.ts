import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { discloseCatalog, type CatalogDisclosure } from './catalog-prompt.ts';

function make(name: string, given: Partial<Skill> = {}): Skill {
  return { ...foundSkill(`/skills/${name}`, { description: `Does ${name}.` }).skill, ...given };
}

/** `count` skills with descriptions of several clauses, 160 characters each. */
function many(count: number): readonly Skill[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `skill-${String(at).padStart(3, '0')}`;
    const description = `First clause of ${name}. Second one, with a pause, and still more; then the end of what it says, which no one needs to read to the last of its words, really not at all`;
    return make(name, { description, brief: `First clause of ${name}` });
  });
}

describe('a skill list within its budget', () => {
  test('shows every skill in full, sorted by name, with its token count', () => {
    const disclosure = discloseCatalog([make('b'), make('a')], { format: 'xml' });
    expect(disclosure).toEqual({
      tier: 'catalog',
      format: 'xml',
      text: `<available_skills>
<skill>
<name>a</name>
<description>Does a.</description>
<location>/skills/a/SKILL.md</location>
</skill>
<skill>
<name>b</name>
<description>Does b.</description>
<location>/skills/b/SKILL.md</location>
</skill>
</available_skills>`,
      tokens: 63,
      budget: 4_000,
      shown: ['a', 'b'],
      shortened: [],
      named: [],
      omitted: [],
      lengths: { a: 107, b: 107 },
    });
  });

  test.each(['xml', 'markdown', 'index', 'json'] as const)(
    'is empty in the format %s if no skill is visible',
    (format) => {
      const hidden = [
        make('a', { status: 'disabled' }),
        make('b', { status: 'unavailable' }),
        make('c', { hidden: true, pinned: true }),
      ];
      const { tier, text, tokens, omitted } = discloseCatalog(hidden, { format });
      expect({ tier, text, tokens, omitted }).toEqual({ tier: 'none', text: '', tokens: 0, omitted: [] });
    },
  );

  test('uses brief descriptions in Markdown', () => {
    const { text } = discloseCatalog(many(1), { format: 'markdown' });
    expect(text).toBe('## Available Skills\n\n- **skill-000**: First clause of skill-000');
  });

  test('uses the brief line if there is no description', () => {
    const { text } = discloseCatalog([make('a', { description: '', brief: 'What the text says' })], {
      guide: false,
    });
    expect(text).toBe('## Skills\n\n- a: What the text says');
  });

  test('truncates names and descriptions beyond the specification’s limits', () => {
    const long = make('a', { name: 'n'.repeat(70_000), description: 'word '.repeat(12_000) });
    const { text, shortened, tokens } = discloseCatalog([long, make('b')], {
      format: 'index',
      guide: false,
      budget: Infinity,
    });
    expect(text).toContain(`- ${'n'.repeat(63)}…: word word`);
    expect(tokens).toBeLessThan(300);
    expect(shortened).toEqual([long.name]);
  });

  test('keeps names and descriptions at the specification’s limits', () => {
    const longest = make('a', { name: '😀'.repeat(64), description: 'x'.repeat(1_024) });
    const { text, shortened } = discloseCatalog([longest], { format: 'index', guide: false });
    expect(text).toBe(`## Skills\n\n- ${longest.name}: ${longest.description}`);
    expect(shortened).toEqual([]);
  });
});

describe('a skill list beyond its budget', () => {
  test('shortens descriptions at the end of a clause and keeps every name', () => {
    const { text, shown, shortened, tokens } = discloseCatalog(many(3), { format: 'index', guide: false, budget: 80 });
    expect(text).toBe(`## Skills

- skill-000: First clause of skill-000. Second one, with a pause, and still more…
- skill-001: First clause of skill-001. Second one, with a pause, and still more…
- skill-002: First clause of skill-002. Second one, with a pause, and still more…`);
    expect([tokens, shown.length, shortened.length]).toEqual([64, 3, 3]);
  });

  test('names every skill before it describes one', () => {
    const { text, named, omitted } = discloseCatalog(many(5), { format: 'index', guide: false, budget: 22 });
    expect(text).toBe(`## Skills

- **by name only**: skill-000, skill-001, skill-002, skill-003, skill-004`);
    expect([named.length, omitted]).toEqual([5, []]);
  });

  test('describes the most needed skills first and shortens them last', () => {
    const skills = many(4).map((skill) => ({ ...skill, pinned: skill.name === 'skill-002' }));
    const [, second] = skills;
    if (second === undefined) throw new Error('there is no second skill');
    const matches = [{ skill: second, reasons: [] }];
    const show = (budget: number): CatalogDisclosure => discloseCatalog(skills, { guide: false, budget, matches });
    expect(show(130).text).toBe(`## Skills

- skill-002: ${skills[2]?.description}
- skill-000: First clause of skill-000. Second one, with a pause, and still more; then the end of what it…
- skill-001: First clause of skill-001. Second one, with a pause, and still more; then the end of what it…
- skill-003: First clause of skill-003. Second one, with a pause, and still more; then the end of what it…`);
    expect(show(60)).toMatchObject({
      shown: { length: 4 },
      shortened: ['skill-002', 'skill-001'],
      named: ['skill-000', 'skill-003'],
    });
  });

  test('gives all other descriptions the same length', () => {
    const lastUsed = new Map([['skill-003', 1]]);
    const { shortened, named, text } = discloseCatalog(many(5), {
      format: 'index',
      guide: false,
      budget: 135,
      lastUsed,
    });
    expect([shortened, named]).toEqual([['skill-000', 'skill-001', 'skill-002', 'skill-004'], []]);
    const cut = [...text.matchAll(/^- (skill-\d+): (.*)…$/gm)].map(([, name = '', kept = '']) =>
      kept.replace(name, ''),
    );
    expect(new Set(cut)).toEqual(new Set(['First clause of . Second one, with a pause, and still more']));
    expect(text).toContain(`\n- skill-003: ${many(4)[3]?.description}\n`);
  });

  test('keeps the part that says when to use a skill, whatever is cut', () => {
    const wordy = many(5).map((skill) => ({
      ...skill,
      description: `${skill.description}. Use when it rains in May.`,
    }));
    for (const budget of [150, 110]) {
      const { text } = discloseCatalog(wordy, { guide: false, budget });
      expect(text.match(/Use when it rains in May\./g)).toHaveLength(5);
    }
  });

  test('counts the words before the list, and gives way to a pointer if they do not fit', () => {
    const guided = discloseCatalog(many(200), { budget: 300 });
    expect(guided.tokens).toBeLessThanOrEqual(300);
    expect(guided.text).toMatch(
      /^## Skills\n\nSkills are instructions .* These are \d+ of 200: if none of them fits, /,
    );
    expect(discloseCatalog(many(200), { budget: 100 })).toMatchObject({
      tier: 'breadcrumb',
      text: '200 skills: call search_skills with the task before you act.',
    });
    expect(discloseCatalog(many(200), { budget: 6 }).text).toBe('[200 skills available]');
  });

  test('counts the skills that it cannot name', () => {
    const { tier, text, tokens, shown, omitted } = discloseCatalog(many(200), { format: 'xml', budget: 64 });
    expect(text).toBe(`<available_skills>
<other_skills>skill-000, skill-001, skill-002, skill-003, skill-004, skill-005, skill-006, skill-007, skill-008, skill-009, skill-010, skill-011</other_skills>
<more>… 188 more; find them with search_skills</more>
</available_skills>`);
    expect([tier, tokens, shown.length, omitted.length, omitted[0]]).toEqual(['catalog', 63, 12, 188, 'skill-012']);
  });

  test('spends up to 40 % of the budget on needed skills if it cannot name all', () => {
    const lastUsed = new Map([['skill-150', 1]]);
    const { text, shown, shortened, omitted } = discloseCatalog(many(200), {
      format: 'index',
      guide: false,
      budget: 200,
      lastUsed,
    });
    expect(text).toMatch(
      /^## Skills\n\n- skill-150: First clause of skill-150\. .*not at all\n- \*\*by name only\*\*: skill-000, /,
    );
    expect(text).toMatch(/ skill-\d+\n\nCall `search_skills` to discover 1\d\d more skills\.$/);
    expect([shortened, shown.length + omitted.length]).toEqual([[], 200]);
  });

  test('is only a count if no name fits, and empty if not even that fits', () => {
    const byBudget = [7, 6, 5].map((budget) => {
      const { tier, text, tokens, shown, omitted } = discloseCatalog(many(200), { format: 'xml', budget });
      return [budget, tier, text, tokens, shown.length, omitted.length];
    });
    expect(byBudget).toEqual([
      [7, 'breadcrumb', '[200 skills available]', 6, 0, 200],
      [6, 'breadcrumb', '[200 skills available]', 6, 0, 200],
      [5, 'none', '', 0, 0, 200],
    ]);
  });

  test('uses the given tokenizer', () => {
    const perCharacter = (text: string): number => text.length;
    const { text, tokens, omitted } = discloseCatalog(many(200), {
      format: 'xml',
      budget: 256,
      countTokens: perCharacter,
    });
    expect(tokens).toBe(text.length);
    expect(tokens).toBeGreaterThan(240);
    expect(tokens).toBeLessThanOrEqual(256);
    expect(omitted.length).toBe(188);
    expect(discloseCatalog(many(2), { countTokens: () => 0 }).tokens).toBe(0);
  });

  test('does not let one very long description displace the others', () => {
    const giant = make('giant', { pinned: true, description: 'x'.repeat(60_000) });
    const { shown, named } = discloseCatalog([giant, ...many(20)], { format: 'index', guide: false, budget: 1_000 });
    expect([shown.length, named]).toEqual([21, []]);
  });
});
