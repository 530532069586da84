import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { commitRaw, gitEnvironment, makeRepository, writeBlob } from '../../../test/support/git-repositories.ts';
import { serve, serveGit, serveSilence } from '../../../test/support/git-server.ts';
import { findByCommandLine, findSurvivors } from '../../../test/support/processes.ts';
import { link, makeTree, writeTree } from '../../../test/support/tree.ts';
import type { FetchOptions, FetchProgress } from './git-address.ts';
import { openRepository, type RepositoryLocation } from './open-repository.ts';
import type { Repository } from './repository.ts';

interface Bench {
  readonly home: string;
  readonly into: string;
  fetch(address: RepositoryLocation, options?: Partial<FetchOptions>): ReturnType<typeof openRepository>;
  open(address: RepositoryLocation, options?: Partial<FetchOptions>): Promise<Repository>;
  failure(address: RepositoryLocation, options?: Partial<FetchOptions>): Promise<string>;
}

function makeBench(): Bench {
  const root = makeTree({ 'home/': '' });
  const home = join(root, 'home');
  const into = join(root, 'into');
  const fetch: Bench['fetch'] = (address, options) =>
    openRepository(address, { environment: gitEnvironment(home), into, ...options });
  return {
    home,
    into,
    fetch,
    async open(address, options) {
      const fetched = await fetch(address, options);
      if (!fetched.ok) throw new Error(fetched.message);
      onTestFinished(() => fetched.repository.close());
      return fetched.repository;
    },
    async failure(address, options) {
      const before = listFolders(into);
      const fetched = await fetch(address, options);
      if (fetched.ok) {
        await fetched.repository.close();
        throw new Error('it was fetched');
      }
      expect(listFolders(into)).toEqual(before);
      return [fetched.message, JSON.stringify(fetched.next)].join('\n');
    },
  };
}

function listFolders(into: string): readonly string[] {
  return existsSync(into) ? readdirSync(into) : [];
}

async function readAll(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const listed = await repository.listTree();
  if (!listed.ok) throw new Error(listed.message);
  const files: Record<string, string> = {};
  for (const { path, kind, id } of listed.entries) {
    const read = kind === 'file' ? await repository.readBlob(id, 1_000_000) : undefined;
    files[path] = read?.ok === true ? Buffer.from(read.bytes).toString() : (read?.message ?? kind);
  }
  return files;
}

const FILES = { 'SKILL.md': '# A\n', 'scripts/run.sh': '#!/bin/sh\n' };

