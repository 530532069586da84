import { tmpdir } from 'node:os';

import type { NextStep } from '../../model/next-step.ts';
import { once } from '../../model/once.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import type { ProcessResult } from '../process/run-process.ts';
import {
  foldersOf,
  visiblePaths,
  refuseUnseen,
  runPlan,
  workDirOf,
  type Job,
  type Plan,
  type Probe,
  type SandboxBackend,
  type SandboxPromises,
} from './backend.ts';
import {
  buildBubblewrap,
  holdSandboxContent,
  withOpenFolders,
  type Bubblewrap,
  type Opener,
} from './bubblewrap-command.ts';
import { openToOtherUser } from './other-user.ts';
import { pickUser } from './picked-user.ts';
import { countOthers, withLimits } from './resource-limits.ts';
import { buildSystemCallFilter } from './seccomp.ts';
import { ALLOW_NAMESPACES, readSystemView, type SandboxTools } from './system-view.ts';
import { tryCommand } from './try-command.ts';

const PROMISES: SandboxPromises = { skillAtOwnPath: true, filesClosed: true, networkClosed: true, processesEnd: true };

/** Separate namespaces for every script, using bubblewrap. Root starts it as another user, if `otherUser` works. */
export function openBubblewrap(tools: SandboxTools, otherUser: SandboxBackend, trialMs: number): SandboxBackend {
  const startsAsOther = once(async () => (await otherUser.probe()).works);
  let held: Promise<Trial> | undefined;
  const find = (): Promise<Trial> =>
    (held ??= startsAsOther().then((asOther) => tryBubblewrap(tools, { asOther, trialMs })));
  const findOpener = once(async () => {
    const trial = await find();
    return trial.works ? tryOpener(tools, trial.bubblewrap) : undefined;
  });
  return {
    isolation: 'bwrap',
    summary: 'in bubblewrap',
    async probe() {
      const trial = await find();
      return trial.works ? { works: true, promises: PROMISES } : trial;
    },
    async plan(job) {
      const trial = await find();
      return trial.works
        ? planBubblewrap(trial.bubblewrap, job, { tools, startsAsOther, findOpener })
        : fail('SANDBOX_UNAVAILABLE', trial.reason, trial.next);
    },
    async run(plan, options) {
      // The first signal would end bubblewrap and the script with it.
      const { result } = await runPlan(plan, { ...options, graceMs: 0 });
      return isSetupFailure(result)
        ? fail('SANDBOX_UNAVAILABLE', `bubblewrap could not be set up: ${result.stderr.trim()}`)
        : { ok: true, result };
    },
    async close() {
      const trial = await held;
      if (trial?.works === true) trial.bubblewrap.content.close();
    },
  };
}

/** Bubblewrap's own messages begin like this; a script that imitates them harms only itself. */
function isSetupFailure({ ended, exitCode, stdout, stderr }: ProcessResult): boolean {
  return ended === 'exited' && exitCode === 1 && stdout === '' && stderr.startsWith('bwrap: ');
}

type Trial = { readonly works: true; readonly bubblewrap: Bubblewrap } | Extract<Probe, { readonly works: false }>;

async function tryBubblewrap(
  { bwrap, sh }: SandboxTools,
  { asOther, trialMs }: { readonly asOther: boolean; readonly trialMs: number },
): Promise<Trial> {
  if (process.platform !== 'linux')
    return {
      works: false,
      reason: 'bubblewrap exists only for Linux',
      next: { ask: 'user', to: 'Run it on Linux, or in a container.' },
    };
  if (bwrap === undefined || sh === undefined)
    return { works: false, reason: 'bubblewrap is not installed', next: INSTALL };
  const view = readSystemView();
  const hasFilter = buildSystemCallFilter(process.arch, { network: false }) !== undefined;
  const held = attempt(() => holdSandboxContent(view, process.arch));
  if (!held.ok) return { works: false, reason: `${tmpdir()}: ${held.message}`, next: MAKE_SPACE };
  const modern: Bubblewrap = { path: bwrap, view, hasFilter, content: held.value, isModern: true };
  const start = { user: asOther ? pickUser() : undefined, timeoutMs: trialMs };
  const problem = await findProblem(modern, sh, start);
  if (problem === undefined) return { works: true, bubblewrap: modern };
  const older = { ...modern, isModern: false };
  if (problem.includes('Unknown option') && (await findProblem(older, sh, start)) === undefined)
    return { works: true, bubblewrap: older };
  held.value.close();
  return {
    works: false,
    reason: `bubblewrap does not work here: ${problem.replace(/^bwrap: /, '')}`,
    next: ALLOW_NAMESPACES,
  };
}

