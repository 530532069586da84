import type { NextStep } from '../model/next-step.ts';
import type { ProgramFinder } from '../platform/process/programs.ts';
import type { ScriptOutcome } from '../platform/sandbox/run-sandboxed.ts';
import type { Interpreter } from './interpreter.ts';

/** Requirements of a script in addition to its interpreter. */
export interface ScriptNeeds {
  /** Python packages that the script declares in itself (PEP 723). */
  readonly packages: readonly string[];
  /** Is the network open to it? */
  readonly network: boolean;
  readonly hasUv: boolean;
}

/** The dependencies in the `# /// script` block of a Python script; empty if there is none. */
export function readInlineDependencies(text: string): readonly string[] {
  const block =
    /^# \/\/\/ script\r?\n((?:#(?: .*)?\r?\n)+?)# \/\/\/\r?$/m.exec(text)?.[1]?.replaceAll(/^# ?/gm, '') ?? '';
  const list = /^dependencies\s*=\s*\[((?:[^\]"']|"[^"]*"|'[^']*')*)\]/m.exec(block)?.[1] ?? '';
  return [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
}

/** Uses `uv`, which installs the packages of a Python script for one run, if it is here and can reach them. */
export function withPackages(
  interpreter: Interpreter,
  { packages, network }: ScriptNeeds,
  programs: ProgramFinder,
): Interpreter {
  const uv = packages.length > 0 && network ? programs.find('uv') : undefined;
  if (uv === undefined) return interpreter;
  // Without a cache, whose files would look like output of the script.
  return {
    command: [uv.path, 'run', '--no-cache', '--script'],
    toolPaths: [...uv.toolPaths, ...interpreter.toolPaths],
  };
}

/** Adds the cause to a failure if the script's output shows it: network closed, or packages missing. */
export function explainNeeds(outcome: ScriptOutcome, { packages, network, hasUv }: ScriptNeeds): ScriptOutcome {
  if (outcome.ok || !('stderr' in outcome)) return outcome;
  const words = `${outcome.stderr}\n${outcome.stdout}`;
  if (packages.length > 0 && MISSING_PACKAGE.test(words))
    return {
      ...outcome,
      message: `${outcome.message}; it needs Python packages that are not installed: ${packages.join(', ')}`,
      next: hasUv ? LET_UV_INSTALL : INSTALL_UV,
    };
  if (network || !outcome.promises.networkClosed || !NETWORK_TROUBLE.test(words)) return outcome;
  return {
    ...outcome,
    message: `${outcome.message}; it tried to use the network, but has no network access`,
    next: OPEN_NETWORK,
  };
}

const LET_UV_INSTALL: NextStep = { give: 'network', aim: 'let uv install them for the run' };
const INSTALL_UV: NextStep = { ask: 'user', to: 'Install uv; it installs them for each run.' };
const OPEN_NETWORK: NextStep = { give: 'network', aim: 'give it network access' };

const MISSING_PACKAGE = /\b(?:ModuleNotFoundError|ImportError)\b/;

/** How curl, git, Node.js, Python, Ruby and others report that there is no network. */
const NETWORK_TROUBLE = new RegExp(
  [
    'could not resolve|name or service not known|temporary failure in name resolution|failure in name resolution',
    'nodename nor servname|getaddrinfo|network is unreachable|no route to host',
    String.raw`\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b`,
  ].join('|'),
  'i',
);