describe('fetching a repository', () => {
  test('gives its newest commit, with files that can be read without a checkout', async () => {
    const bench = makeBench();
    const source = makeRepository({ 'SKILL.md': 'old\n' });
    const newest = source.commit(FILES);
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(repository.commit).toBe(newest);
    expect(await readAll(repository)).toEqual(FILES);
    const listed = await repository.listTree('scripts');
    expect(listed).toMatchObject({ entries: [{ path: 'scripts/run.sh', kind: 'file', executable: true, size: 10 }] });
    const [folder = ''] = readdirSync(bench.into);
    const names = readdirSync(join(bench.into, folder, 'repository.git'));
    expect(names).toContain('shallow');
    expect(names).not.toContain('hooks');
    await repository.close();
    expect(readdirSync(bench.into)).toEqual([]);
    expect(await repository.readBlob('0'.repeat(40), 10)).toMatchObject({ ok: false });
    expect(await repository.listTree('x')).toMatchObject({ ok: true, entries: [] });
    await repository.close();
  });

  test('gives a branch, a tag, a commit or an abbreviated commit', async () => {
    const bench = makeBench();
    const source = makeRepository();
    const first = source.commit({ 'SKILL.md': 'first\n' });
    source.git(['tag', 'light']);
    source.git(['tag', '--annotate', '--message', 'x', 'v1']);
    source.git(['branch', 'feature/x']);
    source.commit({ 'SKILL.md': 'second\n' });
    for (const ref of ['light', 'v1', 'feature/x', 'refs/tags/v1', first, first.toUpperCase()]) {
      const repository = await bench.open({ kind: 'file', url: source.url }, { ref });
      expect([ref, repository.commit, repository.notices]).toEqual([ref, first, []]);
    }
    const short = await bench.open({ kind: 'file', url: source.url, ref: first.slice(0, 8) });
    expect(short.commit).toBe(first);
    expect(short.notices.join()).toContain('abbreviated commit ids');
  });

  test('gives a single commit even from a server that offers none, and says that it fetched more', async () => {
    const bench = makeBench();
    const source = makeRepository();
    const first = source.commit({ 'SKILL.md': 'first\n' });
    source.commit({ 'SKILL.md': 'second\n' });
    const server = await serveGit(join(source.dir, '..'), { isOld: true });
    const repository = await bench.open({ kind: 'http', url: `${server.origin}/repo/.git`, ref: first });
    expect(repository.commit).toBe(first);
    expect(repository.notices.join()).toContain('does not offer single commits');
    const missing = await bench.failure({ kind: 'http', url: `${server.origin}/repo/.git`, ref: 'f'.repeat(40) });
    expect(missing).toContain('no commit ffff');
  });

  test('gives its files over http and reports progress', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const server = await serveGit(join(source.dir, '..'));
    const seen: FetchProgress[] = [];
    const onProgress = (progress: FetchProgress): void => void seen.push(progress);
    const repository = await bench.open({ kind: 'http', url: `${server.origin}/repo/.git` }, { onProgress });
    expect(await readAll(repository)).toEqual(FILES);
    expect(seen).toContainEqual({ phase: 'Receiving objects', percent: 100 });
  });

  test('gives the new commit of a tag that moved, and the old one by its id', async () => {
    const bench = makeBench();
    const source = makeRepository();
    const first = source.commit({ 'SKILL.md': 'first\n' });
    source.git(['tag', 'v1']);
    expect((await bench.open({ kind: 'file', url: source.url, ref: 'v1' })).commit).toBe(first);
    const second = source.commit({ 'SKILL.md': 'second\n' });
    source.git(['tag', '--force', 'v1']);
    expect((await bench.open({ kind: 'file', url: source.url, ref: 'v1' })).commit).toBe(second);
    expect((await bench.open({ kind: 'file', url: source.url, ref: first })).commit).toBe(first);
  });

  test('gives a directory as committed if it is a repository, else as it is', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    writeTree(source.dir, { 'new.md': 'not committed' });
    const committed = await bench.open({ kind: 'directory', url: source.dir });
    expect(Object.keys(await readAll(committed))).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect(committed.notices.join()).toContain('Only committed files');

    const dir = makeTree({ ...FILES, link: link('/etc/passwd'), 'inner/.git/config': 'x' });
    const folder = await bench.open({ kind: 'directory', url: dir });
    expect(folder.commit).toBeUndefined();
    expect(await readAll(folder)).toEqual({ ...FILES, link: 'link' });
    expect(await folder.readBlob('../x', 10)).toMatchObject({ ok: false });
    expect(await folder.readBlob('link', 10)).toMatchObject({ ok: false });
    expect(await bench.failure({ kind: 'directory', url: dir }, { ref: 'main' })).toContain('is not a git repository');
    expect(await bench.failure({ kind: 'directory', url: '~/nothing' })).toContain('is not a directory');
  });
});

