import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { displayWidth } from '../../src/model/display-width.ts';
import { SKILLPLANE, skillplane, skillplaneOnTerminal, toPlain, typeOnTerminal } from '../support/command-line.ts';
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

describe('a long answer on a terminal', () => {
  test('goes to the pager whole, which is called as git calls it', () => {
    const { home, pager } = makeHome();
    const shown = skillplaneOnTerminal(['show'], { home, columns: 80, env: { NO_PAGER: '', PAGER: `${pager} -x` } });
    expect(shown).not.toContain('skill-');
    expect(readFileSync(join(home, 'called'), 'utf8')).toBe('args=-x LESS=FRX\n');
    const paged = toPlain(readFileSync(join(home, 'paged'), 'utf8'));
    expect(paged).toContain('✓ skill-00  Does skill-00.\n');
    expect(paged).toContain('✓ skill-39  Does skill-39.\n');
  });

  test.each([
    ['--no-pager', ['show', '--no-pager'], {}],
    ['NO_PAGER', ['show'], { NO_PAGER: '1' }],
    ['an empty SKILLPLANE_PAGER', ['show'], { SKILLPLANE_PAGER: '' }],
    ['--json', ['show', '--json'], {}],
    ['an answer that fits', ['show', 'skill-1'], {}],
    ['a command that is not there', ['show'], { PAGER: '/nowhere/pager' }],
  ])('is printed at once with %s', (_how, args, variables) => {
    const { home, pager } = makeHome();
    const env = { NO_PAGER: '', PAGER: pager, ...variables };
    expect(skillplaneOnTerminal(args, { home, columns: 80, env })).toContain('skill-19');
    expect(() => readFileSync(join(home, 'called'))).toThrow('ENOENT');
  });

  test('is printed at once to a pipe', () => {
    const { home, pager } = makeHome();
    const { stdout } = skillplane(['show'], { home, env: { PAGER: pager } });
    expect(stdout).toContain('skill-39');
  });

  test('may be left early, and keeps the exit code', async () => {
    const leave = { columns: 80, env: { NO_PAGER: '', PAGER: 'true' }, steps: [] };
    const { home } = makeHome();
    const help = await typeOnTerminal([...SKILLPLANE, 'help', 'install'], { home, ...leave });
    expect(help).toEqual({ code: 0, shown: '' });
    const broken = makeTree({ '.agent/config.yaml': `skills:\n  disabled: [${'[], '.repeat(19)}[]]\n` });
    expect(await typeOnTerminal([...SKILLPLANE, 'doctor'], { home: broken, ...leave })).toEqual({ code: 1, shown: '' });
  });

  test('can be read in less', async () => {
    const { home } = makeHome();
    const { code, shown } = await typeOnTerminal([...SKILLPLANE, 'show'], {
      home,
      columns: 80,
      env: { NO_PAGER: '' },
      steps: [
        [/\n:/, ' '],
        [/skill-20/, 'q'],
      ],
    });
    expect(code).toBe(0);
    expect(shown).toContain('skill-20');
    expect(shown).not.toContain('skill-39');
  });
});

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  test('reasons, remedies and failures are wrapped between words, below their text', () => {
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
    for (const args of [
      ['doctor'],
      ['show', '--verbose', '--all'],
      ['load', 'bad'],
      ['info', 'needy'],
      ['audit', 'x'],
    ]) {
      const shown = toPlain(skillplaneOnTerminal(args, { home, columns })).replaceAll(home, '~');
      const whole = skillplane(args, { home, env: { COLUMNS: String(columns) } });
      const words = (text: string): readonly string[] => text.replaceAll(home, '~').split(/\s+/).filter(Boolean).sort();
      expect(words(shown)).toEqual(words(`${whole.stdout} ${whole.stderr}`));
      for (const line of shown.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});
