import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeTree, type Tree } from './tree.ts';

const PACKAGES = [
  '@anthropic-ai',
  '@langchain',
  '@mastra',
  '@modelcontextprotocol',
  '@types',
  'ai',
  'langchain',
  'openai',
  'zod',
];

/** A temporary project that has installed this package as it ships, and the packages that programs use beside it. */
export function makeConsumer(files: Tree): string {
  const root = makeTree({ ...files, 'package.json': '{ "type": "module" }', 'node_modules/': '' });
  for (const name of PACKAGES) symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  symlinkSync(resolve('.'), join(root, 'node_modules/skillplane'));
  return root;
}

export interface CheckOptions {
  readonly resolution?: 'nodenext' | 'bundler';
  /** Checks the files alone, and not the declarations of the package; false. */
  readonly skipLibCheck?: boolean;
}

/** Type-checks TypeScript files in such a project and returns the compiler's complaints, one per line. */
export function typeCheck(
  files: Readonly<Record<string, string>>,
  { resolution = 'nodenext', skipLibCheck = false }: CheckOptions = {},
): readonly string[] {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'esnext.iterator', 'dom'],
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
  };
  const root = makeConsumer({
    ...files,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  });
  const run = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc')], {
    cwd: root,
    encoding: 'utf8',
  });
  // We do not check the declarations of other packages.
  return run.stdout.split('\n').filter((line) => /^\S/.test(line) && !/node_modules[\\/](?!skillplane)/.test(line));
}
