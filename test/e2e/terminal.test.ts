import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { displayWidth } from '../../src/model/display-width.ts';
import { answerOnTerminal, KEYS, skillplane, skillplaneOnTerminal, toPlain } from '../support/command-line.ts';
import { makeRepository } from '../support/git-repositories.ts';
import { readInstalled } from '../support/installed.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

function manySkills(count: number): Tree {
  const names = Array.from({ length: count }, (_, at) => `skill-${String(at).padStart(2, '0')}`);
  return Object.fromEntries(
    names.map((name) => [`.agent/skills/${name}/SKILL.md`, skillText({ name, description: `Does ${name}.` })]),
  );
}

/** A home with more skills than a screen has lines, and a pager that says how it was called. */
function makeHome(): { readonly home: string; readonly pager: string } {
  const home = makeTree({
    ...manySkills(40),
    'bin/pager': '#!/bin/sh\necho "args=$* LESS=$LESS" > "$HOME/called"\ncat > "$HOME/paged"\n',
  });
  const pager = join(home, 'bin/pager');
  chmodSync(pager, 0o755);
  return { home, pager };
}

test('a long answer on a terminal is printed at once, also with the options and variables of a pager', () => {
  const { home, pager } = makeHome();
  for (const args of [['show'], ['show', '--no-pager']])
    expect(skillplaneOnTerminal(args, { home, columns: 80, env: { PAGER: pager } })).toContain('skill-39');
  expect(existsSync(join(home, 'called'))).toBe(false);
});

function widest(shown: string): number {
  return Math.max(...shown.split(/[\r\n]/).map(displayWidth));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean).sort();
}

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  const run = (args: readonly string[], home: string): string =>
    toPlain(skillplaneOnTerminal(args, { home, columns })).replaceAll(home, '~');
  const runInPipe = async (args: readonly string[], home: string): Promise<string> => {
    const { stdout, stderr } = await skillplane(args, { home, env: { COLUMNS: String(columns) } });
    return `${stdout}\n${stderr}`.replaceAll(home, '~');
  };

  test('help of the program and of every command fits the width', async () => {
    const home = makeTree();
    for (const args of [['-h'], ['help', 'install'], ['mcp', '-h'], ['completion', '--help']]) {
      const shown = run(args, home);
      expect(widest(shown)).toBeLessThanOrEqual(columns);
      expect(wordsOf(shown)).toEqual(wordsOf(await runInPipe(args, home)));
    }
  });

  test('show prints a hundred skills in one aligned line each', () => {
    const long = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => {
        const name = `skill-${at}`;
        return [`.agent/skills/${name}/SKILL.md`, skillText({ name, description: 'Does much. '.repeat(20) })];
      }),
    );
    const lines = run(['show'], makeTree(long)).split('\n');
    const rows = lines.filter((line) => /skill-\d/.test(line));
    expect(rows).toHaveLength(100);
    for (const line of rows) expect(line).toMatch(/^ {2}✓ skill-\d+ +Does much\..*…$/);
    expect(new Set(rows.map((line) => line.indexOf('Does'))).size).toBe(1);
    expect(widest(lines.join('\n'))).toBeLessThanOrEqual(columns);
  });

  test('install filters its list by typing, marks the chosen skills, and fits the width', async () => {
    const many = Array.from({ length: 40 }, (_, at) => {
      const name = `${at % 2 === 0 ? 'even' : 'odd'}-${at}`;
      return [`skills/${name}/SKILL.md`, skillText({ name, description: 'Does much. '.repeat(20) })];
    });
    const home = makeTree();
    const { code, shown } = await answerOnTerminal(['install', makeRepository(Object.fromEntries(many)).url], {
      home,
      columns,
      answers: [
        ['Which skills do you want? (40 found)', `odd-3${KEYS.tab}${KEYS.down}${KEYS.tab}${KEYS.enter}`],
        ['Install odd-3 and odd-31?', 'y'],
      ],
    });
    expect(code).toBe(0);
    expect(shown).toMatch(/◼ odd-3\b/);
    expect(Object.keys(readInstalled(home)).sort()).toEqual(['odd-3', 'odd-31']);
    // Lines that are drawn over again have no ends of their own.
    const choices = shown.split(/[\r\n]/).filter((line) => line.startsWith('◻'));
    expect(choices.length).toBeGreaterThan(5);
    for (const line of choices) expect(displayWidth(line)).toBeLessThan(columns);
  });

  test('Ctrl-C at a question begins a new line and ends with 130', async () => {
    const repository = makeRepository({ 'SKILL.md': skillText({ name: 'a', description: 'Does a.' }) });
    const home = makeTree();
    expect((await skillplane(['install', repository.url, '--yes'], { home })).code).toBe(0);
    const { code, shown } = await answerOnTerminal(['remove', 'a'], {
      home,
      columns,
      answers: [['Remove', KEYS.interrupt]],
    });
    expect(code).toBe(130);
    expect(shown).toMatch(/\nNothing removed\.\n/);
    expect(Object.keys(readInstalled(home))).toEqual(['a']);
  });

  test('reasons, remedies and failures are wrapped between words and indented', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  customDirectories: [/nowhere]\n  maxSkills: many\n  sandbx: off\n',
      '.agent/skills/needy/SKILL.md': skillText({
        name: 'needy',
        description: 'Needs much.',
        requires: Array.from({ length: 12 }, (_, at) => `program-${at}`),
      }),
      '.agent/skills/bad/SKILL.md': '---\nname: [\n---\n',
      '.claude/skills/needy/SKILL.md': skillText({ name: 'needy', description: 'Needs nothing.' }),
    });
    for (const args of [['doctor'], ['show', '-v', '--all'], ['load', 'bad'], ['info', 'needy'], ['audit', 'x']]) {
      const shown = run(args, home);
      expect(widest(shown)).toBeLessThanOrEqual(columns);
      expect(wordsOf(shown)).toEqual(wordsOf(await runInPipe(args, home)));
    }
  });
});