describe('fetching a repository', () => {
  test.each([
    [{ kind: 'https', url: '--upload-pack=touch canary' }],
    [{ kind: 'file', url: '-u/bin/false' }],
    [{ kind: 'https', url: 'ext::sh -c "touch canary"' }],
    [{ kind: 'https', url: 'file:///tmp' }],
    [{ kind: 'ssh', url: 'ssh://-oProxyCommand=touch' }],
    [{ kind: 'ssh', url: 'git@-x:y' }],
    [{ kind: 'ssh', url: 'git@host:-x' }],
    [{ kind: 'ssh', url: '-oProxyCommand=x@host:y' }],
  ] as const)('never gives git the address %o', async (address) => {
    const bench = makeBench();
    expect(await bench.failure(address, { useGitCredentials: true })).toContain('cannot be given to git');
  });

  test.each(['--upload-pack=touch canary', '-x', 'a..b', 'a:b', 'HEAD^', 'main:refs/heads/x', 'a b', '@{u}', ''])(
    'never gives git the ref %j',
    async (ref) => {
      const address = { kind: 'file', url: 'file:///nonexistent' } as const;
      expect(await makeBench().failure(address, { ref })).toContain(`the ref ${JSON.stringify(ref)}`);
      expect(await makeBench().failure({ ...address, ref })).toContain(`the ref ${JSON.stringify(ref)}`);
    },
  );

  test('fails if the ref looks like a refspec', async () => {
    const source = makeRepository(FILES);
    expect(await makeBench().failure({ kind: 'file', url: source.url, ref: '+main' })).toContain('+main');
  });

  test('fails and names a missing ref, repository or commit', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    expect(await bench.failure({ kind: 'file', url: source.url, ref: 'nope' })).toContain(
      'no branch, tag or commit nope',
    );
    expect(await bench.failure({ kind: 'file', url: makeRepository().url })).toContain('no commits yet');
    expect(await bench.failure({ kind: 'file', url: `${source.url}-x` })).toMatch(
      /not a git repository|does not exist/,
    );
    source.git(['tag', 'blob', writeBlob(source, 'x')]);
    expect(await bench.failure({ kind: 'file', url: source.url, ref: 'blob' })).toMatch(/not a commit/);
  });

  test('fails if git is missing or too old', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const bin = makeTree({ 'old/git': '#!/bin/sh\necho git version 2.31.9\n', 'empty/': '' });
    const withPath = (path: string): Partial<FetchOptions> => ({
      environment: gitEnvironment(bench.home, { PATH: path }),
    });
    expect(await bench.failure({ kind: 'file', url: source.url }, withPath(join(bin, 'empty')))).toContain(
      'not installed',
    );
    expect(await bench.failure({ kind: 'file', url: source.url }, withPath(join(bin, 'old')))).toContain(
      '2.32 or newer',
    );
  });

  test('fails if the repository is larger than the limit', async () => {
    const bench = makeBench();
    const noise = Buffer.alloc(3_000_000);
    for (let at = 0, seed = 1; at < noise.length; at += 1)
      noise[at] = (seed = (seed * 1664525 + 1013904223) >>> 0) >>> 24;
    const source = makeRepository({ 'SKILL.md': '# A', 'noise.bin': noise });
    expect(await bench.failure({ kind: 'file', url: source.url }, { maxBytes: 1_000_000 })).toContain('too large');
  });

  test('fails if the server never answers, and ends git and its helpers in time', async () => {
    const bench = makeBench();
    const { origin } = await serveSilence();
    const fetching = bench.failure({ kind: 'http', url: `${origin}/a/b` }, { timeoutMs: 1_500 });
    expect(await fetching).toContain('2 s');
    expect(await findSurvivors(origin)).toEqual([]);
  });

  test('fails if the caller cancels', async () => {
    const bench = makeBench();
    const { origin } = await serveSilence();
    const stop = new AbortController();
    const fetching = bench.failure({ kind: 'http', url: `${origin}/a/b` }, { signal: stop.signal });
    while (findByCommandLine(origin).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect(await fetching).toContain('cancelled');
    expect(await findSurvivors(origin)).toEqual([]);
    expect(await bench.failure({ kind: 'http', url: `${origin}/a/b` }, { signal: stop.signal })).toContain('cancelled');
  });

  test('fails if the server refuses with megabytes of text', async () => {
    const bench = makeBench();
    const server = await serve((_request, response) => {
      response.setHeader('content-type', 'text/plain');
      response.statusCode = 403;
      response.end('x\n'.repeat(2_000_000));
    });
    expect(await bench.failure({ kind: 'http', url: `${server.origin}/a/b` })).toContain('could not be fetched');
  });
});

