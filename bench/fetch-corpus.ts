/**
 * Fetches the public skills that the bench measures with: `npm run bench:corpus`. The files in bench/lists/ name each skill by repository,
 * path, and git's own digest of its bytes. A repository is asked for these digests alone, so that a skill is found even if it has
 * changed since. Nothing is checked out, and nothing runs. What was fetched before is not fetched again.
 *
 *     --from <address>   a host with the same repositories (https://github.com)
 *     --lists <folder>   other lists (bench/lists)
 *     --into <folder>    another cache (bench/cache)
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { FETCHED, type RealFile } from './real-skills.ts';

interface Listed {
  readonly repository: string;
  readonly digest: string;
  readonly path: string;
}

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: 'https://github.com' },
    lists: { type: 'string', default: 'bench/lists' },
    into: { type: 'string', default: FETCHED },
  },
});

const lists = readdirSync(options.lists)
  .filter((name) => name.endsWith('.txt'))
  .sort()
  .map((name) => ({ name: basename(name, '.txt'), files: readList(join(options.lists, name)) }));
const byRepository = Map.groupBy(
  lists.flatMap(({ files }) => files),
  ({ repository }) => repository,
);
const texts = new Map<string, string>();
for (const [repository, files] of byRepository) {
  const found = fetchRepository(repository, [...new Set(files.map(({ digest }) => digest))]);
  for (const [digest, text] of found) texts.set(digest, text);
  console.log(`${repository}: ${count(files)}`);
}
for (const { name, files } of lists) {
  const lines = files.flatMap(({ repository, digest, path }) => {
    const text = texts.get(digest);
    if (text === undefined) return [];
    const file: RealFile = { path: `${repository.replace('/', '+')}/${path}`, text };
    return [`${JSON.stringify(file)}\n`];
  });
  if (lines.length > 0) writeFileSync(join(options.into, `${name}.jsonl.gz`), gzipSync(lines.join('')));
  console.log(`${name}: ${count(files)}`);
}
if (texts.size === 0) process.exitCode = 1;
else if (lists.some(({ files }) => files.some(({ digest }) => !texts.has(digest))))
  console.log('Some files are no longer public, so figures can differ a little from ours.');

function count(files: readonly Listed[]): string {
  return `${files.filter(({ digest }) => texts.has(digest)).length} of ${files.length} files`;
}

/** A line with one word names a repository; the lines below it have a digest and a path. */
function readList(file: string): readonly Listed[] {
  let repository = '';
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, digest, path] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
      if (digest !== undefined && path !== undefined) return [{ repository, digest, path }];
      if (line !== '') repository = line;
      return [];
    });
}

/** The texts of a repository that have these digests; fetches those that are not in the cache. */
function fetchRepository(repository: string, digests: readonly string[]): ReadonlyMap<string, string> {
  const dir = join(options.into, 'repositories', `${repository.replace('/', '+')}.git`);
  mkdirSync(dir, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', dir]);
  const cached = readTexts(dir, digests);
  const missing = digests.filter((digest) => !cached.has(digest));
  if (missing.length === 0) return cached;
  const address = `${options.from}/${repository}`;
  const asked = runGit(dir, ['ls-remote', address, 'HEAD']);
  if (asked.ok) fetchDigests({ dir, address }, missing);
  else console.error(`${repository}: ${asked.message}`);
  return readTexts(dir, digests);
}

/** A server refuses a whole request if it lacks one of the digests, so the halves are asked for then. */
function fetchDigests(remote: { readonly dir: string; readonly address: string }, digests: readonly string[]): void {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--stdin'];
  if (runGit(remote.dir, ['fetch', ...options, remote.address], digests).ok || digests.length === 1) return;
  const half = Math.ceil(digests.length / 2);
  fetchDigests(remote, digests.slice(0, half));
  fetchDigests(remote, digests.slice(half));
}

function runGit(dir: string, args: readonly string[], lines: readonly string[] = []) {
  const { status, stderr } = spawnSync('git', ['-C', dir, ...args], {
    input: lines.map((line) => `${line}\n`).join(''),
    encoding: 'utf8',
    // A repository that is gone must fail, not ask for a password.
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  return { ok: status === 0, message: stderr.trim() };
}

function readTexts(dir: string, digests: readonly string[]): ReadonlyMap<string, string> {
  const input = digests.map((digest) => `${digest}\n`).join('');
  const output = execFileSync('git', ['-C', dir, 'cat-file', '--batch'], { input, maxBuffer: 2 ** 30 });
  const found = new Map<string, string>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [digest = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    found.set(digest, output.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
