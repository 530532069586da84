/**
 * Builds what is published: one bundle per entry point, with shared chunks, source maps, and readable declarations.
 * Dependencies stay outside. Everything lies flat in dist/, so that a chunk finds its neighbours by `./name.js`.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

import { rolldown } from 'rolldown';

const PUBLIC = ['index', 'agent', 'ai-sdk', 'install', 'audit', 'author', 'ctx', 'mcp', 'toolset', 'testing'];

rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    ...Object.fromEntries(PUBLIC.map((name) => [name, `src/${name}.ts`])),
    cli: 'src/cli/main.ts',
    'toolset-thread': 'src/activate/toolset-thread.ts',
  },
  platform: 'node',
  external: /^(?![./])/,
  treeshake: { moduleSideEffects: false },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });
