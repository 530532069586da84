import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillplane, SKILLPLANE, typeOnTerminal, type Step } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

const READY = /ready> /;
const PROMPT = 'ready> ';

interface Shell {
  readonly shell: string;
  /** How it starts. */
  readonly words: readonly string[];
  /** Its startup file. */
  readonly rc?: string;
}

const SHELLS: readonly Shell[] = [
  {
    shell: 'bash',
    words: ['bash', '--rcfile', '.rc', '-i'],
    rc: `PS1='${PROMPT}'\neval "$(skillplane completion bash)"\n`,
  },
  {
    shell: 'zsh',
    words: ['zsh', '-i'],
    rc: `PS1='${PROMPT}'\nautoload -U compinit; compinit -u -D\nsource <(skillplane completion zsh)\n`,
  },
  {
    shell: 'zsh with a folder of functions',
    words: ['zsh', '-i'],
    rc: `PS1='${PROMPT}'\nmkdir f; skillplane completion zsh > f/_skillplane; fpath=($PWD/f $fpath)\nautoload -U compinit; compinit -u -D\n`,
  },
  {
    shell: 'fish',
    words: [
      'fish',
      '--no-config',
      '-i',
      '-C',
      `function fish_prompt; echo -n "${PROMPT}"; end; source fish-completion`,
    ],
  },
];

const TYPED: readonly string[] = [
  'skillplane inst\t',
  'skillplane info p\t',
  'skillplane install --froz\t',
  'skillplane manage roll\t',
  'skillplane config get scriptT\t',
  'skillplane validate my-no\t',
];

/** A home with a command `skillplane` that completes, and otherwise writes down how it was called. */
async function makeHome(rc = ''): Promise<string> {
  const home = makeTree({
    '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
    'my-notes.md': '',
    '.rc': rc,
    '.zshrc': rc,
  });
  mkdirSync(join(home, 'bin'));
  const call = SKILLPLANE.map((word) => `'${word}'`).join(' ');
  const script = `#!/bin/sh\n{ [ "$1" = completion ] || [ "$2" = completion ]; } && exec ${call} "$@"\necho "$*" >> "$HOME/called"\n`;
  writeFileSync(join(home, 'bin/skillplane'), script, { mode: 0o755 });
  writeFileSync(join(home, 'fish-completion'), (await skillplane(['completion', 'fish'], { home })).stdout);
  return home;
}

test.for(SHELLS)(
  'a real $shell completes commands, options, names, settings and files',
  async ({ words, rc }, { skip }) => {
    const [program = ''] = words;
    skip(spawnSync(program, ['--version']).error !== undefined, `${program} is not installed`);
    const home = await makeHome(rc);
    const env = { PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, ZDOTDIR: home };
    const steps = [...TYPED, 'exit'].map((line): Step => [READY, `${line}\r`]);
    await typeOnTerminal(words, { home, columns: 80, env, steps });
    expect(readFileSync(join(home, 'called'), 'utf8').trim().split('\n')).toEqual([
      'install',
      'info pdf',
      'install --frozen',
      'manage rollback',
      'config get scriptTimeout',
      'validate my-notes.md',
    ]);
  },
);
