import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Jiti, JitiOptions } from 'jiti';

export interface ModulePlace {
  /** The real path of the skill's directory. */
  readonly root: string;
  /** URLs of our own modules by name, wherever the skill is. */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Imports a module of a skill, TypeScript or JavaScript; rejects with whatever the module throws. Changes module
 * resolution for good, so call it in a thread that does nothing else.
 */
export async function loadModule(file: string, place: ModulePlace): Promise<unknown> {
  registerHooks({
    resolve(name, context, next) {
      const url = place.own.get(name);
      if (url === undefined || isDependency(context.parentURL, place.root)) return next(name, context);
      return { url, shortCircuit: true };
    },
  });
  if (/\.m?js$/.test(file)) return importNatively(file);
  return (await openJiti(file, place)).import(file);
}

/** Packages installed in a skill keep their own dependencies. */
function isDependency(importer: string | undefined, root: string): boolean {
  if (importer?.startsWith('file:') !== true) return false;
  return relative(root, fileURLToPath(importer)).split(sep).includes('node_modules');
}

async function importNatively(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (error instanceof SyntaxError) await explainSyntax(file);
    throw error;
  }
}

/** Node.js does not tell the line of a syntax error in an imported module. */
async function explainSyntax(file: string): Promise<void> {
  const jiti = await openJiti(file, { root: '', own: new Map() });
  const code = jiti.transform({ source: readFileSync(file, 'utf8'), filename: file, async: true });
  const fault = /^exports\.__JITI_ERROR__ = (.*)$/.exec(code)?.[1];
  if (fault === undefined) return;
  // Jiti turns text that it cannot parse into this code.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { line, column, message } = JSON.parse(fault) as Readonly<Record<'line' | 'column' | 'message', string>>;
  throw new SyntaxError(`${message.trim()} ${file}:${line}:${column}`);
}

async function openJiti(file: string, { own }: ModulePlace): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  const require = createRequire(import.meta.url);
  const modules = [...own].map(([name, url]) => [name, { get: (): unknown => require(fileURLToPath(url)) }] as const);
  return createJiti(file, {
    ...JITI_OPTIONS,
    virtualModules: Object.defineProperties({}, Object.fromEntries(modules)),
  });
}

/**
 * Sets every option, because jiti reads missing ones from the environment (`JITI_ALIAS` and others). Keeps no transpiled
 * code on disk, and ignores every tsconfig.json.
 */
const JITI_OPTIONS: Required<
  Omit<
    JitiOptions,
    'cache' | 'requireCache' | 'cacheVersion' | 'importMeta' | 'transform' | 'transformOptions' | 'virtualModules'
  >
> = {
  alias: {},
  debug: false,
  esmEvalTempFile: false,
  extensions: ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs'],
  fsCache: false,
  interopDefault: true,
  jsx: false,
  moduleCache: true,
  nativeModules: [],
  rebuildFsCache: false,
  sourceMaps: false,
  transformModules: [],
  tryNative: false,
  tsconfigPaths: false,
};
