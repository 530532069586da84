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

/** Every entry point with its exports at run time; `types.test.ts` checks the types. */
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  index: [
    'CATALOG_FORMAT_NAMES',
    'SkillContextProvider',
    'SkillLoader',
    'SkillRegistry',
    'SkillStore',
    'ToolRegistry',
    'VERSION',
    'adviseOnUsage',
    'answerPrompt',
    'claimUseReport',
    'compareEvals',
    'contextSection',
    'discloseCatalog',
    'discoverCommandFiles',
    'discoverContextFiles',
    'discoverSkills',
    'discoverSkillsFromDir',
    'doctor',
    'evaluateSkills',
    'findCommand',
    'findDuplicates',
    'findOffSources',
    'fromFile',
    'listWarnings',
    'loadAll',
    'matchTriggers',
    'mayGetHint',
    'noteAsked',
    'openPortableIndex',
    'openSkillEvals',
    'openSkills',
    'openTriggers',
    'ownEvalFile',
    'parseSkill',
    'placeSkill',
    'planEvalCase',
    'readAsked',
    'readEnvironment',
    'readHookEvent',
    'recordUse',
    'removeEvalCase',
    'saveEvalCase',
    'splitResults',
    'suggestDescriptions',
    'systemPromptSection',
    'tierNumber',
  ],
  agent: [
    'ActivationLedger',
    'SkillReflector',
    'agentTools',
    'callTool',
    'expandSlashCommand',
    'forAgent',
    'harmlessLine',
    'hasRun',
    'listSkillsTool',
    'loadSkillTool',
    'renderInlinedSkill',
    'resolvePinned',
    'slashCommands',
    'toAnthropicTool',
    'toMcpTool',
    'toOpenAiChatTool',
    'toOpenAiResponsesTool',
    'toScriptResult',
  ],
  'ai-sdk': ['toAiSdkTool', 'toolSet'],
  install: [
    'SkillInstaller',
    'changeSetting',
    'disable',
    'editConfig',
    'enable',
    'findBundledCopies',
    'findConfigSchema',
    'prefer',
    'prepareConfig',
    'readSetting',
    'readSettings',
    'resetPreference',
    'searchRemote',
    'settingNames',
    'switchForHosts',
    'upgradeBundledSkill',
  ],
  hosts: [
    'CLIENT_NAMES',
    'HINT_MARK',
    'HOSTS',
    'HOST_IDS',
    'OTHER_HOST_IDS',
    'beyondHost',
    'configureClient',
    'connectHost',
    'countStandings',
    'disconnectHost',
    'findForeignSkills',
    'findInView',
    'findOtherHost',
    'indexFiles',
    'listSynced',
    'ownCommand',
    'planConnection',
    'planSwitched',
    'planSync',
    'readConnection',
    'readHostWishes',
    'reportHost',
    'skillsSeenBy',
    'sync',
    'undoSync',
    'viewHost',
    'watchSync',
  ],
  audit: [
    'AUDIT_ADVICE',
    'SEVERITIES',
    'auditSkills',
    'countFindings',
    'describeCounts',
    'describeFinding',
    'describePlace',
    'findRule',
    'isAtLeast',
    'renderSarif',
    'summariseAudit',
    'withholdFindings',
  ],
  author: [
    'TEMPLATES',
    'fix',
    'isTemplate',
    'newSkill',
    'pin',
    'readProperties',
    'skillDigest',
    'toPrompt',
    'unpin',
    'validate',
    'validateSkill',
    'writeSkill',
  ],
  publish: [
    'ARCHIVE_FORMATS',
    'EMIT_TARGETS',
    'INDEX_FILE',
    'TARGET_IDS',
    'compareSemver',
    'emit',
    'isHubScope',
    'isInRange',
    'judgeForTargets',
    'listDifferences',
    'listHubs',
    'logIn',
    'logOut',
    'pack',
    'packFiles',
    'parseSemver',
    'parseSemverRange',
    'publishSkills',
    'publishToHub',
    'receiveSkill',
    'renderIndex',
    'reportUse',
  ],
  ctx: [
    'MAX_STATEMENT_BYTES',
    'createGateway',
    'ctxTool',
    'extractStatements',
    'normalizeStatement',
    'parseStatement',
    'printStatement',
  ],
  mcp: ['createMcpServer', 'openHttpHandler', 'readToken', 'serveHttp', 'serveStdio'],
  console: ['serveConsole'],
  http: ['LOOPBACK_HOSTS', 'PAGE_HEADERS', 'isLoopback', 'listenHttp', 'readPageFiles', 'servePage'],
  toolset: ['Tool'],
  testing: ['openTestSkills', 'skillText'],
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
  ).toEqual([]);
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

test('only the entry points mcp, console and http load the MCP SDK or an HTTP server', () => {
  const loading = Object.keys(SURFACE).filter((entry) =>
    loadedBy(entry).packages.some((name) => /^(?:@modelcontextprotocol|hono|@hono)/.test(name)),
  );
  expect(loading).toEqual(['mcp', 'console', 'http']);
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

test('the package ships every file that README links to', () => {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
  ) as readonly { readonly files: readonly { readonly path: string }[] }[];
  const shipped = packed.flatMap(({ files }) => files.map(({ path }) => path));
  const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
    ([, path = '']) => path,
  );
  expect(links.length).toBeGreaterThan(5);
  const missing = links.filter((link) => !shipped.some((path) => path === link || path.startsWith(link)));
  expect(missing).toEqual([]);
});

test('README names every entry point of the package', () => {
  const text = readFileSync('README.md', 'utf8');
  const names = Object.keys(SURFACE).map((name) => (name === 'index' ? '`skillplane`' : `\`skillplane/${name}\``));
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

test('installing a skill loads no schema library, no pattern library and no host code', () => {
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
  expect(seen.filter((name) => /^(?:zod|jsonc-parser|re2js|commander)$|hosts/.test(name))).toEqual([]);
});
