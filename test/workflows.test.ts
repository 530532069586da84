import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

import { makeTree } from './support/tree.ts';

const FOLDER = '.github/workflows';
const FILES = readdirSync(FOLDER).map((name) => join(FOLDER, name));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly steps?: readonly Step[] }>>;
}

function readJobs(file: string): readonly Workflow['jobs'][string][] {
  const workflow: Workflow = parse(readFileSync(file, 'utf8'));
  return Object.values(workflow.jobs);
}

const LINES = new Set(
  FILES.flatMap(readJobs)
    .flatMap(({ steps = [] }) => steps)
    .flatMap(({ run = '' }) => run.split('\n'))
    .filter((line) => line.trim() !== ''),
);

/** Lines that no test can run, and why. Every other line is run below. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'sudo apt-get update -q': 'needs root and the network',
  'sudo apt-get install -qy --no-install-recommends bubblewrap': 'needs root and the network',
  'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0': 'needs root, and changes the machine',
  'npm ci --ignore-scripts': 'needs the network',
  'npm test': 'is the suite that this test belongs to',
  'node node_modules/vitest/vitest.mjs run --project unit': 'is most of the suite that this test belongs to',
  'sudo .ci/hide-programs runuser -u "$USER" -- env "PATH=$PATH" "HOME=$HOME" .ci/check-hidden': 'needs root',
  'sudo env "PATH=$PATH" npm run test:security': 'needs root',
  'npm run build': 'ran before this test, in test/build-once.ts',
  'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file release-notes.md':
    'needs the hosting site',
};

test('the Dependabot settings and the issue forms of the repository are valid', () => {
  const read = (file: string): unknown => parse(readFileSync(join('.github', file), 'utf8'));
  for (const form of ['bug', 'idea'])
    expect(read(`ISSUE_TEMPLATE/${form}.yml`)).toMatchObject({ name: expect.any(String), body: expect.any(Array) });
  expect(read('dependabot.yml')).toMatchObject({
    updates: [
      { 'package-ecosystem': 'npm', directory: '/', groups: { runtime: {}, development: {} } },
      { 'package-ecosystem': 'github-actions', directory: '/', groups: { actions: {} } },
    ],
  });
});

test('every action in a workflow is pinned to a commit, with the version in a comment', () => {
  const used = FILES.flatMap((file) => readFileSync(file, 'utf8').match(/uses: .*/g) ?? []);
  expect(used.length).toBeGreaterThan(3);
  for (const line of used)
    expect(line).toMatch(/^uses: (?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/.+)$/);
  const called = FILES.flatMap(readJobs).flatMap(({ uses }) => uses ?? []);
  expect(called.filter((path) => !existsSync(path))).toEqual([]);
});

test('every script, path, workspace and project that a workflow names exists', () => {
  expect([...LINES].flatMap(findMissing)).toEqual([]);
});

test('the workflow check finds scripts, paths, workspaces and projects that do not exist', () => {
  const line = 'npm run gone && node tools/gone.ts --project gone && npm publish --workspace gone > notes.md';
  expect(findMissing(line)).toEqual(['script gone', 'project gone', 'workspace gone', 'path tools/gone.ts']);
});

test('every line of a workflow is valid bash and is run by a test, or has a reason why not', () => {
  for (const line of LINES) expect([line, spawnSync('bash', ['-n', '-c', line]).status]).toEqual([line, 0]);
  expect([...LINES].filter((line) => !(line in NOT_RUN))).toEqual([
    'echo "::notice::Skillplane does not support $RUNNER_OS yet. This job may fail."',
    'node bin/skillplane.mjs search skill --json',
    'node tools/prepare-release.ts "$GITHUB_REF_NAME"',
    'node tools/release-notes.ts "$GITHUB_REF_NAME" > release-notes.md',
    'npm publish --provenance --access public',
    'npm publish --provenance --access public --workspace hub',
  ]);
  expect(Object.keys(NOT_RUN).filter((line) => !LINES.has(line))).toEqual([]);
});

