import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { publint } from 'publint';
import { describe, expect, test } from 'vitest';

import { renderLock } from '../src/config/lock-file.ts';
import { VERSION } from '../src/model/version.ts';
import { makeRepository } from './support/git-repositories.ts';
import { settle } from './support/settle.ts';
import { makeTree, skillText, type Tree } from './support/tree.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

function readManifest(file = 'package.json'): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/** Every entry point with its exports at run time; `docs/api/` records the types. */
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  index: [
    'SkillContextProvider',
    'SkillLoader',
    'SkillManifestSchema',
    'SkillReflector',
    'SkillRegistry',
    'SkillStore',
    'Tool',
    'ToolRegistry',
    'VERSION',
    'contextSection',
    'defineSkill',
    'discloseCatalog',
    'discoverCommandFiles',
    'discoverSkills',
    'discoverSkillsFromDir',
    'doctor',
    'evaluateSkills',
    'fromFile',
    'loadAll',
    'matchTriggers',
    'mcpSource',
    'memorySource',
    'openSkills',
    'parseSkill',
    'systemPromptSection',
    'validate',
    'webSource',
  ],
  agent: [
    'ActivationLedger',
    'agentTools',
    'callTool',
    'expandSlashCommand',
    'forAgent',
    'listSkillsTool',
    'loadSkillTool',
    'resolvePinned',
    'slashCommands',
    'toAnthropicTool',
    'toLangChainTool',
    'toMastraTool',
    'toMcpTool',
    'toOpenAiChatTool',
    'toOpenAiResponsesTool',
  ],
  'ai-sdk': ['toAiSdkTool', 'toolSet'],
  install: [
    'SkillInstaller',
    'disable',
    'enable',
    'findForeignSkills',
    'fix',
    'judgeForTargets',
    'newSkill',
    'pack',
    'planSync',
    'publishSkills',
    'searchRemote',
    'sync',
    'undoSync',
  ],
  audit: ['auditSkills', 'renderSarif'],
  ctx: ['createGateway', 'ctxTool', 'extractStatements', 'parseStatement', 'printStatement'],
  mcp: ['createMcpServer', 'openHttpHandler', 'serveHttp', 'serveStdio'],
  toolset: ['Tool'],
  testing: ['openTestSkills', 'skillText', 'sourceContract'],
  internal: [
    'INDEX_FILE',
    'LOOPBACK_HOSTS',
    'PAGE_HEADERS',
    'claimUseReport',
    'compareSemver',
    'describeFinding',
    'describeNext',
    'harmlessLine',
    'isGrave',
    'listDifferences',
    'listenHttp',
    'logIn',
    'logOut',
    'openPortableIndex',
    'packFiles',
    'parseSemver',
    'placeSkill',
    'publishToHub',
    'readEnvironment',
    'readPageFiles',
    'receiveSkill',
    'renderIndex',
    'renderInlinedSkill',
    'reportUse',
    'servePage',
    'withholdFindings',
  ],
};

describe('the package', () => {
  test('has exactly the listed entry points', () => {
    const paths = Object.keys(SURFACE).map((name) => (name === 'index' ? '.' : `./${name}`));
    expect(Object.keys(readManifest().exports)).toEqual([...paths, './package.json']);
  });

  test.each(Object.entries(SURFACE))('exports exactly the listed names from skillplane/%s', async (name, names) => {
    expect(Object.keys(await import(`../dist/${name}.js`)).sort()).toEqual(names);
  });
});

interface Loaded {
  readonly packages: readonly string[];
  readonly builtins: readonly string[];
  readonly sources: readonly string[];
}

