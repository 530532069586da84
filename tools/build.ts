/**
 * Builds what is published: one bundle per entry point with shared chunks, and one declaration file for each.
 * Dependencies stay outside. Everything lies flat in dist/, so that a chunk finds its neighbours by `./name.js`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { rolldown, type InputOptions, type OutputOptions, type Plugin } from 'rolldown';

import { rollUpDeclarations } from './declarations.ts';

/** The entry points: `src/<name>.ts`, as package.json exports them. */
const ENTRY_POINTS = ['index', 'agent', 'ai-sdk', 'install', 'audit', 'ctx', 'mcp', 'toolset', 'testing', 'internal'];

/** Small modules that several parts share. In the file of one part, they would make every other part load all of that file. */
const SHARED = ['src/model/display-width.ts', 'src/model/nearest.ts', 'src/model/origin.ts'];

/** Modules of Node that most starts need. */
const BUILTINS = new Set(['node:buffer', 'node:fs', 'node:module', 'node:os', 'node:path', 'node:url']);
/** Modules of Node that only some starts need, or that some runtimes lack: taken in the file that uses them, and nowhere else. */
const RARE_BUILTINS = new Set([
  'node:child_process',
  'node:crypto',
  'node:dns/promises',
  'node:events',
  'node:http',
  'node:https',
  'node:net',
  'node:stream',
  'node:timers/promises',
  'node:tls',
  'node:tty',
  'node:util',
  'node:worker_threads',
  'node:zlib',
]);

const LAZY_PACKAGES = 'lazy-packages.cjs';

/** Modules that the bundler itself adds, and those of Node that most starts need. */
const HELPER = /^\0(?!rare:)|@oxc-project/;

/** How everything in dist/ is bundled. */
const LEAN_INPUT: InputOptions = {
  platform: 'node',
  // Node 22 does not know `using` yet.
  transform: { target: 'node22.18' },
  // The helpers that stand in for `using` are bundled; everything else that is a package stays outside.
  external: (id) => !/^(?:[./]|\0|@oxc-project)/.test(id) && !BUILTINS.has(id) && !RARE_BUILTINS.has(id),
  treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
  plugins: [takeBuiltins(), keepLazyPackages()],
};
const LEAN_OUTPUT: OutputOptions = {
  dir: 'dist',
  format: 'esm',
  // Only tests read the maps. They are not published, so no file may point to one.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
  chunkFileNames: '[name]-[hash].js',
  // Without comments, blanks and characters beyond ASCII, a start has less than half as much to read and decode.
  minify: { compress: false, mangle: false, codegen: { asciiOnly: true } },
};

rmSync('dist', { recursive: true, force: true });
rmSync('hub/dist', { recursive: true, force: true });
await Promise.all([bundle(), bundleHub(), buildPages()]);
copyFileSync(`src/parse/${LAZY_PACKAGES}`, `dist/${LAZY_PACKAGES}`);
writeDeclarations();

/** The page of the console, into dist/console, and the pages of the hub, into hub/dist/pages. */
async function buildPages(): Promise<void> {
  const { build } = await import('vite');
  await build({ configFile: 'console/vite.config.ts', logLevel: 'warn' });
  await build({ configFile: 'console/hub/vite.config.ts', logLevel: 'warn' });
}

function writeDeclarations(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const files = rollUpDeclarations(ENTRY_POINTS, (file) => readFileSync(join('dist/types', file), 'utf8'));
  for (const [name, text] of files) writeFileSync(join('dist', name), text);
  rmSync('dist/types', { recursive: true });
}

