import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { settle } from '../support/settle.ts';
import { makeTree, skillText } from '../support/tree.ts';

/** A home with every kind of thing that `show` looks at, and a project in it. Its files are old enough for the cache. */
async function makeHome(): Promise<string> {
  const named = (name: string, more: object = {}): string => skillText({ name, description: `Does ${name}.`, ...more });
  const home = makeTree({
    '.agent/config.yaml':
      'skills:\n  disabledSources: [bundled]\n  disabled: [quiet]\n  customDirectories: [$MY_SKILLS]\n',
    '.agent/skills/pdf/SKILL.md': named('pdf'),
    '.agent/skills/quiet/SKILL.md': named('quiet'),
    '.agent/skills/needs/SKILL.md': named('needs', { metadata: { requires: 'some-command' } }),
    '.agent/skills/lower/skill.md': named('lower'),
    '.agent/skills/deep/inner/SKILL.md': named('inner'),
    '.agent/skills/empty/notes.txt': 'no skill',
    '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Signs.' }),
    '.claude/commands/review.md': 'Review.\n',
    '.claude/plugins/one/skills/tool/SKILL.md': named('tool'),
    'mine/own/SKILL.md': named('own'),
    'others/own/SKILL.md': named('own', { description: 'Does something else.' }),
    'elsewhere/linked/SKILL.md': named('linked'),
    'elsewhere/other/SKILL.md': named('other'),
    'project/.git/HEAD': '',
    'project/.agents/skills/local/SKILL.md': named('local'),
    'bin/some-command': '#!/bin/sh\n',
    'repository/packed/SKILL.md': named('packed'),
    'repository/packed/scripts/run.sh': 'echo packed\n',
  });
  chmodSync(join(home, 'bin/some-command'), 0o755);
  symlinkSync(join(home, 'elsewhere/linked'), join(home, '.agent/skills/linked'));
  await settle(join(home, '.agent/skills/linked'));
  return home;
}

const CHANGES: Readonly<Record<string, (home: string) => void | Promise<void>>> = {
  'a SKILL.md has another text': (home) =>
    appendFileSync(join(home, '.agent/skills/pdf/SKILL.md'), 'Some more text.\n'),
  'a hidden copy has another text': (home) =>
    writeFileSync(join(home, '.claude/skills/pdf/SKILL.md'), skillText({ name: 'sign', description: 'Signs.' })),
  'a skill is added': (home) => {
    mkdirSync(join(home, '.claude/skills/new'));
    writeFileSync(join(home, '.claude/skills/new/SKILL.md'), skillText({ name: 'new', description: 'New.' }));
  },
  'a skill is removed': (home) => rmSync(join(home, '.agent/skills/pdf'), { recursive: true }),
  'a folder without a skill gets one': (home) =>
    writeFileSync(join(home, '.agent/skills/empty/SKILL.md'), skillText({ name: 'empty', description: 'Not empty.' })),
  'a file gets the usual spelling': (home) =>
    renameSync(join(home, '.agent/skills/lower/skill.md'), join(home, '.agent/skills/lower/SKILL.md')),
  'a nested skill is gone': (home) => unlinkSync(join(home, '.agent/skills/deep/inner/SKILL.md')),
  'a link leads to another skill': (home) => {
    unlinkSync(join(home, '.agent/skills/linked'));
    symlinkSync(join(home, 'elsewhere/other'), join(home, '.agent/skills/linked'));
  },
  'the target of a link has another text': (home) =>
    appendFileSync(join(home, 'elsewhere/linked/SKILL.md'), 'Some more text.\n'),
  'a source appears that was missing': (home) => {
    mkdirSync(join(home, '.codex/skills/fresh'), { recursive: true });
    writeFileSync(join(home, '.codex/skills/fresh/SKILL.md'), skillText({ name: 'fresh', description: 'Fresh.' }));
  },
  'a plugin of Claude brings one more': (home) => {
    mkdirSync(join(home, '.claude/plugins/two/skills/extra'), { recursive: true });
    writeFileSync(
      join(home, '.claude/plugins/two/skills/extra/SKILL.md'),
      skillText({ name: 'extra', description: 'Extra.' }),
    );
  },
  'the configuration enables a skill': (home) => {
    const file = join(home, '.agent/config.yaml');
    writeFileSync(file, 'skills:\n  disabledSources: [bundled]\n  customDirectories: [$MY_SKILLS]\n');
  },
  'the project gets a configuration': (home) => {
    mkdirSync(join(home, 'project/.agent'));
    writeFileSync(join(home, 'project/.agent/config.yaml'), 'skills:\n  disabled: [pdf]\n');
  },
  'the repository ends higher up': (home) => {
    rmSync(join(home, 'project/.git'), { recursive: true });
    mkdirSync(join(home, '.git'));
    mkdirSync(join(home, 'skills/above'), { recursive: true });
    mkdirSync(join(home, '.codex/skills/above'), { recursive: true });
    writeFileSync(join(home, '.codex/skills/above/SKILL.md'), skillText({ name: 'above', description: 'Above.' }));
  },
  'a required command is gone': (home) => unlinkSync(join(home, 'bin/some-command')),
  'a required command may not be run': (home) => chmodSync(join(home, 'bin/some-command'), 0o644),
  'a command file is invalid': (home) =>
    writeFileSync(join(home, '.claude/commands/review.md'), Buffer.of(0xff, 0xfe, 0xff)),
};

/** Those that need an installed skill. */
const CHANGES_OF_INSTALLED: typeof CHANGES = {
  'the lock no longer has a skill': (home) => rmSync(join(home, '.agent/skills-lock.yaml')),
  'an installed skill that is trusted changed': (home) =>
    appendFileSync(join(home, '.agent/plugins/packed/scripts/run.sh'), 'echo more\n'),
  'an installed skill is no longer trusted': async (home) => {
    const { code } = await skillplane(['trust', 'packed', '--revoke'], { home, cwd: join(home, 'project') });
    expect(code).toBe(0);
  },
};

const environmentOf = (home: string): Readonly<Record<string, string>> => ({
  MY_SKILLS: join(home, 'mine'),
  PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
});

async function show(home: string, env = environmentOf(home)): Promise<string> {
  const { stdout, code } = await skillplane(['show', '--json', '--all'], { home, cwd: join(home, 'project'), env });
  expect(code).toBe(0);
  return stdout;
}

async function install(home: string): Promise<void> {
  const place = { home, cwd: join(home, 'project'), env: environmentOf(home) };
  const installed = await skillplane(['install', join(home, 'repository'), '--all', '--yes', '--json'], place);
  expect(installed.code).toBe(0);
  expect((await skillplane(['trust', 'packed', '--yes'], place)).code).toBe(0);
}

/** As if no process had been there before. */
function showWithoutCache(home: string, env = environmentOf(home)): Promise<string> {
  rmSync(join(home, '.agent/cache'), { recursive: true });
  return show(home, env);
}

test.for(Object.entries({ ...CHANGES, ...CHANGES_OF_INSTALLED }))(
  'show with a cache answers as without one after this change: %s',
  async ([name, change]) => {
    const home = await makeHome();
    if (name in CHANGES_OF_INSTALLED) await install(home);
    const before = await show(home);
    expect(await show(home)).toBe(before);
    await change(home);
    const after = await show(home);
    expect(after).not.toBe(before);
    expect(after).toBe(await showWithoutCache(home));
  },
);

test('show with a cache sees another value of a variable that the configuration names', async () => {
  const home = await makeHome();
  const before = await show(home);
  const env = { ...environmentOf(home), MY_SKILLS: join(home, 'others') };
  const after = await show(home, env);
  expect(after).not.toBe(before);
  expect(after).toBe(await showWithoutCache(home, env));
});

test('show warns of a broken configuration every time', async () => {
  const home = makeTree({ '.agent/config.yaml': 'skills: [\n' });
  const run = async (): Promise<string> => (await skillplane(['show', '--json'], { home })).stderr;
  const first = await run();
  expect(first).toContain('config.yaml');
  expect(await run()).toBe(first);
});
