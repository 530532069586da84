import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { publint } from 'publint';
import { expect, test } from 'vitest';

import { VERSION } from '../src/model/version.ts';
import { makeTree, skillText } from './support/tree.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
}

test('the public surface is this, and an addition is a reviewed line', async () => {
  expect(Object.keys(await import('../src/index.ts')).sort()).toEqual([
    'ActivationLedger',
    'SkillContextProvider',
    'SkillInstaller',
    'SkillLoader',
    'SkillReflector',
    'SkillRegistry',
    'SkillStore',
    'Tool',
    'ToolRegistry',
    'VERSION',
    'auditSkills',
    'createGateway',
    'discloseCatalog',
    'discoverContextFiles',
    'discoverSkills',
    'discoverSkillsFromDir',
    'editConfig',
    'evaluateSkills',
    'examine',
    'expandSlashCommand',
    'extractStatements',
    'fromFile',
    'loadAll',
    'matchTriggers',
    'mendPath',
    'openCatalog',
    'openSkills',
    'openTriggers',
    'parseSkill',
    'parseStatement',
    'printStatement',
    'readEnvironment',
    'readProperties',
    'renderPrompt',
    'resolvePinned',
    'skillDigest',
    'skillTools',
    'slashCommands',
    'switchSkill',
    'systemPromptSection',
    'toAiSdkTool',
    'toAnthropicTool',
    'toMcpTool',
    'toOpenAiChatTool',
    'toOpenAiResponsesTool',
    'upgradeBundledSkill',
    'validatePath',
    'validateSkill',
    'writeSkill',
  ]);
});

test('the public surface of ./mcp is this', async () => {
  expect(Object.keys(await import('../src/mcp/index.ts')).sort()).toEqual([
    'createMcpServer',
    'openHttpHandler',
    'serveHttp',
    'serveStdio',
  ]);
});

test('the root loads neither MCP nor an HTTP server: what it imports, however deep, names none of them', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    expect(code).not.toMatch(/(?:from|import\()\s*['"](?:@modelcontextprotocol|hono|@hono|jsonc-parser|smol-toml)/);
    for (const [, path = ''] of code.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      visit(join(dirname(file), path));
  };
  visit('dist/index.js');
  expect(seen.size).toBeGreaterThan(100);
  expect([...seen].filter((file) => file.startsWith('dist/mcp/'))).toEqual([]);
});

test('the version in the code is the version of the package', () => {
  expect(VERSION).toBe(readManifest().version);
});

test('the package is laid out as publint wants it', async () => {
  const { messages } = await publint({ pkgDir: '.', strict: true });
  expect(messages).toEqual([]);
});

test('every dependency has its reason in DEPENDENCIES.md, and nothing else is listed there', () => {
  const page = readFileSync('DEPENDENCIES.md', 'utf8');
  const reasoned = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');
  expect(reasoned.toSorted()).toEqual(Object.keys(readManifest().dependencies).sort());
});

test('reading skills that are all known already loads no YAML parser, no schema library and no glob library', () => {
  const home = makeTree({
    '.agents/skills/plain/SKILL.md': skillText({ name: 'plain', description: 'Known already.' }),
  });
  const probe = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
    const { openSkills } = await import('./dist/index.js');
    const skills = await openSkills({ cwd: process.env.HOME, home: process.env.HOME });
    await skills[Symbol.asyncDispose]();
    console.log(JSON.stringify({ names: skills.catalog().skills.map((skill) => skill.name), seen }));`;
  const run = (): { readonly names: readonly string[]; readonly seen: readonly string[] } => {
    const env = { ...process.env, HOME: home, AGENT_HOME: '' };
    return JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', probe], { encoding: 'utf8', env }),
    ) as never;
  };
  run();
  const warm = run();
  expect(warm.names).toContain('plain');
  expect(warm.seen.some((name) => name.endsWith('store.js'))).toBe(true);
  expect(warm.seen.filter((name) => /^(?:yaml|zod|re2js|jiti|commander)$/.test(name))).toEqual([]);
});