describe('a redirect of a git server', () => {
  test('is followed within the same server', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const server = await serveGit(join(source.dir, '..'), {
      before(request, response) {
        if (!request.url?.startsWith('/old/')) return false;
        response.writeHead(301, { location: request.url.replace('/old/', '/repo/.git/') }).end();
        return true;
      },
    });
    const repository = await bench.open({ kind: 'http', url: `${server.origin}/old` });
    expect(await readAll(repository)).toEqual(FILES);
  });

  test('is not followed to another server', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const other = await serveGit(join(source.dir, '..'));
    const server = await serve((request, response) => {
      response.writeHead(302, { location: `${other.origin}${request.url}` }).end();
    });
    const message = await bench.failure({ kind: 'http', url: `${server.origin}/repo/.git` });
    expect(message).toContain(`redirects to ${other.origin}`);
  });

  test('is not followed to another protocol', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const silence = await serveSilence();
    const ftp = silence.origin.replace('http:', 'ftp:');
    for (const location of [`file://${source.dir}/.git/info/refs?service=git-upload-pack`, `${ftp}/info/refs`]) {
      const server = await serve((_request, response) => void response.writeHead(302, { location }).end());
      const message = await bench.failure({ kind: 'http', url: `${server.origin}/repo/.git` }, { timeoutMs: 5_000 });
      expect(message).toContain('could not be fetched');
    }
    expect(silence.requests).toEqual([]);
  });

  test('is not followed at all if credentials are used', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const other = await serveGit(join(source.dir, '..'));
    const server = await serve((request, response) => {
      response.writeHead(302, { location: `${other.origin}${request.url}` }).end();
    });
    const credentials = { reveal: () => 'me:s3cret' };
    const message = await bench.failure({ kind: 'http', url: `${server.origin}/repo/.git`, credentials });
    expect(message).toContain('another address');
    expect(other.requests).toEqual([]);
  });
});

describe('an address that no person typed', () => {
  test.each(['http', 'ssh'] as const)('is not asked by %s if it is inside the network', async (kind) => {
    const bench = makeBench();
    const silence = await serveSilence();
    const url = `${silence.origin.replace('http', kind)}/a/b`;
    const message = await bench.failure({ kind, url }, { isTyped: false });
    expect(message).toContain('inside your network (127.0.0.1)');
    expect(message).toContain('"set":"privateHosts","add":"127.0.0.1"');
    expect(await bench.failure({ kind: 'ssh', url: 'git@localhost:a/b' }, { isTyped: false })).toContain('inside');
    expect(silence.requests).toEqual([]);
  });

  test('is fetched from where it was looked up, and may redirect only if the host is known for it', async () => {
    const bench = makeBench();
    const bin = makeTree({ git: `#!/bin/sh\necho git version 2.40.0\necho "$@" >> ${bench.home}/said\n` });
    const environment = gitEnvironment(bench.home, { PATH: `${bin}:${process.env['PATH']}` });
    const settingsOf = async (address: Partial<RepositoryLocation>, isTyped: boolean): Promise<readonly string[]> => {
      writeTree(bench.home, { said: '' });
      await bench.failure({ kind: 'https', url: 'https://8.8.8.8/a/b', ...address }, { environment, isTyped });
      const said = readFileSync(join(bench.home, 'said'), 'utf8');
      return [...new Set(said.match(/http\.(?:followRedirects|curloptResolve)=\S+/g))];
    };
    const pinned = 'http.curloptResolve=8.8.8.8:443:8.8.8.8';
    expect(await settingsOf({}, true)).toEqual(['http.followRedirects=initial']);
    expect(await settingsOf({}, false)).toEqual(['http.followRedirects=false', pinned]);
    expect(await settingsOf({ mayRedirect: true }, false)).toEqual(['http.followRedirects=initial', pinned]);
  });
});