/** Everything that importing an entry point loads: the names of packages, modules of Node, and our sources. */
function loadedBy(entry: string): Loaded {
  const probe = `
    import { registerHooks } from 'node:module';
    import { readFileSync, existsSync } from 'node:fs';
    const seen = new Set();
    registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.add(found.url); return found; } });
    await import('./dist/${entry}.js');
    const files = [...seen].filter((url) => url.startsWith('file:')).map((url) => new URL(url).pathname);
    const packages = files.flatMap((file) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? []);
    const maps = files.filter((file) => existsSync(file + '.map'));
    const sources = maps.flatMap((file) => JSON.parse(readFileSync(file + '.map', 'utf8')).sources);
    const builtins = [...seen].filter((url) => url.startsWith('node:'));
    console.log(JSON.stringify({ packages: [...new Set(packages)], builtins, sources: sources.map((path) => path.replace('../src/', '')) }));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', probe], { encoding: 'utf8' }),
  ) as never;
}

test('importing skillplane loads no dependency, no extra Node module, and no code of MCP, git or audit', () => {
  const { packages, builtins, sources } = loadedBy('index');
  expect([packages, builtins]).toEqual([[], []]);
  expect(sources).toContain('engine/open-skills.ts');
  expect(
    sources.filter((path) => /^(?:mcp|http|audit|install|agent|publish)\/|author\/write|repository\/git/.test(path)),
  ).toEqual(['agent/skill-pool.ts', 'agent/context-provider.ts', 'agent/skill-reflector.ts']);
});

test('the command line loads no dependency and no extra Node module before it knows the command', () => {
  const { packages, builtins, sources } = loadedBy('cli');
  expect([packages, builtins]).toEqual([[], []]);
  expect(sources).toContain('cli/use/show.ts');
});

test('the chunk of all hosts loads neither the command line nor the installer', () => {
  const file = readdirSync('dist').find((entry) => entry.startsWith('all-hosts-') && entry.endsWith('.js'));
  const { sources } = loadedBy(file?.slice(0, -'.js'.length) ?? 'all-hosts');
  expect(sources.filter((path) => path.includes('/all-hosts.ts'))).toHaveLength(1);
  expect(sources.filter((path) => /^(?:cli|install)\//.test(path))).toEqual([]);
});

test('only the entry points mcp and internal load the MCP SDK or an HTTP server', () => {
  const loading = Object.keys(SURFACE).filter((entry) =>
    loadedBy(entry).packages.some((name) => /^(?:@modelcontextprotocol|hono|@hono)/.test(name)),
  );
  expect(loading).toEqual(['mcp', 'internal']);
});

test('the console page is below 120 kB compressed and 400 kB in the package', () => {
  const files = readdirSync('dist/console', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  expect(files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)).toBeLessThan(120_000);
  expect(files.reduce((sum, bytes) => sum + bytes.length, 0)).toBeLessThan(400_000);
});

test('the version in the code equals the version of the package', () => {
  expect(VERSION).toBe(readManifest().version);
});

test('the package passes publint', async () => {
  const { messages } = await publint({ pkgDir: '.', strict: true });
  expect(messages).toEqual([]);
});

describe('the published files', () => {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
  ) as readonly { readonly files: readonly { readonly path: string }[] }[];
  const shipped = packed.flatMap(({ files }) => files.map(({ path }) => path));

  test('are those that run, the guides and the reference', () => {
    const isListed = (path: string): boolean =>
      /^(?:bin|bundled-skills|data|dist|docs\/guide|docs\/reference|examples)\/|^docs\/(?:architecture|security)\.md$/.test(
        path,
      );
    expect(shipped.filter((path) => !isListed(path)).sort()).toEqual([
      'CHANGELOG.md',
      'CONTEXT.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
    ]);
  });

  test('have one declaration file per entry point, one that these share, and neither source maps nor pictures', () => {
    const declarations = [...Object.keys(SURFACE), 'declarations'].map((name) => `dist/${name}.d.ts`);
    expect(shipped.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts')).sort()).toEqual(
      declarations.sort(),
    );
    expect(shipped.filter((path) => /\.map$|\.(?:jpe?g|png|gif)$|^docs\/.*\.svg$/.test(path))).toEqual([]);
    const pointing = shipped.filter(
      (path) => path.endsWith('.js') && readFileSync(path, 'utf8').includes('sourceMappingURL='),
    );
    expect(pointing).toEqual([]);
    expect(shipped.length).toBeLessThan(300);
  });

  test('include every guide, reference page and example that README links to', () => {
    const links = [
      ...readFileSync('README.md', 'utf8').matchAll(/\]\((docs\/guide|docs\/reference|examples)([^)#]+)/g),
    ];
    expect(links.length).toBeGreaterThan(5);
    expect(links.map(([, folder, file]) => `${folder}${file}`).filter((path) => !shipped.includes(path))).toEqual([]);
  });
});

test('README names every public entry point of the package', () => {
  const text = readFileSync('README.md', 'utf8');
  const entries = Object.keys(SURFACE).filter((name) => name !== 'internal');
  const names = entries.map((name) => (name === 'index' ? '`skillplane`' : `\`skillplane/${name}\``));
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