async function bundle(): Promise<void> {
  // Nearly every start needs all of the engine, and one file loads faster than thirty. The commands that hooks and agents start
  // most often take one more.
  const often = ['src/cli/main.ts', 'src/cli/use/show.ts', 'src/cli/use/search.ts', 'src/cli/connect/hook.ts'];
  const started = listStaticImports(['src/engine/open-skills.ts', ...often, ...SHARED]);
  const isCommandLine = (id: string): boolean => id.startsWith(resolve('src/cli'));
  // The rest of the root is one file more.
  const root = listStaticImports(['src/index.ts']);
  // Every search and every load of a skill is recorded.
  const history = listStaticImports(['src/usage/sqlite-usage.ts']);
  // The hook and `show` ask these, too, and install nothing.
  const hosts = listStaticImports(['src/engine/agents-having.ts']);
  const installing = listStaticImports([
    'src/cli/get/install.ts',
    'src/cli/get/update.ts',
    'src/install/install-skills.ts',
    'src/install/update-skills.ts',
  ]);
  const build = await rolldown({
    input: {
      ...Object.fromEntries(ENTRY_POINTS.map((name) => [name, `src/${name}.ts`])),
      cli: 'src/cli/main.ts',
      'toolset-thread': 'src/activate/toolsets/toolset-thread.ts',
    },
    ...LEAN_INPUT,
    checks: { ineffectiveDynamicImport: false },
  });
  await build.write({
    ...LEAN_OUTPUT,
    codeSplitting: {
      groups: [
        { name: 'core', test: (id) => (started.has(id) && !isCommandLine(id)) || HELPER.test(id), priority: 2 },
        { name: 'command-line', test: (id) => started.has(id), priority: 1 },
        { name: 'library', test: (id) => root.has(id), priority: 0.5 },
        { name: 'history', test: (id) => history.has(id), priority: 0.3 },
        { name: 'all-hosts', test: (id) => hosts.has(id), priority: 0.2 },
        { name: 'installing', test: (id) => installing.has(id), priority: 0.1 },
      ],
    },
  });
  await build.close();
}

/** The hub is one file; everything that it imports by name stays outside. */
async function bundleHub(): Promise<void> {
  const build = await rolldown({
    input: { main: 'hub/src/main.ts' },
    platform: 'node',
    transform: { target: 'node22.18' },
    external: (id) => !/^(?:[./]|\0|@oxc-project)/.test(id),
  });
  await build.write({ dir: 'hub/dist', format: 'esm', sourcemap: true, sourcemapExcludeSources: true });
  await build.close();
}

/** The packages that are loaded on the first call stay in a CommonJS file of their own, where the bundlers of our users find them. */
function keepLazyPackages(): Plugin {
  return {
    name: 'keep-lazy-packages',
    resolveId: (id) => (id.endsWith(`/${LAZY_PACKAGES}`) ? { id: `./${LAZY_PACKAGES}`, external: true } : undefined),
  };
}

/**
 * Takes modules of Node as they are. An `import` of one makes a module around it first, which evaluates everything that Node
 * itself loads lazily: for `node:fs` alone that takes a fifth of the time of starting Node.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    resolveId(id, importer) {
      if (BUILTINS.has(id)) return `\0builtin:${id}`;
      return RARE_BUILTINS.has(id) ? `\0rare:${importer}?${id}` : undefined;
    },
    load(id) {
      const name = /^\0(?:builtin:|rare:.*\?)(.+)$/.exec(id)?.[1];
      if (name === undefined) return undefined;
      const members = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name)));
      // A getter is what loads lazily. Of a rare module, a file takes only the names that it uses.
      const isTaken = ([, member]: (typeof members)[number]): boolean => id.startsWith('\0rare:') || 'value' in member;
      const names = members.filter(isTaken).map(([member]) => member);
      return [
        `const builtin = process.getBuiltinModule('${name}');`,
        'export default builtin;',
        ...names.map((member) => `export const ${member} = builtin.${member};`),
      ].join('\n');
    },
  };
}

/** Source files and all that they import however deep, types and dynamic imports left out. */
function listStaticImports(entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, clause = '', path = ''] of text.matchAll(/^(?:import|export) ([^;]*?)from '(\.[^']+)';/gm))
      if (!isTypeOnly(clause)) visit(join(dirname(file), path));
  };
  for (const entry of entries) visit(resolve(entry));
  return seen;
}

function isTypeOnly(clause: string): boolean {
  const names = clause
    .replaceAll(/[{}\n]/g, ' ')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return clause.startsWith('type ') || names.every((name) => name.startsWith('type '));
}
