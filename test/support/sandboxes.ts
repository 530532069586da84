import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  runSandboxed,
  type ScriptOutcome,
  type ScriptRequest,
  type ScriptRun,
} from '../../src/platform/sandbox/run-sandboxed.ts';
import { openSandbox, type Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { makeScratchFolder, type ScratchFolder } from '../../src/platform/sandbox/scratch-folder.ts';
import { findSandboxTools } from '../../src/platform/sandbox/system-view.ts';
import { makeTree, writeTree } from './tree.ts';

/** Kinds of machines: with bubblewrap, without it, without a root of one's own, and without namespaces; `none` has the sandbox off. */
export type Containment = 'bwrap' | 'namespaces' | 'limits' | 'limits without namespaces' | 'none';

const tools = findSandboxTools();
/** Test files share them; their open files are closed when the process ends. */
const SANDBOXES: Readonly<Record<Containment, Sandbox>> = {
  bwrap: openSandbox(),
  namespaces: openSandbox({ tools: { ...tools, bwrap: undefined } }),
  limits: openSandbox({ tools: { ...tools, bwrap: undefined, pivotRoot: undefined } }),
  'limits without namespaces': openSandbox({ tools: { ...tools, bwrap: undefined, unshare: undefined } }),
  none: openSandbox(),
};

export function openContainment(containment: Containment): Sandbox {
  return SANDBOXES[containment];
}

/** Why this machine cannot offer a containment; undefined if it can. */
export async function findObstacle(containment: Containment): Promise<string | undefined> {
  if (containment === 'none') return undefined;
  if (process.platform !== 'linux') return 'this system is not Linux';
  const chosen = await SANDBOXES[containment].choose('auto');
  if (!chosen.ok) return chosen.message;
  if (containment === 'bwrap') return chosen.missing?.reason;
  if (containment === 'namespaces')
    return chosen.backend.isolation === 'namespaces' ? undefined : 'user namespaces do not work here';
  const needsNamespaces = containment === 'limits' && !chosen.promises.processesEnd;
  return needsNamespaces ? 'unshare does not work here' : undefined;
}

const PYTHON = '/usr/bin/python3';
/** For a test's title: why it is skipped; empty if it runs. */
export const NO_PYTHON: string = existsSync(PYTHON) ? '' : ` (skipped: there is no ${PYTHON})`;

/** Paths of interpreters, by the ending of the script. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.sh': '/bin/bash',
  '.py': PYTHON,
  '.mjs': process.execPath,
};

export type RunOptions = Partial<ScriptRequest> & { readonly args?: readonly string[] };

export interface Bench {
  readonly root: string;
  readonly skillDir: string;
  /** Writes a script into the skill and runs it. */
  readonly run: (name: string, code: string, options?: RunOptions) => Promise<ScriptOutcome>;
}

/** A skill and a folder for its outputs; both are removed after the test. */
export function makeBench(containment: Containment): Bench {
  const root = makeTree({ 'skill/SKILL.md': '# Demo\n' });
  // Readable by others, as most folders are: root runs scripts as another user.
  chmodSync(root, 0o755);
  const skillDir = join(root, 'skill');
  return {
    root,
    skillDir,
    run: (name, code, { args = [], ...options } = {}) => {
      writeTree(skillDir, { [name]: code });
      const interpreter = INTERPRETERS[name.slice(name.lastIndexOf('.'))] ?? '/bin/sh';
      return runSandboxed(openContainment(containment), {
        command: [interpreter, join(skillDir, name), ...args],
        skillDir,
        scratch: scratchIn(root),
        timeoutMs: 50_000,
        maxOutputBytes: 1024 * 1024,
        policy: containment === 'none' ? 'off' : 'auto',
        toolPaths: [dirname(dirname(process.execPath))],
        ...options,
      });
    },
  };
}

/** A private folder for a run, below this one. */
export function scratchIn(root: string): ScratchFolder {
  const made = makeScratchFolder(join(root, 'scratch'));
  if (!made.ok) throw new Error(made.message);
  return made;
}

/** The run in an outcome; fails the test if the script did not start. */
export function ran(outcome: ScriptOutcome): ScriptRun & { readonly ok: boolean } {
  if ('stdout' in outcome) return outcome;
  throw new Error(`not started: ${outcome.message}`);
}
