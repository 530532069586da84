import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Environment } from '../../src/platform/environment.ts';
import { readEnvironment } from '../../src/platform/environment.ts';
import { makeTree, writeTree, type Tree } from './tree.ts';

/** A real git repository in a temporary folder. */
export interface TestRepository {
  readonly dir: string;
  readonly url: string;
  /** Runs git in the repository and returns its output. */
  git(args: readonly string[], input?: string | Uint8Array): string;
  /** Writes files, commits them and returns the commit. */
  commit(tree: Tree): string;
}

/** Git without any configuration of the user or system. */
const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z',
  // Each commit would start one more process, to see whether there is something to tidy up.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

export function makeRepository(tree: Tree = {}, dir: string = join(makeTree(), 'repo')): TestRepository {
  writeTree(dir, { './': '' });
  const git: TestRepository['git'] = (args, input) =>
    execFileSync('git', args, { cwd: dir, env: ENV, input: input ?? '', stdio: 'pipe', maxBuffer: 2 ** 30 }).toString();
  git(['init', '--quiet', '--template=', '--initial-branch=main']);
  const commit = (files: Tree): string => {
    writeTree(dir, files);
    git(['add', '--all', '--force']);
    git(['commit', '--quiet', '--allow-empty', '--message', 'x']);
    return git(['rev-parse', 'HEAD']).trim();
  };
  if (Object.keys(tree).length > 0) commit(tree);
  return { dir, url: `file://${dir}`, git, commit };
}

/** A tree entry `[mode, name, id]` that git's index would refuse. */
export type RawEntry = readonly [mode: string, name: string | Uint8Array, id: string];

/** Commits a tree as given, byte for byte, on the branch `main`. */
export function commitRaw(repository: TestRepository, entries: readonly RawEntry[]): string {
  const parts = entries.map(([mode, name, id]) =>
    Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(id, 'hex')]),
  );
  const write = (type: string, bytes: string | Uint8Array): string =>
    repository.git(['hash-object', '-t', type, '-w', '--literally', '--stdin'], bytes).trim();
  const tree = write('tree', Buffer.concat(parts));
  const who = 'a <a@example.com> 1577836800 +0000';
  const commit = write('commit', `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  repository.git(['update-ref', 'refs/heads/main', commit]);
  return commit;
}

export function writeBlob(repository: TestRepository, content: string | Uint8Array): string {
  return repository.git(['hash-object', '-w', '--stdin'], content).trim();
}

/** The machine's PATH, and a home for the test alone. */
export function gitEnvironment(home: string, variables: Readonly<Record<string, string>> = {}): Environment {
  return readEnvironment({ cwd: home, home, env: { PATH: process.env['PATH'], HOME: home, ...variables } });
}
