import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Jiti, JitiOptions } from 'jiti';

export interface ModulePlace {
  /** The skill's directory, free of links. */
  readonly root: string;
  /** Where names lead that are ours wherever the skill lies: URLs by name. */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Imports a module of a skill, TypeScript or JavaScript, and rejects with whatever it throws. It changes how names are
 * resolved from then on: for a thread that does nothing else.
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

/** What is installed in a skill keeps the packages that it was made for. */
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

/** Node.js does not say in which line of an imported module its syntax is wrong. */
async function explainSyntax(file: string): Promise<void> {
  const jiti = await openJiti(file, { root: '', own: new Map() });
  const code = jiti.transform({ source: readFileSync(file, 'utf8'), filename: file, async: true });
  const fault = /^exports\.__JITI_ERROR__ = (.*)$/.exec(code)?.[1];
  if (fault === undefined) return;
  // Text that cannot be parsed becomes this code.
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
 * Every option has its value here, as jiti takes those that have none from the environment (`JITI_ALIAS` and its like).
 * No transpiled code is kept on disk, and no tsconfig.json of a folder above has a say.
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
