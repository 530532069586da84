import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin, registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Jiti, JitiOptions } from 'jiti';

import { attempt } from '../errors.ts';
import { isFile, realPath } from '../files/files.ts';

export interface ModulePlace {
  /** The real path of the skill's directory. */
  readonly root: string;
  /** URLs of our own modules by name, wherever the skill is. */
  readonly own: ReadonlyMap<string, string>;
  /** A file of the program that runs us. Packages that the skill lacks are taken from where this file finds them. */
  readonly host?: string | undefined;
}

/** The program that runs us; undefined if it is not a file. Call it outside the threads, which have programs of their own. */
export function findHostProgram(): string | undefined {
  const [, program] = process.argv;
  return program === undefined || !isFile(program) ? undefined : realPath(program);
}

/**
 * Imports a module of a skill, TypeScript or JavaScript; rejects with whatever the module throws. Changes module
 * resolution for good, so call it in a thread that does nothing else.
 */
export async function loadModule(file: string, place: ModulePlace): Promise<unknown> {
  registerHooks({
    resolve(name, context, next) {
      const url = place.own.get(name);
      if (isDependency(context.parentURL, place.root)) return next(name, context);
      if (url !== undefined) return { url, shortCircuit: true };
      const { host } = place;
      const hostUrl = host === undefined ? undefined : pathToFileURL(host).href;
      if (host === undefined || context.parentURL === hostUrl || !isPackageName(name)) return next(name, context);
      try {
        return next(name, context);
      } catch (error) {
        const shared = attempt(() => next(name, { ...context, parentURL: hostUrl }));
        if (shared.ok) return shared.value;
        // For `require`, Node.js looks from the importing module, whatever `parentURL` says.
        const required = attempt(() => createRequire(host).resolve(name));
        if (required.ok) return { url: pathToFileURL(required.value).href, shortCircuit: true };
        // The first error names the toolset's own file.
        throw error;
      }
    },
  });
  if (/\.m?js$/.test(file)) return importNatively(file);
  return (await openJiti(file, place)).import(file);
}

/** A name such as `yaml`, `yaml/util` or `@scope/name`: not a path, a URL, a module of Node.js or an import of a package's own. */
function isPackageName(name: string): boolean {
  return /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/|$)/.test(name) && !isBuiltin(name);
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

async function openJiti(file: string, { own, host }: ModulePlace): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  const require = createRequire(import.meta.url);
  const modules = [...own].map(([name, url]) => [name, { get: (): unknown => require(fileURLToPath(url)) }] as const);
  const ours: Record<string, unknown> = Object.defineProperties({}, Object.fromEntries(modules));
  return createJiti(file, { ...JITI_OPTIONS, virtualModules: withHostPackages(ours, { file, host }) });
}

/** Jiti resolves names itself and asks no hook. It looks here first. */
function withHostPackages(
  ours: Record<string, unknown>,
  { file, host }: { readonly file: string; readonly host: string | undefined },
): Record<string, unknown> {
  if (host === undefined) return ours;
  const [fromSkill, fromHost] = [createRequire(file), createRequire(host)];
  const isShared = (name: string): boolean => {
    if (!isPackageName(name)) return false;
    const found = attempt(() => fromSkill.resolve(name));
    return !found.ok && found.errno === 'MODULE_NOT_FOUND' && attempt(() => fromHost.resolve(name)).ok;
  };
  return new Proxy(ours, {
    has: (target, name) => name in target || (typeof name === 'string' && isShared(name)),
    get: (target, name): unknown =>
      typeof name === 'string' && !(name in target) ? fromHost(name) : Reflect.get(target, name),
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
