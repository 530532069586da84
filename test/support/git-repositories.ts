import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

/** An empty repository as git makes one; each process of git that it spares would copy the memory of the test's. */
const EMPTY: Tree = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
  '.git/objects/': '',
  '.git/refs/heads/': '',
};

export function makeRepository(tree: Tree = {}, dir: string = join(makeTree(), 'repo')): TestRepository {
  writeTree(dir, EMPTY);
  const run = (program: string, args: readonly string[], input: string | Uint8Array = ''): string =>
    execFileSync(program, args, { cwd: dir, env: ENV, input, stdio: 'pipe', maxBuffer: 2 ** 30 }).toString();
  const commit = (files: Tree): string => {
    writeTree(dir, files);
    run('sh', ['-c', 'git add --all --force && exec git commit --quiet --allow-empty --message x']);
    const head = readFileSync(join(dir, '.git/HEAD'), 'utf8').trim();
    const branch = head.replace('ref: ', '');
    return head === branch ? head : readFileSync(join(dir, '.git', branch), 'utf8').trim();
  };
  if (Object.keys(tree).length > 0) commit(tree);
  return { dir, url: `file://${dir}`, git: (args, input) => run('git', args, input), commit };
}

/** A file of a commit that `importCommit` makes. */
export interface ImportedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: '100644' | '100755' | '120000';
}

/** Commits these files, and no others, on the branch `main`; the working directory stays as it is. */
export function importCommit(repository: TestRepository, files: readonly ImportedFile[]): void {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const written = files.map(({ path, content, mode }) => `M ${mode} inline ${path}\n${data(content)}`);
  const commit = ['commit refs/heads/main\n', 'committer a <a@example.com> 1577836800 +0000\n', data('x')];
  const parent = existsSync(join(repository.dir, '.git/refs/heads/main')) ? 'from refs/heads/main^0\n' : '';
  const stream = [...commit, parent, 'deleteall\n', ...written].join('');
  repository.git(['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], stream);
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