describe('git credentials', () => {
  test('in an address reach its server but neither the disk nor the process list', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const expected = `Basic ${Buffer.from('me:s3cret').toString('base64')}`;
    const leaks: number[] = [];
    const server = await serveGit(join(source.dir, '..'), {
      before(request, response) {
        leaks.push(...findByCommandLine('s3cret'), ...findByCommandLine(expected.slice(6)));
        if (request.headers.authorization === expected) return false;
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
        return true;
      },
    });
    const address = { kind: 'http', url: `${server.origin}/repo/.git` } as const;
    const repository = await bench.open({ ...address, credentials: { reveal: () => 'me:s3cret' } });
    expect(await readAll(repository)).toEqual(FILES);
    expect(leaks).toEqual([]);
    const [folder = ''] = readdirSync(bench.into);
    expect(JSON.stringify(repository)).not.toContain('s3cret');
    for (const name of ['config', 'HEAD']) {
      expect(readFileSync(join(bench.into, folder, 'repository.git', name), 'utf8')).not.toContain('s3cret');
    }
    await repository.close();
    const wrong = await bench.failure({ ...address, credentials: { reveal: () => 'me:wrong-one' } });
    expect(wrong).toContain('do not give access');
    expect(wrong).not.toContain('wrong-one');
    expect(await bench.failure(address)).toContain('useGitCredentials');
  });

  test('of the user are used only on request, and nothing else of their git configuration is', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const expected = `Basic ${Buffer.from('me:helped').toString('base64')}`;
    const server = await serveGit(join(source.dir, '..'), {
      before(request, response) {
        if (request.headers.authorization === expected) return false;
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
        return true;
      },
    });
    const canary = join(bench.home, 'canary');
    writeTree(bench.home, {
      'helper.sh': `#!/bin/sh\ntouch ${bench.home}/asked\necho username=me\necho password=helped\n`,
      '.gitconfig': `[credential]\n  helper = !${bench.home}/helper.sh\n${evilSettings(canary, server.origin)}`,
    });
    const address = { kind: 'http', url: `${server.origin}/repo/.git` } as const;
    expect(await bench.failure(address)).toContain('private');
    expect(existsSync(join(bench.home, 'asked'))).toBe(false);
    const repository = await bench.open(address, { useGitCredentials: true });
    expect(await readAll(repository)).toEqual(FILES);
    expect(existsSync(join(bench.home, 'asked'))).toBe(true);
    expect(existsSync(canary)).toBe(false);
  });

  test("for ssh are the user's own, without prompts and without agent forwarding", async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const ssh = `#!/bin/sh\necho "$@ $HOME $SSH_AUTH_SOCK" > ${bench.home}/said\nexec git-upload-pack ${source.dir}\n`;
    const bin = makeTree({ ssh });
    const variables = {
      PATH: `${bin}:${process.env['PATH']}`,
      GIT_SSH_COMMAND: `touch ${bench.home}/canary`,
      SSH_AUTH_SOCK: '/agent',
    };
    const environment = gitEnvironment(bench.home, variables);
    writeTree(bench.home, { '.gitconfig': `[core]\n  sshCommand = touch ${bench.home}/canary\n` });
    const repository = await bench.open({ kind: 'ssh', url: 'git@example.com:a/b' }, { environment });
    expect(await readAll(repository)).toEqual(FILES);
    expect(readFileSync(join(bench.home, 'said'), 'utf8')).toMatch(/BatchMode=yes.*ForwardAgent=no.*git@example\.com/s);
    expect(readFileSync(join(bench.home, 'said'), 'utf8')).toContain(`${bench.home} /agent`);
    expect(existsSync(join(bench.home, 'canary'))).toBe(false);
  });
});

/** Settings each of which would run something, or lead elsewhere. */
function evilSettings(canary: string, origin: string): string {
  const touch = `touch ${canary}`;
  return `
[core]
  hooksPath = ${canary}-hooks
  fsmonitor = ${touch}
  sshCommand = ${touch}
  askPass = ${canary}-hooks/askpass
  gitProxy = ${touch}
  alternateRefsCommand = ${touch}
[init]
  templateDir = ${canary}-template
[filter "x"]
  smudge = ${touch}
  process = ${touch}
  required = true
[url "file:///nonexistent/"]
  insteadOf = ${origin}/
  insteadOf = file:///
[protocol "ext"]
  allow = always
[uploadpack]
  packObjectsHook = ${touch};
[fetch]
  recurseSubmodules = true
[include]
  path = ${canary}-included
`;
}

