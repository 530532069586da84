import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { layers, machineLayers, machineModules, platformModules } from '../layers.config.ts';
import { makeTree } from './support/tree.ts';

interface SourceFile {
  /** Relative to src/. */
  readonly path: string;
  readonly text: string;
}

/** Every import that the table does not allow, as a sentence. */
function findViolations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const [layer = '', ...inner] = path.split('/');
    if (inner.length === 0) return [];
    if (!(layer in layers)) return [`${path}: the folder ${layer}/ is not in layers.config.ts`];
    if (inner.length > 2) return [`${path}: a layer may have sub-folders, one deep`];
    return importsOf(text).flatMap((specifier) => judge(path, layer, specifier));
  });
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import|getBuiltinModule|require)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
}

function judge(path: string, layer: string, specifier: string): readonly string[] {
  if (machineModules.includes(specifier) && !machineLayers.includes(layer)) {
    return [`${path}: ${layer}/ may not touch the machine through ${specifier}`];
  }
  if (platformModules.includes(specifier) && layer !== 'platform') {
    return [`${path}: only platform/ may use ${specifier}`];
  }
  if (!specifier.startsWith('.')) return [];
  const [target = '', ...inner] = resolveImport(path, specifier).split('/');
  if (inner.length === 0) return [`${path}: ${layer}/ may not import the entry point ${target}`];
  if (target === layer || layers[layer]?.includes(target) === true) return [];
  return [`${path}: ${layer}/ may not import ${target}/`];
}

function resolveImport(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
}

/** Files that reach themselves through their imports, type imports included; each cycle once. */
function findCycles(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolveImport(path, specifier)),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) cycles.push([...way.slice(start), path].join(' > '));
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function readSources(): readonly SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join('src', path), 'utf8') }));
}

test('no source file imports what layers.config.ts does not allow', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(30);
  expect(findViolations(sources)).toEqual([]);
});

test('the layer check finds planted violations of layers, folders, entry points and machine access', () => {
  const planted = [
    { path: 'parse/x.ts', text: "import { a } from '../catalog/a.ts';" },
    { path: 'audit/rules/x.ts', text: "import { a } from '../../install/a.ts';" },
    { path: 'audit/rules/deep/x.ts', text: '' },
    { path: 'mcp/x.ts', text: "import { a } from '../hosts/a.ts';" },
    { path: 'cli/commands/x.ts', text: "import { a } from '../../index.ts';" },
    { path: 'engine/x.ts', text: "import { a } from '../index.ts';" },
    { path: 'catalog/x.ts', text: "import { readFileSync } from 'node:fs';" },
    { path: 'model/x.ts', text: "const a = await import('../platform/a.ts');" },
    { path: 'helpers/x.ts', text: '' },
    { path: 'usage/x.ts', text: "import { DatabaseSync } from 'node:sqlite';" },
    { path: 'cli/x.ts', text: "const { DatabaseSync } = process.getBuiltinModule('node:sqlite');" },
    { path: 'platform/database/fine.ts', text: "import { DatabaseSync } from 'node:sqlite';" },
    { path: 'catalog/fine.ts', text: "import { a } from '../parse/a.ts'; import { b } from './b.ts';" },
    { path: 'audit/rules/fine.ts', text: "import { a } from '../report.ts'; import { b } from '../reading/b.ts';" },
    { path: 'cli/commands/fine.ts', text: "import { a } from '../../engine/a.ts';" },
  ];
  expect(findViolations(planted)).toEqual([
    'parse/x.ts: parse/ may not import catalog/',
    'audit/rules/x.ts: audit/ may not import install/',
    'audit/rules/deep/x.ts: a layer may have sub-folders, one deep',
    'mcp/x.ts: mcp/ may not import hosts/',
    'cli/commands/x.ts: cli/ may not import the entry point index.ts',
    'engine/x.ts: engine/ may not import the entry point index.ts',
    'catalog/x.ts: catalog/ may not touch the machine through node:fs',
    'model/x.ts: model/ may not import platform/',
    'helpers/x.ts: the folder helpers/ is not in layers.config.ts',
    'usage/x.ts: only platform/ may use node:sqlite',
    'cli/x.ts: only platform/ may use node:sqlite',
  ]);
});