test('DEPENDENCIES.md lists exactly the dependencies, each with its reason', () => {
  const page = readFileSync('DEPENDENCIES.md', 'utf8');
  const reasoned = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');
  const hub = readManifest('hub/package.json').dependencies;
  const needed = new Set([...Object.keys(readManifest().dependencies), ...Object.keys(hub)]);
  needed.delete('skillplane');
  expect(reasoned.toSorted()).toEqual([...needed].sort());
});

describe('opening skills with a warm cache', () => {
  const open = async (
    files: Tree,
  ): Promise<{ readonly names: readonly string[]; readonly packages: readonly string[] }> => {
    const home = makeTree({
      '.agents/skills/plain/SKILL.md': skillText({ name: 'plain', description: 'Known already.' }),
      ...files,
    });
    const probe = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
      const { openSkills } = await import('./dist/index.js');
      const skills = await openSkills({ cwd: process.env.HOME, home: process.env.HOME });
      await skills[Symbol.asyncDispose]();
      const packages = seen.filter((name) => /^(?:js-yaml|yaml|zod|re2js|jiti|commander)$/.test(name));
      const isBuilt = seen.some((name) => name.endsWith('index.js'));
      const names = skills.catalog().skills.filter(({ enabled }) => enabled).map(({ name }) => name);
      console.log(JSON.stringify({ names, packages: isBuilt ? packages : ['nothing was seen'] }));`;
    const env = { ...process.env, HOME: home, AGENT_HOME: '' };
    const run = (): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', probe], { encoding: 'utf8', env });
    await settle(join(home, '.agents/skills/plain/SKILL.md'));
    run();
    return JSON.parse(run()) as never;
  };

  test('loads no package without a configuration', async () => {
    const { names, packages } = await open({});
    expect(names).toContain('plain');
    expect(packages).toEqual([]);
  });

  test('loads js-yaml alone with a configuration and a lock', async () => {
    const { names, packages } = await open({
      '.agent/config.yaml': 'skills:\n  disabled: [plain]\n',
      '.agent/plugins/': '',
      '.agent/skills-lock.yaml': renderLock([]),
    });
    expect(names).not.toContain('plain');
    expect(new Set(packages)).toEqual(new Set(['js-yaml']));
  });
});

test('installing a skill loads no schema library and no pattern library', () => {
  const home = makeTree();
  const skill = skillText({ name: 'plain', description: 'Just fetched.' });
  const { url } = makeRepository({ 'skills/plain/SKILL.md': skill }, join(makeTree(), 'repository'));
  const probe = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
    const { main } = await import('./dist/cli.js');
    await main(['install', ${JSON.stringify(url)}, '--yes', '--json', '--cwd', process.env.HOME]);
    process.stderr.write(JSON.stringify(seen));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', probe], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home, AGENT_HOME: '' },
  });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, installed: [{ name: 'plain' }] });
  const seen = JSON.parse(stderr) as readonly string[];
  expect(seen.some((name) => name.endsWith('cli.js'))).toBe(true);
  expect(seen.filter((name) => /^(?:zod|jsonc-parser|re2js|commander)$/.test(name))).toEqual([]);
});
