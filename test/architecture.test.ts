import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { layers, machineLayers, machineModules, platformModules } from '../layers.config.ts';

interface SourceFile {
  /** Relative to src/. */
  readonly path: string;
  readonly text: string;
}

/** Every import that the table does not allow, as a sentence. */
function findViolations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const layer = path.split('/')[0] ?? '';
    if (!path.includes('/')) return [];
    if (!(layer in layers)) return [`${path}: the folder ${layer}/ is not in layers.config.ts`];
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
  const target = /^(?:\.\.\/)+([a-z]+)\//.exec(specifier)?.[1];
  if (target === undefined || target === layer || layers[layer]?.includes(target) === true) return [];
  return [`${path}: ${layer}/ may not import ${target}/`];
}

function readSources(): readonly SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join('src', path), 'utf8') }));
}

test('no file imports what the table of layers does not allow', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(30);
  expect(findViolations(sources)).toEqual([]);
});

test('a planted violation is found, be it a layer, a folder or the machine', () => {
  const planted = [
    { path: 'parse/x.ts', text: "import { a } from '../catalog/a.ts';" },
    { path: 'cli/commands/x.ts', text: "import { a } from '../../parse/a.ts';" },
    { path: 'catalog/x.ts', text: "import { readFileSync } from 'node:fs';" },
    { path: 'model/x.ts', text: "const a = await import('../platform/a.ts');" },
    { path: 'helpers/x.ts', text: '' },
    { path: 'usage/x.ts', text: "import { DatabaseSync } from 'node:sqlite';" },
    { path: 'cli/x.ts', text: "const { DatabaseSync } = process.getBuiltinModule('node:sqlite');" },
    { path: 'platform/fine.ts', text: "import { DatabaseSync } from 'node:sqlite';" },
    { path: 'catalog/fine.ts', text: "import { a } from '../parse/a.ts'; import { b } from './b.ts';" },
  ];
  expect(findViolations(planted)).toEqual([
    'parse/x.ts: parse/ may not import catalog/',
    'cli/commands/x.ts: cli/ may not import parse/',
    'catalog/x.ts: catalog/ may not touch the machine through node:fs',
    'model/x.ts: model/ may not import platform/',
    'helpers/x.ts: the folder helpers/ is not in layers.config.ts',
    'usage/x.ts: only platform/ may use node:sqlite',
    'cli/x.ts: only platform/ may use node:sqlite',
  ]);
});

test('only platform/ and the command line look at the process', () => {
  const offenders = readSources()
    .filter(({ path }) => !path.startsWith('platform/') && !path.startsWith('cli/'))
    .filter(({ text }) => /\bprocess\.[a-z]|\bDate\.now|\bMath\.random|\bnew Date\(\)/.test(text))
    .map(({ path }) => path);
  expect(offenders).toEqual([]);
});

test('the table in docs/architecture.md is the table in layers.config.ts', () => {
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
