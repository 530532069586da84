/**
 * Who may import whom: the table of docs/architecture.md as data. The linter (oxlint.config.ts) and
 * test/architecture.test.ts both read it; a folder of src/ that is missing here fails the tests.
 * Rows stand in the order of the data's way; a row may come before its folder does.
 */
const CORE = {
  model: [],
  platform: ['model'],
  parse: ['model'],
  config: ['model', 'platform'],
  sources: ['model', 'platform', 'parse', 'config'],
  catalog: ['model', 'platform', 'parse', 'config', 'sources'],
  usage: ['model', 'platform'],
  select: ['model', 'parse', 'catalog', 'usage'],
  activate: ['model', 'platform', 'parse', 'catalog', 'usage'],
  disclose: ['model', 'catalog', 'select', 'activate'],
  plugins: ['model', 'platform', 'parse', 'config', 'catalog'],
  author: ['model', 'platform', 'parse', 'config', 'catalog'],
} as const satisfies Record<string, readonly string[]>;

export const layers: Readonly<Record<string, readonly string[]>> = {
  ...CORE,
  engine: Object.keys(CORE),
  ctx: ['model', 'engine'],
  mcp: ['model', 'engine', 'ctx'],
  http: ['model', 'engine', 'ctx'],
  cli: ['model', 'engine', 'ctx', 'mcp', 'http'],
};

/** Folders whose code may use Node's modules for files, processes, sockets and the machine. */
export const machineLayers: readonly string[] = ['platform', 'mcp', 'http', 'cli'];

export const machineModules: readonly string[] = [
  'node:child_process',
  'node:fs',
  'node:fs/promises',
  'node:http',
  'node:https',
  'node:net',
  'node:os',
  'node:process',
  'node:worker_threads',
];

/** What platform/ alone may use; the surfaces reach it through the engine, too. */
export const platformModules: readonly string[] = ['node:sqlite'];
