import { cpSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { skillText } from '../../src/testing.ts';
import { answerOnTerminal, KEYS, skillplane } from '../support/command-line.ts';
import { snapshotTree } from '../support/snapshot.ts';
import { ASK } from './ask-programs.ts';
import { openStubModel } from './stub-model.ts';

const ASKED = ['claude-code', 'codex'] as const;

/**
 * Walks two skills of a repository through Claude Code and Codex: installed on a terminal, disabled, enabled, removed and undone. After each
 * step the programs themselves say which skills their models are told of. Prints each step and returns those that went wrong.
 */
export async function checkWalk(programs: string): Promise<readonly string[]> {
  const text = (name: string): string => skillText({ name, description: `Helps with ${name}.` }, `Do ${name}.\n`);
  using made = makeTemporaryTree({
    ...Object.fromEntries(['csv', 'mail', 'tdd'].map((name) => [`repository/skills/${name}/SKILL.md`, text(name)])),
    'home/.claude/skills/theirs/SKILL.md': text('theirs'),
    'home/.claude/settings.json': '{ "cleanupPeriodDays": 99 }\n',
    'home/.codex/config.toml': '# mine\n[skills.bundled]\nenabled = false\n',
  });
  const home = join(made.root, 'home');
  const before = snapshotTree(home);
  const wrong: string[] = [];
  const check = (step: string, found: unknown, expected: unknown): void => {
    const isRight = isDeepStrictEqual(found, expected);
    const line = `${step}: ${JSON.stringify(found)}${isRight ? '' : ` instead of ${JSON.stringify(expected)}`}`;
    console.log(`walk, ${line}`);
    if (!isRight) wrong.push(line);
  };
  const run = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await skillplane(words, { home });
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
  };
  const ask = (): Promise<readonly (readonly string[])[]> => askPrograms(home, programs);

  check('before', await ask(), [['theirs'], []]);
  await answerOnTerminal(['install', join(made.root, 'repository')], {
    home,
    columns: 80,
    answers: [
      ['Which skills do you want?', `${KEYS.tab}${KEYS.down}${KEYS.tab}${KEYS.enter}`],
      ['Which agents should get your skills?', KEYS.enter],
      ['Install csv and mail for Claude Code and Codex?', KEYS.enter],
    ],
  });
  check('install csv and mail', await ask(), [
    ['csv', 'mail', 'theirs'],
    ['csv', 'mail'],
  ]);
  await run('disable', 'csv', 'mail', 'theirs');
  check('disable csv, mail and theirs', await ask(), [[], []]);
  await run('enable', 'csv', 'mail');
  check('enable csv and mail', await ask(), [
    ['csv', 'mail'],
    ['csv', 'mail'],
  ]);
  await run('remove', 'csv', 'mail', '--yes');
  check('remove csv and mail', await ask(), [[], []]);
  check('links that lead nowhere', listDangling(home), []);
  await run('sync', '--undo');
  check('sync --undo', await ask(), [['theirs'], []]);
  const after = snapshotTree(home, ['.agent']);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  check(
    'files that are not as before',
    paths.filter((path) => before[path] !== after[path]),
    [],
  );
  return wrong;
}

/** The skills that the models are told of, sorted. The programs run in a copy of the home: they write into it. */
async function askPrograms(home: string, programs: string): Promise<readonly (readonly string[])[]> {
  const lists = [];
  for (const id of ASKED) {
    using made = makeTemporaryTree({ 'project/.git/HEAD': 'ref: refs/heads/main\n' });
    await using stub = await openStubModel();
    const copy = join(made.root, 'home');
    cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
    const place = { home: copy, cwd: join(made.root, 'project'), variables: {}, programs, model: stub.address };
    const { listed = [] } = await ASK[id](place, stub, { tree: {} });
    lists.push(listed.map(({ name }) => name).sort());
  }
  return lists;
}

function listDangling(home: string): readonly string[] {
  const paths = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => lstatSync(join(home, path)).isSymbolicLink() && !existsSync(join(home, path)));
}