const MAKE_SPACE: NextStep = { ask: 'user', to: 'Make the folder for temporary files writable.' };
const INSTALL: NextStep = {
  ask: 'user',
  to: 'Install it: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.',
};

interface Start {
  readonly user?: number | undefined;
  readonly wrap?: (command: readonly string[]) => readonly string[];
  readonly timeoutMs?: number;
}

/** Runs an empty command in a sandbox like that of any script; undefined if that works. */
async function findProblem(
  bubblewrap: Bubblewrap,
  sh: string,
  { wrap = (command) => command, ...options }: Start,
): Promise<string | undefined> {
  const files = bubblewrap.content.open({ network: false });
  try {
    // An existing folder in all roles.
    const folders = { skillDir: '/usr', skillContent: '/usr', workDir: '/usr', writable: ['/usr'] };
    const job = { ...folders, kept: [], toolPaths: [], network: false };
    const command = buildBubblewrap(bubblewrap, { ...job, command: [sh, '-c', ':'] }, files);
    return await tryCommand(wrap(command), { ...options, files: files.descriptors });
  } finally {
    files.close();
  }
}

async function tryOpener({ bwrap, setpriv, sh }: SandboxTools, bubblewrap: Bubblewrap): Promise<Opener | undefined> {
  if (bwrap === undefined || setpriv === undefined || sh === undefined) return undefined;
  const options = { bwrap, setpriv, user: pickUser(), closed: [], needed: [] };
  const problem = await findProblem(bubblewrap, sh, { wrap: (command) => withOpenFolders(command, options) });
  return problem === undefined ? { bwrap, setpriv } : undefined;
}

interface Means {
  readonly tools: SandboxTools;
  readonly startsAsOther: () => Promise<boolean>;
  /** The tools with which root opens closed folders to another user; undefined if it cannot. */
  readonly findOpener: () => Promise<Opener | undefined>;
}

/** See bubblewrap-command.ts for what this prevents. */
async function planBubblewrap(
  bubblewrap: Bubblewrap,
  job: Job,
  means: Means,
): Promise<Outcome<{ readonly plan: Plan }>> {
  const refusal = refuseUnseen(job);
  if (refusal !== undefined) return refusal;
  const canOpen = async (): Promise<boolean> => (await means.findOpener()) !== undefined;
  const access = await openToOtherUser(job, { startsAsOther: means.startsAsOther, canOpen });
  if (!access.ok) return access;
  const { user, skillContent, doors, notes } = access;
  const opened = attempt(() => bubblewrap.content.open(job));
  if (!opened.ok) return fail('STORE_FAILED', `the sandbox could not be prepared: ${opened.message}`);
  const shell = means.tools.sh ?? '/bin/sh';
  const others = countOthers(user ?? process.getuid?.(), true);
  const command = withLimits(job.command, { ...job, shell, staysFirst: true, others });
  const inside = { ...foldersOf({ ...job, skillContent }), command, workDir: workDirOf(job) };
  const built = buildBubblewrap(bubblewrap, inside, opened.value);
  const opener = doors === undefined ? undefined : await means.findOpener();
  const plan: Plan = {
    isolation: 'bwrap',
    promises: PROMISES,
    command: doors === undefined || opener === undefined ? built : withOpenFolders(built, { ...opener, ...doors }),
    // Bubblewrap changes to the working folder; a user who sees less may not be able to start there.
    cwd: '/',
    // The opener becomes that user itself.
    user: doors === undefined ? user : undefined,
    files: opened.value,
    notes: bubblewrap.hasFilter ? notes : [...notes, 'system calls are not filtered on this processor'],
    visible: visiblePaths(job),
  };
  return { ok: true, plan };
}
