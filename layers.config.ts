/**
 * Which folder of src/ may import which; docs/architecture.md shows the same table. The linter (oxlint.config.ts) and
 * test/architecture.test.ts both read it. A folder that is missing here fails the tests, and so does an entry that no import
 * uses. Rows follow the way of the data. A layer may have sub-folders, one deep.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  model: [],
  platform: ['model'],
  parse: ['model'],
  config: ['model', 'platform', 'parse'],
  sources: ['model', 'platform', 'parse', 'config'],
  catalog: ['model', 'platform', 'parse', 'config', 'sources'],
  usage: ['model', 'platform'],
  select: ['model', 'parse', 'catalog', 'usage'],
  activate: ['model', 'platform', 'parse', 'catalog'],
  disclose: ['model', 'catalog', 'select', 'activate'],
  audit: ['model', 'platform', 'parse'],
  install: ['model', 'platform', 'parse', 'config', 'catalog', 'audit'],
  author: ['model', 'platform', 'parse', 'config', 'catalog'],
  hosts: ['model', 'platform', 'parse', 'config', 'sources', 'catalog', 'usage'],
  publish: [
    'model',
    'platform',
    'parse',
    'config',
    'catalog',
    'usage',
    'activate',
    'audit',
    'install',
    'author',
    'hosts',
  ],
  engine: [
    'model',
    'platform',
    'parse',
    'config',
    'sources',
    'catalog',
    'usage',
    'select',
    'activate',
    'disclose',
    'audit',
    'install',
    'author',
    'hosts',
    'publish',
  ],
  evals: ['model', 'platform', 'parse', 'config', 'sources', 'catalog', 'select', 'author', 'engine'],
  agent: ['model', 'platform', 'parse', 'config', 'sources', 'catalog', 'select', 'activate', 'disclose', 'engine'],
  ctx: ['model', 'author', 'engine', 'agent'],
  mcp: ['model', 'platform', 'activate', 'disclose', 'publish', 'engine', 'agent', 'ctx'],
  http: ['model', 'platform', 'engine'],
  cli: ['model', 'mcp'],
};

/** Folders that may import the entry points (`src/*.ts`): the command line is built on the public surface. */
export const surfaces: readonly string[] = ['cli', 'http'];

/** Folders whose code may use Node's modules for files, processes, sockets and the machine. */
export const machineLayers: readonly string[] = ['platform', 'mcp', 'http', 'cli'];

export const machineModules: readonly string[] = [
  'node:child_process',
  'node:fs',
  'node:fs/promises',
  'node:dns/promises',
  'node:http',
  'node:https',
  'node:net',
  'node:os',
  'node:process',
  'node:tls',
  'node:worker_threads',
];

/** Modules that only platform/ may use; the surfaces reach them through the engine, too. */
export const platformModules: readonly string[] = ['node:sqlite'];
