import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';

export type Format = 'esm' | 'cjs';

/** Bundles `main.ts` of a folder, with everything that it imports, into the folder `out`. */
type Bundler = (root: string, format: Format) => Promise<void> | void;

/** The file to run in the folder `out`. */
export function bundleName(format: Format): string {
  return format === 'esm' ? 'main.mjs' : 'main.cjs';
}

/** The program of esbuild comes in a package for each system, without a script that installs it. */
const ESBUILD = join(
  'node_modules/@esbuild',
  `${process.platform}-${process.arch}`,
  process.platform === 'win32' ? 'esbuild.exe' : 'bin/esbuild',
);

const withEsbuild: Bundler = (root, format) => {
  const options = [
    '--bundle',
    '--platform=node',
    '--main-fields=module,main',
    `--format=${format}`,
    '--log-level=error',
  ];
  execFileSync(resolve(ESBUILD), ['main.ts', ...options, `--outfile=out/${bundleName(format)}`], { cwd: root });
};

const withRolldown: Bundler = async (root, format) => {
  const bundle = await rolldown({
    cwd: root,
    input: 'main.ts',
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
  });
  await bundle.write({ dir: join(root, 'out'), format, entryFileNames: bundleName(format) });
  await bundle.close();
};

const withVite: Bundler = async (root, format) => {
  await buildWithVite({
    root,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: 'main.ts',
      outDir: 'out',
      minify: true,
      rolldownOptions: { output: { format, entryFileNames: bundleName(format) } },
    },
  });
};

/** The bundlers by name; undefined if one is not installed on this system. */
export const BUNDLERS: Readonly<Record<string, Bundler | undefined>> = {
  esbuild: existsSync(ESBUILD) ? withEsbuild : undefined,
  rolldown: withRolldown,
  vite: withVite,
};
