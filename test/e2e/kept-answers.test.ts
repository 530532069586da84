import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { decodeColumns } from '../../src/parse/column-file.ts';
import { skillplaneProcess } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

/** A home with every kind of thing that `show` looks at, and a project in it. */
function makeHome(): string {
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
    expect((await skillplaneProcess(['trust', 'packed', '--revoke'], { home, cwd: join(home, 'project') })).code).toBe(
      0,
    );
  },
};

const environmentOf = (home: string): Readonly<Record<string, string>> => ({
  MY_SKILLS: join(home, 'mine'),
  PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
});

async function show(home: string, env = environmentOf(home)): Promise<string> {
  const { stdout, code } = await skillplaneProcess(['show', '--json', '--all'], {
    home,
    cwd: join(home, 'project'),
    env,
  });
  expect(code).toBe(0);
  return stdout;
}

async function install(home: string): Promise<void> {
  const place = { home, cwd: join(home, 'project'), env: environmentOf(home) };
  expect((await skillplaneProcess(['install', join(home, 'repository'), '--all', '--yes', '--json'], place)).code).toBe(
    0,
  );
  expect((await skillplaneProcess(['trust', 'packed', '--yes'], place)).code).toBe(0);
}

/** As if no process had been there before. */
function showAnew(home: string, env = environmentOf(home)): Promise<string> {
  rmSync(join(home, '.agent/cache'), { recursive: true });
  return show(home, env);
}

const countKept = (home: string): number =>
  readdirSync(join(home, '.agent/cache')).filter((name) => name.startsWith('answer-')).length;

/** How long a file must be unchanged before an answer that depends on it is kept. */
const SETTLED_MS = 2_600;

test(
  'show --json is answered from the last time until anything it looked at changes',
  { timeout: 180_000 },
  async () => {
    const changes = Object.entries({ ...CHANGES, ...CHANGES_OF_INSTALLED });
    const homes = changes.map(([name, change]) => ({ name, change, home: makeHome() }));
    for (const { name, home } of homes) {
      if (name in CHANGES_OF_INSTALLED) await install(home);
      // Audits the new skills and keeps the verdicts, which count for the answer.
      await show(home);
    }
    await sleep(SETTLED_MS);
    for (const { name, home, change } of homes) {
      const before = await show(home);
      expect([name, countKept(home)]).toEqual([name, 1]);
      expect([name, await show(home)]).toEqual([name, before]);
      await change(home);
      const after = await show(home);
      expect([name, after]).not.toEqual([name, before]);
      expect([name, after]).toEqual([name, await showAnew(home)]);
    }
  },
);

test('a variable that the configuration names counts, and others do not', { timeout: 60_000 }, async () => {
  const home = makeHome();
  await show(home);
  await sleep(SETTLED_MS);
  const before = await show(home);
  expect(countKept(home)).toBe(1);
  const env = { ...environmentOf(home), MY_SKILLS: join(home, 'others') };
  const after = await show(home, env);
  expect(after).not.toBe(before);
  expect(after).toBe(await showAnew(home, env));
});

test('an answer that warns on stderr is not kept', async () => {
  const home = makeTree({ '.agent/config.yaml': 'skills: [\n' });
  const run = async (): Promise<string> => (await skillplaneProcess(['show', '--json'], { home })).stderr;
  await sleep(SETTLED_MS);
  const first = await run();
  expect(first).toContain('config.yaml');
  expect(await run()).toBe(first);
});

test(
  'the first answer is kept already, and so is one of thousands of skills, which threads read',
  { timeout: 60_000 },
  async () => {
    const home = makeTree({
      '.agent/': '',
      ...Object.fromEntries(
        Array.from({ length: 2_100 }, (_, at) => [
          `.agents/skills/skill-${at}/SKILL.md`,
          skillText({ name: `skill-${at}`, description: 'Does it.' }),
        ]),
      ),
    });
    await sleep(SETTLED_MS);
    const run = async (): Promise<string> => (await skillplaneProcess(['show', 'skill-20', '--json'], { home })).stdout;
    const first = await run();
    const cache = join(home, '.agent/cache');
    const file = join(cache, readdirSync(cache).find((name) => name.startsWith('answer-')) ?? '');
    const written = statSync(file).mtimeMs;
    expect(await run()).toBe(first);
    // A second answer that was made, and not given again, would be written again.
    expect(statSync(file).mtimeMs).toBe(written);
  },
);

/** Writes every path that a process asks the file system about to a file, one a line. */
const TRACE = `
  const fs = process.getBuiltinModule('node:fs');
  const [append, asked] = [fs.appendFileSync, new Set()];
  const trace = (holder, name) => {
    const real = holder[name];
    holder[name] = Object.assign((...args) => {
      if (typeof args[0] === 'string') asked.add(args[0]);
      return real(...args);
    }, real);
  };
  for (const name of ['statSync', 'lstatSync', 'readdirSync', 'readlinkSync', 'realpathSync', 'existsSync', 'accessSync', 'openSync', 'readFileSync', 'opendirSync'])
    trace(fs, name);
  trace(fs.realpathSync, 'native');
  process.on('exit', () => append(process.env.TRACED, [...asked].join('\\n')));`;

test('everything that show asks the file system about is noted with its answer', { timeout: 60_000 }, async () => {
  const home = makeHome();
  await install(home);
  await show(home);
  await sleep(SETTLED_MS);
  const traced = join(makeTree(), 'traced');
  const trace = `--import=data:text/javascript,${encodeURIComponent(TRACE)}`;
  await show(home, { ...environmentOf(home), NODE_OPTIONS: trace, TRACED: traced });
  const cache = join(home, '.agent/cache');
  const kept = readFileSync(join(cache, readdirSync(cache).find((name) => name.startsWith('answer-')) ?? ''));
  const { owner } = JSON.parse(kept.subarray(0, kept.indexOf('\n')).toString()) as { readonly owner: string };
  const [, files = new Uint8Array(), others = new Uint8Array()] = decodeColumns(kept, owner) ?? [];
  const looks = JSON.parse(Buffer.from(others).toString()) as readonly { readonly path: string }[];
  const noted = new Set([...Buffer.from(files).toString().split('\0'), ...looks.map(({ path }) => path)]);
  const asked = readFileSync(traced, 'utf8').split('\n');
  expect(asked).toContain(join(home, '.agent/skills/pdf/SKILL.md'));
  // The cache and the program itself do not count, nor does where the process is.
  const isOurs = (path: string): boolean =>
    [cache, resolve('bin'), resolve('dist'), '/proc'].some((dir) => path === dir || path.startsWith(`${dir}/`)) ||
    [join(home, 'project'), resolve('package.json')].includes(path);
  expect(asked.filter((path) => !noted.has(path) && !isOurs(path))).toEqual([]);
});
