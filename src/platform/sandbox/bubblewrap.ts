import { tmpdir } from 'node:os';

import { once } from '../../model/once.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isInside } from '../files/files.ts';
import type { ProcessResult } from '../process/run-process.ts';
import { runPlan, type Job, type Plan, type Probe, type SandboxBackend, type SandboxPromises } from './backend.ts';
import {
  buildBubblewrap,
  holdSandboxContent,
  withOpenFolders,
  type Bubblewrap,
  type Opener,
} from './bubblewrap-command.ts';
import { isRoot } from './limits.ts';
import { areInputsOpen, copyForUser, findClosedPaths, isOpenToOthers } from './other-user.ts';
import { pickUser } from './picked-user.ts';
import { countOthers, withLimits } from './resource-limits.ts';
import { buildSystemCallFilter } from './seccomp.ts';
import { isInSystemView, readSystemView, type SandboxTools } from './system-view.ts';
import { tryCommand } from './try-command.ts';

const PROMISES: SandboxPromises = { skillAtOwnPath: true, filesClosed: true, networkClosed: true, processesEnd: true };

/** Namespaces of its own for every script, by bubblewrap. Root starts it as another user, if `otherUser` works. */
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
        : fail('SANDBOX_UNAVAILABLE', trial.reason, trial.remedy);
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
    return { works: false, reason: 'bubblewrap exists only for Linux', remedy: 'Run it on Linux, or in a container.' };
  if (bwrap === undefined || sh === undefined)
    return { works: false, reason: 'bubblewrap is not installed', remedy: INSTALL };
  const view = readSystemView();
  const hasFilter = buildSystemCallFilter(process.arch, { network: false }) !== undefined;
  const held = attempt(() => holdSandboxContent(view, process.arch));
  if (!held.ok) return { works: false, reason: `${tmpdir()}: ${held.message}`, remedy: MAKE_SPACE };
  const modern: Bubblewrap = { path: bwrap, view, hasFilter, content: held.value, isModern: true };
  const start = { user: asOther ? pickUser() : undefined, timeoutMs: trialMs };
  const problem = await findProblem(modern, sh, start);
  if (problem === undefined) return { works: true, bubblewrap: modern };
  const older = { ...modern, isModern: false };
  if (problem.includes('Unknown option') && (await findProblem(older, sh, start)) === undefined)
    return { works: true, bubblewrap: older };
  held.value.close();
  return { works: false, reason: `bubblewrap does not work here: ${problem.replace(/^bwrap: /, '')}`, remedy: ALLOW };
}

const MAKE_SPACE = 'Make the folder for temporary files writable.';
const INSTALL = 'Install it: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.';
const ALLOW =
  'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0. Start a container with more rights.';

interface Start {
  readonly user?: number | undefined;
  readonly wrap?: (command: readonly string[]) => readonly string[];
  readonly timeoutMs?: number;
}

/** Runs an empty command in a sandbox like that of any script; undefined if that works. */
async function findProblem(
  bubblewrap: Bubblewrap,
  sh: string,
  { wrap = asItIs, ...options }: Start,
): Promise<string | undefined> {
  const files = bubblewrap.content.open({ network: false });
  try {
    // An existing folder in all roles.
    const job = {
      skillDir: '/usr',
      skillContent: '/usr',
      outputDir: '/usr',
      toolPaths: [],
      inputs: [],
      network: false,
    };
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
  const [program = ''] = job.command;
  const shown = [job.skillDir, ...job.toolPaths];
  const isVisible = isInSystemView(program) || shown.some((path) => isInside(program, path));
  if (!isVisible) return fail('SCRIPT_FAILED', `${program} is outside the system, the skill and the toolPaths`);
  const access = isRoot() ? await openToOtherUser(job, means) : ({ ok: true, ...OURSELVES } as const);
  if (!access.ok) return access;
  const { user, skillContent = job.skillContent, wrap, notes } = access;
  const opened = attempt(() => bubblewrap.content.open(job));
  if (!opened.ok) return fail('STORE_FAILED', `the sandbox could not be prepared: ${opened.message}`);
  const shell = means.tools.sh ?? '/bin/sh';
  const others = countOthers(user ?? process.getuid?.(), true);
  const command = withLimits(job.command, { ...job, shell, staysFirst: true, others });
  const inside = { ...job, command, skillContent, outputDir: job.scratch.dir };
  const plan: Plan = {
    isolation: 'bwrap',
    promises: PROMISES,
    command: wrap(buildBubblewrap(bubblewrap, inside, opened.value)),
    // Bubblewrap changes to the skill; a user who sees less may not be able to start there.
    cwd: '/',
    user: wrap === asItIs ? user : undefined,
    files: opened.value,
    notes: bubblewrap.hasFilter ? notes : [...notes, 'system calls are not filtered on this processor'],
    visible: [...job.toolPaths, ...job.inputs.map(({ path }) => path)].filter((path) => !isInSystemView(path)),
  };
  return { ok: true, plan };
}

interface Access {
  /** Undefined: our own user. */
  readonly user: number | undefined;
  /** A copy that this user can read; undefined if the skill's folder will do. */
  readonly skillContent: string | undefined;
  readonly wrap: (command: readonly string[]) => readonly string[];
  readonly notes: readonly string[];
}

const asItIs: Access['wrap'] = (command) => command;
const OURSELVES: Access = { user: undefined, skillContent: undefined, wrap: asItIs, notes: [] };

/** The kernel does not limit root's processes, so root starts scripts as another user, who must see enough. */
async function openToOtherUser(job: Job, { startsAsOther, findOpener }: Means): Promise<Outcome<Access>> {
  const { scratch } = job;
  const skillContent = isOpenToOthers(job.skillContent) ? undefined : scratch.skillDir;
  const closed = findClosedPaths({ ...job, skillContent: skillContent ?? job.skillContent });
  const opener = closed.size === 0 ? undefined : await findOpener();
  const isReachable = (closed.size === 0 || opener !== undefined) && areInputsOpen(job);
  const user = pickUser();
  if (!(await startsAsOther()) || !isReachable || !scratch.giveTo(user))
    return { ok: true, ...OURSELVES, notes: ['the number of its processes is not limited'] };
  const copied = skillContent === undefined ? { ok: true as const } : copyForUser(job.skillContent, skillContent, user);
  if (!copied.ok) return copied;
  const doors = { user, closed: [...new Set(closed.values())], needed: [...closed.keys()] };
  const wrap: Access['wrap'] =
    opener === undefined ? asItIs : (command) => withOpenFolders(command, { ...opener, ...doors });
  return { ok: true, user, skillContent, wrap, notes: [] };
}