/** Edges of the table that no import of these files uses. */
function findUnusedEdges(
  table: Readonly<Record<string, readonly string[]>>,
  files: readonly SourceFile[],
): readonly string[] {
  const used = new Set(
    files.flatMap(({ path, text }) => {
      const inside = importsOf(text).filter((specifier) => specifier.startsWith('.'));
      return inside.map((specifier) => `${path.split('/', 1)[0]} > ${resolveImport(path, specifier).split('/', 1)[0]}`);
    }),
  );
  return Object.entries(table)
    .flatMap(([layer, targets]) => targets.map((target) => `${layer} > ${target}`))
    .filter((edge) => !used.has(edge));
}

test('every import that layers.config.ts allows is used, so that a new one is a decision', () => {
  expect(findUnusedEdges(layers, readSources())).toEqual([]);
});

test('the check of allowed imports finds one that no file uses', () => {
  const planted = [
    { path: 'parse/x.ts', text: "import { a } from '../model/a.ts';" },
    { path: 'audit/rules/x.ts', text: "import type { A } from '../../parse/a.ts'; import { b } from '../model/b.ts';" },
    { path: 'mcp.ts', text: "export { a } from './mcp/a.ts';" },
  ];
  const table = { parse: ['model'], audit: ['parse', 'model'], mcp: ['model'] };
  expect(findUnusedEdges(table, planted)).toEqual(['audit > model', 'mcp > model']);
});

/** The lines that the linter prints about these files. */
function lint(planted: Readonly<Record<string, string>>): readonly string[] {
  const root = makeTree(planted);
  for (const name of ['oxlint.config.ts', 'layers.config.ts', 'tsconfig.json', 'package.json', 'tools/lint-texts.ts'])
    cpSync(name, join(root, name));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const folders = [...new Set(Object.keys(planted).map((path) => path.split('/', 1).join('')))];
  const program = resolve('node_modules/.bin/oxlint');
  return spawnSync(program, ['--format=unix', ...folders], { cwd: root, encoding: 'utf8' }).stdout.split('\n');
}

test('the linter finds code that reads a message, a reason or a because', () => {
  const planted = {
    'src/install/regex.ts': 'export const x = (reason: string): boolean => /^is a link/.test(reason);\n',
    'src/install/compare.ts':
      "export const x = (entry: { reason: string }): boolean => entry.reason === 'is a link';\n",
    'src/install/constant.ts':
      "const NO = 'no skill';\nexport const x = (flaw: { message: string }): boolean => NO !== flaw.message;\n",
    'src/cli/match.ts': 'export const x = (message: string): boolean => message.match(/trust/) !== null;\n',
    'src/cli/switch.ts':
      "export const x = (reason: string): number => {\n  switch (reason) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n};\n",
    'hub/src/chain.ts':
      "export const x = (error?: Error): boolean => error?.message.toLowerCase().includes('closed') === true;\n",
    'console/src/button.ts': "export const x = (because: string): boolean => because.startsWith('you ');\n",
    'src/install/fine.ts':
      "export const x = (one: { reason?: string; kind: string }): boolean => one.reason !== undefined && one.reason !== '' && one.kind === 'link';\n",
    'src/install/some.test.ts': "export const x = (message: string): boolean => message.includes('link');\n",
  };
  const found = lint(planted).filter((line) => line.includes('no-reading-texts'));
  expect(found.map((line) => line.split(':', 1).join('')).sort()).toEqual(
    Object.keys(planted)
      .filter((path) => !path.endsWith('fine.ts') && !path.endsWith('.test.ts'))
      .sort(),
  );
});

