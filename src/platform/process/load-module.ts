import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin, registerHooks, type ResolveFnOutput } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Jiti, JitiOptions } from 'jiti';

import { attempt } from '../errors.ts';
import { isInside } from '../files/files.ts';

export interface ModulePlace {
  /** The real path of the skill's directory. */
  readonly root: string;
  /** URLs of our own modules by name, wherever the skill is. */
  readonly own: ReadonlyMap<string, string>;
  /** A file of the program that runs us. Packages that the skill lacks are taken from where this file finds them. */
  readonly host?: string | undefined;
  /** True if the skill may import only its own files, our modules and packages of the host. */
  readonly isSealed?: boolean | undefined;
}

/**
 * Imports a skill's TypeScript or JavaScript module; rejects with whatever the module throws. Permanently changes
 * module resolution, so call it only in a dedicated thread.
 */
export async function loadModule(file: string, place: ModulePlace): Promise<unknown> {
  const { host, root, isSealed = false } = place;
  const hostUrl = host === undefined ? undefined : pathToFileURL(host).href;
  registerHooks({
    resolve(name, context, next) {
      const isForeign = isDependency(context.parentURL, root);
      const url = isForeign ? undefined : place.own.get(name);
      if (url !== undefined) return { url, shortCircuit: true };
      const fromSkill = (): ResolveFnOutput => {
        const found = next(name, context);
        if (isSealed && isModuleInside(context.parentURL, root) && !isAllowed(found.url, root))
          throw refuseOutside(name, context.parentURL);
        return found;
      };
      const isShared = isPackageName(name) && (isSealed || !isForeign);
      if (host === undefined || context.parentURL === hostUrl || !isShared) return fromSkill();
      try {
        return fromSkill();
      } catch (error) {
        // For `require`, Node.js looks from the importing module, whatever `parentURL` says. Node.js 22 gives a set there.
        const shared = attempt(() =>
          Array.from(context.conditions).includes('require')
            ? { url: pathToFileURL(createRequire(host).resolve(name)).href, shortCircuit: true }
            : next(name, { ...context, parentURL: hostUrl }),
        );
        if (shared.ok) return shared.value;
        // The first error names the toolset's own file.
        throw error;
      }
    },
  });
  if (/\.m?js$/.test(file)) return importNatively(file);
  return (await openJiti(file, place)).import(file);
}

/** Modules of Node.js and code in the URL itself are not files that could be exchanged. */
function isAllowed(url: string, root: string): boolean {
  return !url.startsWith('file:') || isModuleInside(url, root);
}

function isModuleInside(url: string | undefined, root: string): boolean {
  return url?.startsWith('file:') === true && isInside(fileURLToPath(url), root);
}

function refuseOutside(name: string, importer: string | undefined): Error {
  const from = importer === undefined ? '' : ` imported from ${fileURLToPath(importer)}`;
  const what = isPackageName(name) ? `Cannot find package '${name}'` : `'${name}' is outside the skill,`;
  return Object.assign(new Error(`${what}${from}`), { code: 'ERR_MODULE_NOT_FOUND' });
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

async function openJiti(file: string, place: ModulePlace): Promise<Jiti> {
  const { own } = place;
  const { createJiti } = await import('jiti');
  const require = createRequire(import.meta.url);
  const modules = [...own].map(([name, url]) => [name, { get: (): unknown => require(fileURLToPath(url)) }] as const);
  const ours: Record<string, unknown> = Object.defineProperties({}, Object.fromEntries(modules));
  return createJiti(file, { ...JITI_OPTIONS, virtualModules: withHostPackages(ours, file, place) });
}

/**
 * Jiti resolves names itself and asks no hook. It looks here first, by the name alone. A sealed skill is a copy with
 * nothing of others around it, so only packages and absolute paths could lead out of it.
 */
function withHostPackages(
  ours: Record<string, unknown>,
  file: string,
  { host, root, isSealed = false }: ModulePlace,
): Record<string, unknown> {
  const fromHost = host === undefined ? undefined : createRequire(host);
  const hasHost = (name: string): boolean => fromHost !== undefined && attempt(() => fromHost.resolve(name)).ok;
  const isOutside = (path: string | undefined): boolean =>
    path !== undefined && isSealed && (path === root || !isInside(path, root));
  const isOurs = (name: string): boolean => {
    if (/^(?:file:|\/)/.test(name)) return isOutside(name.startsWith('/') ? name : fileURLToPath(name));
    if (!isPackageName(name)) return false;
    const home = findPackage(name, file);
    return home === undefined || isOutside(home) ? hasHost(name) || isOutside(home) : false;
  };
  return new Proxy(ours, {
    has: (target, name) => name in target || (typeof name === 'string' && isOurs(name)),
    get(target, name): unknown {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name);
      if (fromHost === undefined || !isPackageName(name) || !hasHost(name))
        throw refuseOutside(name, pathToFileURL(file).href);
      return fromHost(name);
    },
  });
}

/** The package.json of a package as a module finds it; undefined if it finds none. */
function findPackage(name: string, importer: string): string | undefined {
  const [scope = '', second = ''] = name.split('/');
  const found = attempt(() => findPackageJSON(scope.startsWith('@') ? `${scope}/${second}` : scope, importer));
  return found.ok ? found.value : undefined;
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