describe('fetching from a hostile repository or with a hostile git configuration:', () => {
  test('hooks, templates, filters, helpers and redirections do not run', async () => {
    const bench = makeBench();
    const source = makeRepository({ ...FILES, '.gitattributes': '* filter=x\n' });
    const canary = join(bench.home, 'canary');
    const hook = `#!/bin/sh\ntouch ${canary}\n`;
    const hooks = ['reference-transaction', 'post-checkout', 'post-merge', 'askpass'];
    writeTree(bench.home, {
      '.gitconfig': evilSettings(canary, 'http://127.0.0.1'),
      ...Object.fromEntries(hooks.map((name) => [`canary-hooks/${name}`, hook])),
      ...Object.fromEntries(hooks.map((name) => [`canary-template/hooks/${name}`, hook])),
      'canary-included': `[core]\n  fsmonitor = touch ${canary}\n`,
    });
    const environment = gitEnvironment(bench.home, {
      GIT_TEMPLATE_DIR: `${canary}-template`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: `${canary}-hooks`,
      GIT_CONFIG_PARAMETERS: `'core.hooksPath=${canary}-hooks'`,
      GIT_EXTERNAL_DIFF: `touch ${canary}`,
      GIT_TRACE: `${canary}-trace`,
      GIT_DIR: source.dir,
      GIT_PROXY_COMMAND: `touch ${canary}`,
    });
    for (const useGitCredentials of [false, true]) {
      const repository = await bench.open({ kind: 'file', url: source.url }, { environment, useGitCredentials });
      expect(await readAll(repository)).toMatchObject(FILES);
    }
    expect(existsSync(canary)).toBe(false);
    expect(existsSync(`${canary}-trace`)).toBe(false);
  });

  test('submodules are listed and not fetched', async () => {
    const bench = makeBench();
    const inner = makeRepository(FILES);
    const source = makeRepository(FILES);
    const marker = join(bench.home, 'canary');
    const modules = `[submodule "x"]\n  path = x\n  url = ${inner.url}\n  update = !touch ${marker}\n`;
    source.commit({ '.gitmodules': modules.replace(/ {2}update.*\n/, '') });
    source.git(['update-index', '--add', '--cacheinfo', `160000,${inner.git(['rev-parse', 'HEAD']).trim()},x`]);
    source.git(['commit', '--quiet', '--message', 'x']);
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(await readAll(repository)).toMatchObject({ ...FILES, x: 'submodule' });
    const worse = makeRepository(FILES);
    worse.commit({ '.gitmodules': modules });
    expect(await bench.failure({ kind: 'file', url: worse.url })).toContain('dangerous objects');
  });

  test('links are listed as links', async () => {
    const bench = makeBench();
    const source = makeRepository({ ...FILES, a: link('/etc/passwd'), b: link('../../x') });
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(await readAll(repository)).toMatchObject({ a: 'link', b: 'link' });
  });

  test('trees that contain .git or .. are refused', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const blob = writeBlob(source, 'x');
    for (const name of ['..', '.git', '.GIT', 'git~1', '.g\u200cit']) {
      commitRaw(source, [['100644', name, blob]]);
      expect(await bench.failure({ kind: 'file', url: source.url })).toContain('dangerous objects');
    }
  });

  test('replaced objects and grafts change nothing', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const commit = source.git(['rev-parse', 'HEAD']).trim();
    source.git(['replace', writeBlob(source, '# A\n'), writeBlob(source, '# Evil\n')]);
    writeTree(source.dir, { '.git/info/grafts': `${commit}\n` });
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(await readAll(repository)).toEqual(FILES);
  });

  test('alternate object folders are copied from but never used by the copy', async () => {
    const bench = makeBench();
    const lender = makeRepository(FILES);
    const source = makeRepository();
    writeTree(source.dir, {
      '.git/objects/info/alternates': `${lender.dir}/.git/objects\n`,
      '.git/objects/info/http-alternates': 'http://127.0.0.1:1/\n',
      '.git/refs/heads/main': lender.git(['rev-parse', 'HEAD']),
    });
    const server = await serveGit(join(source.dir, '..'));
    for (const address of [
      { kind: 'file', url: source.url },
      { kind: 'http', url: `${server.origin}/repo/.git` },
    ] as const) {
      const repository = await bench.open(address);
      const [folder = ''] = readdirSync(bench.into);
      expect(existsSync(join(bench.into, folder, 'repository.git/objects/info/alternates'))).toBe(false);
      expect(await readAll(repository)).toEqual(FILES);
      await repository.close();
    }
  });

  test('settings and hooks of a local repository do not run', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const canary = join(bench.home, 'canary');
    const hook = `#!/bin/sh\ntouch ${canary}\n`;
    writeTree(source.dir, {
      '.git/hooks/pre-upload-pack': hook,
      '.git/hooks/post-upload-pack': hook,
      '.git/config': `[core]\n  bare = false\n  repositoryformatversion = 0\n${evilSettings(canary, 'x')}`,
    });
    const repository = await bench.open({ kind: 'directory', url: source.dir });
    expect(await readAll(repository)).toEqual(FILES);
    expect(existsSync(canary)).toBe(false);
  });

  test('an embedded bare repository is treated as plain files', async () => {
    const bench = makeBench();
    const canary = join(bench.home, 'canary');
    const source = makeRepository({
      ...FILES,
      'bare/HEAD': 'ref: refs/heads/main\n',
      'bare/config': `[core]\n  bare = true\n  fsmonitor = touch ${canary}\n`,
      'bare/objects/info/x': '',
      'bare/refs/x': '',
    });
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(Object.keys(await readAll(repository))).toContain('bare/config');
    expect(existsSync(canary)).toBe(false);
  });

  test('a 30 MB file in a small pack is refused before it is read', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const blob = writeBlob(source, Buffer.alloc(30_000_000));
    commitRaw(source, [['100644', 'bomb', blob]]);
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(await repository.listTree()).toMatchObject({ entries: [{ path: 'bomb', size: 30_000_000 }] });
    expect(await repository.readBlob(blob, 1_000)).toMatchObject({
      ok: false,
      message: 'it is larger than 1000 bytes',
    });
    const [folder = ''] = readdirSync(bench.into);
    const packs = join(bench.into, folder, 'repository.git/objects/pack');
    expect(readdirSync(packs).reduce((sum, name) => sum + statSync(join(packs, name)).size, 0)).toBeLessThan(200_000);
  });

  test('a tree that unfolds into millions of files is refused without listing it all', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    let id = source.git(['rev-parse', 'HEAD^{tree}']).trim();
    for (let level = 0; level < 7; level += 1) {
      const lines = Array.from({ length: 10 }, (_, at) => `040000 tree ${id}\td${at}\n`).join('');
      id = source.git(['mktree'], lines).trim();
    }
    commitRaw(source, [['40000', 'd', id]]);
    expect(await bench.failure({ kind: 'file', url: source.url })).toContain('too many files');
  });

  test('an object that unpacks to more memory than the limit is refused', async () => {
    const bench = makeBench();
    const source = makeRepository(FILES);
    const tree = source.git(['rev-parse', 'HEAD^{tree}']).trim();
    const author = 'a <a@example.com> 0 +0000';
    const text = `tree ${tree}\nauthor ${author}\ncommitter ${author}\n\n${'x'.repeat(5_000_000)}\n`;
    const commit = source.git(['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim();
    source.git(['update-ref', 'refs/heads/main', commit]);
    const server = await serveGit(join(source.dir, '..'));
    const address = { kind: 'http', url: `${server.origin}/repo/.git` } as const;
    expect(await bench.failure(address, { maxBytes: 1_000_000 })).toContain('an object is too large');
    expect((await bench.open(address)).commit).toBe(commit);
  });

  test('small, large and duplicate files are read whole, between links and submodules', async () => {
    const bench = makeBench();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many/${at}.md`, `number ${at}\n`]));
    const files = { ...FILES, 'a/large.txt': 'x'.repeat(100_000), 'a/same': 'same', 'b/same': 'same', ...many };
    const source = makeRepository({ ...files, 'b/link': link('same') });
    source.git(['update-index', '--add', '--cacheinfo', `160000,${source.git(['rev-parse', 'HEAD']).trim()},b/x`]);
    source.git(['commit', '--quiet', '--message', 'x']);
    const repository = await bench.open({ kind: 'file', url: source.url });
    expect(await readAll(repository)).toEqual({ ...files, 'b/link': 'link', 'b/x': 'submodule' });
  });

  test('reading continues after a missing, oversized or invalid object', async () => {
    const bench = makeBench();
    const source = makeRepository({ ...FILES, 'big.bin': Buffer.alloc(200_000, 7) });
    const repository = await bench.open({ kind: 'file', url: source.url });
    const big = writeBlob(source, Buffer.alloc(200_000, 7));
    const small = writeBlob(source, '# A\n');
    const reads = await Promise.all([
      repository.readBlob(big, 100_000),
      repository.readBlob('0'.repeat(40), 10),
      repository.readBlob(`${small}\n${big}`, 10),
      repository.readBlob(repository.commit ?? '', 1_000),
      repository.readBlob(small, 3),
      repository.readBlob(small, 4),
      repository.readBlob(big, 200_000),
    ]);
    expect(reads.map((read) => (read.ok ? read.bytes.length : 'failed'))).toEqual([
      ...Array.from({ length: 5 }, () => 'failed'),
      4,
      200_000,
    ]);
    await repository.close();
    expect(await findSurvivors(bench.into)).toEqual([]);
  });
});