test('the CI workflow names the system that may fail and starts the command line', async () => {
  const home = makeTree();
  expect(await runLine('echo', { RUNNER_OS: 'Windows' })).toContain('does not support Windows yet');
  const found: unknown = JSON.parse(await runLine('node bin/', { HOME: home, AGENT_HOME: join(home, '.agent') }));
  expect(found).toBeTypeOf('object');
});

describe('the release workflow', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const HOST = {
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'team/skillplane',
  };

  /** The files that a release changes or reads, in a folder of their own. */
  function copyCheckout(): string {
    const root = makeTree({ 'hub/': '', 'tools/': '', 'home/': '' });
    for (const path of ['package.json', 'hub/package.json', 'CHANGELOG.md', 'README.md'])
      copyFileSync(path, join(root, path));
    for (const name of ['prepare-release.ts', 'release-notes.ts'])
      copyFileSync(join('tools', name), join(root, 'tools', name));
    return root;
  }

  const readManifest = (root: string, path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

  test('adds the address of the hosting site to both packages, and makes the hub depend on the published one', async () => {
    const cwd = copyCheckout();
    await runLine('node tools/prepare-release.ts', HOST, cwd);
    const addresses = {
      homepage: 'https://git.example/team/skillplane#readme',
      bugs: 'https://git.example/team/skillplane/issues',
    };
    const repository = { type: 'git', url: 'git+https://git.example/team/skillplane.git' };
    expect(readManifest(cwd, 'package.json')).toEqual({ ...readObject('package.json'), ...addresses, repository });
    expect(readManifest(cwd, 'hub/package.json')).toMatchObject({
      ...addresses,
      repository: { ...repository, directory: 'hub' },
      dependencies: { skillplane: version },
    });
  });

  test('gives the links and pictures of README addresses that also work outside the repository', async () => {
    const cwd = copyCheckout();
    await runLine('node tools/prepare-release.ts', HOST, cwd);
    const targets = [...readFileSync(join(cwd, 'README.md'), 'utf8').matchAll(/(!?)\[[^\]]*\]\(([^)]+)\)/g)];
    const pictures = targets.filter(([, mark]) => mark === '!').map(([, , target]) => target);
    expect(pictures).toContain(`https://git.example/team/skillplane/raw/v${version}/docs/terminal.svg`);
    const links = targets.map(([, , target = '']) => target);
    expect(links).toContain(`https://git.example/team/skillplane/blob/v${version}/docs/guide/mcp.md`);
    expect(links.filter((target) => !target.startsWith('https://'))).toEqual([]);
  });

  test('changes nothing if the tag is not the version of both packages or the hosting site is unknown', async () => {
    const cwd = copyCheckout();
    writeFileSync(join(cwd, 'hub/package.json'), JSON.stringify({ version: '9.0.0', dependencies: {} }));
    const before = readFileSync(join(cwd, 'package.json'));
    await expect(
      runLine('node tools/prepare-release.ts', { ...HOST, GITHUB_REPOSITORY: '' }, cwd),
    ).rejects.toMatchObject({
      stderr: [
        `hub/package.json has version 9.0.0, which is not the tag "v${version}".`,
        'GITHUB_SERVER_URL and GITHUB_REPOSITORY must be set.',
        '',
      ].join('\n'),
    });
    expect(readFileSync(join(cwd, 'package.json'))).toEqual(before);
  });

  test('takes its notes from the section of its version in the changelog', async () => {
    const cwd = copyCheckout();
    const log =
      '# Changelog\n\n## [Unreleased]\n\n- Later.\n\n## [0.2.0] - 2020-01-01\n\n### Added\n\n- This.\n\n## [0.1.0]\n\n- Old.\n';
    writeFileSync(join(cwd, 'CHANGELOG.md'), log);
    await runLine('node tools/release-notes.ts', { GITHUB_REF_NAME: 'v0.2.0' }, cwd);
    expect(readFileSync(join(cwd, 'release-notes.md'), 'utf8')).toBe('### Added\n\n- This.\n');
  });

  test('fails without notes', async () => {
    const cwd = copyCheckout();
    await expect(runLine('node tools/release-notes.ts', { GITHUB_REF_NAME: 'v9.0.0' }, cwd)).rejects.toMatchObject({
      stderr: 'CHANGELOG.md has no section under "## [9.0.0]".\n',
    });
    writeFileSync(join(cwd, 'CHANGELOG.md'), '## [0.2.0]\n\n## [0.1.0]\n\n- Old.\n');
    await expect(runLine('node tools/release-notes.ts', { GITHUB_REF_NAME: 'v0.2.0' }, cwd)).rejects.toMatchObject({
      stderr: 'CHANGELOG.md has nothing under "## [0.2.0]".\n',
    });
  });

  test('finds notes for the current version', async () => {
    const cwd = copyCheckout();
    await runLine('node tools/release-notes.ts', HOST, cwd);
    expect(readFileSync(join(cwd, 'release-notes.md'), 'utf8')).toContain('### Added');
  });

  test('publishes the hub with a dependency on the published package, not on a folder', async () => {
    const cwd = copyCheckout();
    const published: unknown[] = [];
    const registry = createServer(async (request, response) => {
      if (request.method === 'PUT') published.push(await json(request));
      response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void registry.close());
    await new Promise((resolve) => void registry.once('listening', resolve));
    const address = `127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    writeFileSync(join(cwd, 'home/.npmrc'), `//${address}:_authToken=x\nregistry=http://${address}\n`);
    await runLine('node tools/prepare-release.ts', HOST, cwd);
    // Only the hosting site can sign, and building takes long.
    const env = { HOME: join(cwd, 'home'), npm_config_ignore_scripts: 'true' };
    for (const line of [...LINES].filter((one) => one.startsWith('npm publish')))
      await runBash(line.replace(' --provenance', ''), env, cwd);
    expect(published).toMatchObject([
      { name: 'skillplane', versions: { [version]: { bugs: { url: 'https://git.example/team/skillplane/issues' } } } },
      { name: 'skillplane-hub', versions: { [version]: { dependencies: { skillplane: version } } } },
    ]);
  });
});

