import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { MAX_LISTED_FLAWS, MAX_MESSAGE_LENGTH } from '../../src/model/limits.ts';
import { parseSkill } from '../../src/parse/parse-skill.ts';
import { decompose } from '../../src/select/index/decompose.ts';
import { openTriggers } from '../../src/select/triggers.ts';
import { openScanner, type SourcesScan } from '../../src/sources/scan.ts';
import { skillplane } from '../support/command-line.ts';
import { sourceRoot } from '../support/found.ts';
import { makeTree, skillText } from '../support/tree.ts';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `s${String(at).padStart(3, '0')}`);

/** Frontmatter that must be repaired line by line. */
const slowText = (name: string, lines: number): string =>
  `---\nname: ${name}\ndescription: Slow.\n${'k: [a] [b]\n'.repeat(lines)}---\nBody\n`;

const patternText = (name: string, patterns: readonly string[]): string =>
  `---\nname: ${name}\ndescription: Matches.\ntriggers:\n  patterns:\n${patterns.map((one) => `    - '${one}'\n`).join('')}---\nBody\n`;

async function scan(tree: string): Promise<SourcesScan> {
  const scanner = openScanner({ agentHome: join(tree, 'home'), userId: process.getuid?.() });
  const result = await scanner.scan([sourceRoot(join(tree, 'skills'), { level: 'project' })]);
  scanner.save();
  return result;
}

const statesOf = ({ found }: SourcesScan): readonly (readonly [string, string, string | undefined])[] =>
  found.map(({ skill }) => [skill.id, skill.status, skill.diagnostics[0]?.code]);

describe('skills of a clone that are slow to read:', () => {
  test('a skill that takes too long is refused alone', () => {
    expect(parseSkill(slowText('demo', 800), { dir: '/skills/demo' })).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'it is not valid YAML, or uses anchors or tags, and is longer than 8192 characters',
      ),
    });
  });

  test('forty slow skills share one budget, and the others are served', async () => {
    const slow = numbered(40).map((name) => [`skills/${name}/SKILL.md`, slowText(name, 700)]);
    const honest = ['a', 'z'].map((name) => [`skills/${name}/SKILL.md`, skillText({ name, description: 'Honest.' })]);
    const tree = makeTree(Object.fromEntries([...slow, ...honest]));
    const first = statesOf(await scan(tree));
    expect(first.at(0)).toEqual(['a', 'enabled', undefined]);
    expect(first.at(-1)).toEqual(['z', 'enabled', undefined]);
    expect(first.filter(([, , code]) => code === 'SCAN_LIMIT').length).toBeGreaterThan(28);
    // The cache makes no difference: the same files have the same result.
    expect(statesOf(await scan(tree))).toEqual(first);
  });

  test('usual faults of forty skills stay within the budget', async () => {
    const text = (name: string): string =>
      `---\nname: ${name}\ndescription: Use when: asked\ntags: [a] [b]\n---\nBody\n`;
    const tree = makeTree(Object.fromEntries(numbered(40).map((name) => [`skills/${name}/SKILL.md`, text(name)])));
    const codes = new Set(statesOf(await scan(tree)).map(([, status, code]) => `${status} ${code}`));
    expect([...codes]).toEqual(['enabled YAML_RECOVERED']);
  });
});