test('the linter finds planted violations of layers', () => {
  const planted = {
    'src/parse/x.ts': "import { a } from '../catalog/a.ts';\nexport const x = a;\n",
    'src/audit/rules/x.ts': "import { a } from '../../install/a.ts';\nexport const x = a;\n",
    'src/engine/x.ts': "import { a } from '../index.ts';\nexport const x = a;\n",
    'src/catalog/x.ts': "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n",
    'src/cli/commands/x.ts': "export const x = process.env['HOME'];\n",
    'src/cli/commands/y.ts': "import { a } from '../../index.ts';\nexport const x = a;\n",
    'src/audit/rules/fine.ts':
      "import { a } from '../../parse/a.ts';\nimport { b } from '../b.ts';\nexport const x = a + b;\n",
    'src/cli/commands/fine.ts': "import { a } from '../../engine/a.ts';\nexport const x = a;\n",
  };
  const found = lint(planted).filter((line) => /no-restricted-(?:imports|properties)/.test(line));
  expect(found.map((line) => line.split(':', 1).join('')).sort()).toEqual(
    Object.keys(planted)
      .filter((path) => !path.endsWith('fine.ts'))
      .sort(),
  );
});

test('no source file imports itself through others, type imports included', () => {
  expect(findCycles(readSources())).toEqual([]);
});

test('the cycle check finds a planted cycle, type imports included', () => {
  const planted = [
    { path: 'a/x.ts', text: "import type { Y } from './y.ts';" },
    { path: 'a/y.ts', text: "import { z } from '../b/z.ts';" },
    { path: 'b/z.ts', text: "export type { X } from '../a/x.ts';" },
  ];
  expect(findCycles(planted)).toEqual(['a/x.ts > a/y.ts > b/z.ts > a/x.ts']);
});

test('every exported name is declared in one source file only', () => {
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of readSources().filter(({ path }) => path.includes('/'))) {
    const declared = text.matchAll(/^export (?:async |abstract )*(?:type|interface|function|const|class) (\w+)/gm);
    for (const [, name = ''] of declared) homes.set(name, (homes.get(name) ?? new Set()).add(path));
  }
  // Every command exports its `run`.
  homes.delete('run');
  const shared = [...homes].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths]);
  expect(shared).toEqual([]);
});

test('only entry points re-export what other files export', () => {
  const passing = readSources().filter(({ path, text }) => path.includes('/') && /^export (?:type )?[{*]/m.test(text));
  expect(passing.map(({ path }) => path)).toEqual([]);
});

test('only platform/ and cli/ read the process, the clock and randomness', () => {
  const offenders = readSources()
    .filter(({ path }) => !path.startsWith('platform/') && !path.startsWith('cli/'))
    .filter(({ text }) => /\bprocess\.(?!getBuiltinModule\b)[a-z]|\bDate\.now|\bMath\.random|\bnew Date\(\)/.test(text))
    .map(({ path }) => path);
  expect(offenders).toEqual([]);
});

/** Lines of code, outside of the command line, whose text names a flag. A flag of another program is a text of its own. */
function findFlags(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => !path.startsWith('cli/'))
    .flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => !/: (?:\/?\*|\/\/)/.test(line) && /['`][^'`]*[\w(,;:] ?--[a-z][a-z-]+/.test(line));
}

test('only cli/ mentions command-line flags', () => {
  expect(findFlags(readSources())).toEqual([]);
  const planted = [
    { path: 'select/x.ts', text: "fail('X', 'no skill; give --skill');\n// --skill is fine here" },
    { path: 'install/x.ts', text: "fail('X', `not there (--all lists them)`);" },
    { path: 'platform/fine.ts', text: "run(['--depth=1', `--reuid=${user}`]);" },
    { path: 'cli/fine.ts', text: "out.line('use --skill');" },
  ];
  expect(findFlags(planted).map((line) => line.split(':', 1)[0])).toEqual(['select/x.ts', 'install/x.ts']);
});

test('the layer table in docs/architecture.md matches layers.config.ts', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+)\/` \|[^|]*\|([^|]*)\|$/gm)];
  const documented = Object.fromEntries(
    rows.map(([, layer = '', cells = '']) => [layer, cells.match(/[a-z]+/g) ?? []]),
  );
  const existing = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of existing) {
    const expected = layers[name]?.filter((other) => existing.some((entry) => entry.name === other)) ?? [];
    expect(documented[name] === undefined ? undefined : [...documented[name]].sort()).toEqual(
      expected.length === 0 ? ['nothing'] : [...expected].sort(),
    );
  }
});