/** Runs the line of a workflow that begins so, as its runner would, and returns its output. */
async function runLine(start: string, env: Readonly<Record<string, string>>, cwd = '.'): Promise<string> {
  const line = [...LINES].find((one) => one.startsWith(start));
  if (line === undefined) throw new Error(`no workflow has a line that begins with "${start}"`);
  return await runBash(line, env, cwd);
}

async function runBash(line: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const options = { cwd, env: { PATH: path, HOME: cwd, ...env }, encoding: 'utf8' } as const;
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], options);
  return stdout;
}

/** The scripts, projects, workspaces and paths in a line of a workflow that this repository does not have. */
function findMissing(line: string): readonly string[] {
  const { scripts, workspaces } = readObject('package.json') as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly workspaces: readonly string[];
  };
  const projects = readFileSync('vitest.config.ts', 'utf8');
  const wordsAfter = (pattern: RegExp): readonly string[] => [...line.matchAll(pattern)].map(([, word = '']) => word);
  const isPath = (word: string): boolean => /^[\w.-]+(?:\/[\w.-]+)+$/.test(word);
  return [
    ...wordsAfter(/npm run ([\w:]+)/g).flatMap((name) => (name in scripts ? [] : [`script ${name}`])),
    ...wordsAfter(/--project (\w+)/g).flatMap((name) =>
      projects.includes(`name: '${name}'`) ? [] : [`project ${name}`],
    ),
    ...wordsAfter(/--workspace (\w+)/g).flatMap((name) => (workspaces.includes(name) ? [] : [`workspace ${name}`])),
    ...line.split(' ').flatMap((word) => (!isPath(word) || existsSync(word) ? [] : [`path ${word}`])),
  ];
}

function readObject(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
}