describe('too many patterns of a clone:', () => {
  test('skills lose the patterns that are too many for their folder, with a diagnostic, and are served', async () => {
    const patterns = Array.from({ length: 32 }, (_, at) => `${'.*a.*b'.repeat(80)}${at}`);
    const tree = makeTree(
      Object.fromEntries(numbered(40).map((name) => [`skills/${name}/SKILL.md`, patternText(name, patterns)])),
    );
    const first = await scan(tree);
    const left = first.found.filter(({ skill }) => skill.triggers.patterns.length === 0);
    expect(first.found).toHaveLength(40);
    expect(left.length).toBeGreaterThan(30);
    expect(left[0]?.skill.diagnostics).toContainEqual(expect.objectContaining({ code: 'PATTERN_REFUSED' }));
    expect(statesOf(await scan(tree))).toEqual(statesOf(first));
  });

  test('greedy skills search less of a long message, and the modest one all of it', () => {
    const skillOf = (name: string, patterns: readonly string[]) => {
      const parsed = parseSkill(patternText(name, patterns), { dir: `/skills/${name}` });
      if (!parsed.ok) throw new Error(parsed.message);
      return { ...parsed.skill, source: 'user', level: 'user', status: 'ok' } as never;
    };
    const greedy = numbered(12).map((name) =>
      skillOf(name, [...Array.from({ length: 30 }, (_, at) => `needle${'x?'.repeat(200)}${at}`), 'needle']),
    );
    const matcher = openTriggers([...greedy, skillOf('modest', ['needle'])]);
    const namesIn = (message: string): number => matcher.match(message, { maxSkills: 100 }).length;
    expect(namesIn('needle')).toBe(13);
    expect(matcher.match(`${'x'.repeat(8_000)} needle`, { maxSkills: 100 })).toMatchObject([
      { skill: { name: 'modest' } },
    ]);
  });
});

test.each([
  ['patterns', (names: readonly string[]) => `triggers: {patterns: [${names.join()}]}`],
  ['globs', (names: readonly string[]) => `globs: [${names.join()}]`],
  ['nested metadata', (names: readonly string[]) => `metadata: {${names.map((name) => `${name}: []`).join()}}`],
])('a skill with thousands of flaws (%s) lists the first and counts the rest', (_, fieldOf) => {
  const text = `---\nname: demo\ndescription: Has flaws.\n${fieldOf(numbered(3_000))}\n---\nBody\n`;
  const parsed = parseSkill(text, { dir: '/skills/demo' });
  const flaws = parsed.ok ? parsed.skill.diagnostics : [];
  expect(flaws).toHaveLength(MAX_LISTED_FLAWS + 1);
  expect(flaws.at(-1)).toMatchObject({
    code: 'SCAN_LIMIT',
    message: expect.stringMatching(/^29\d\d more problems are not listed$/),
  });
});

describe('a text that is made to be slow:', () => {
  test('signs that stand for whole sentences do not make a message grow', () => {
    expect(decompose('\uFDFA'.repeat(MAX_MESSAGE_LENGTH))).toBe(' ');
    expect(decompose('\u3316'.repeat(MAX_MESSAGE_LENGTH)).length).toBeLessThanOrEqual(2 * MAX_MESSAGE_LENGTH);
    expect(decompose('ﬁ é')).toBe('fi e\u0301');
  });
});

describe('files of other agents that are nested 20,000 levels deep', () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const json = `{"a": ${nested}}`;
  const home = (): string =>
    makeTree({
      '.claude/settings.json': json,
      '.claude.json': json,
      '.claude/projects/-app/s.jsonl': `{"type":"skill_listing","attachment":${nested}}\n`,
      '.codex/config.toml': `a = ${nested}`,
      '.codex/hooks.json': `{/* mine */ "hooks": ${nested}}`,
      '.gemini/settings.json': json,
      '.cursor/mcp.json': json,
      '.copilot/config.json': json,
      '.config/opencode/opencode.json': json,
    });

  test.each([
    ['hosts', 0],
    ['doctor', 0],
    ['sync', 0],
    ['usage --import', 0],
    ['explain claude-code', 0],
    ['hosts connect claude-code', 1],
    ['hosts connect codex', 1],
  ])('make no command fail with a bug: %s', async (command, code) => {
    const done = await skillplane(command.split(' '), { home: home() });
    expect(done.stderr).not.toContain('bug');
    expect(done.code).toBe(code);
  });

  test('are named as files that cannot be read', async () => {
    const place = { home: home() };
    const explained = await skillplane(['explain', 'claude-code'], place);
    expect(explained.stdout).toContain('/.claude/settings.json: it is nested more than 500 levels deep');
    const connected = await skillplane(['hosts', 'connect', 'claude-code'], place);
    expect(connected.stderr).toContain('it is nested more than 500 levels deep');
    const imported = await skillplane(['usage', '--import', '--json'], place);
    expect(imported.stdout).toContain('"badLines": 1');
  });
});
