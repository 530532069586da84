import { tmpdir } from 'node:os';

import { attempt } from '../errors.ts';
import { findInheritedDescriptors } from '../process/inherited-descriptors.ts';
import { openPipeSupply, type PipeSupply } from '../process/pipes.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import { buildBubblewrap, holdSandboxContent, withOpenFolders, type Bubblewrap, type Opener } from './bubblewrap.ts';
import { pickUser } from './other-user.ts';
import { sweepScratchFolders } from './scratch-folder.ts';
import { buildSystemCallFilter } from './seccomp.ts';
import { findSandboxTools, readSystemView, type SandboxTools } from './system-view.ts';

/** How a script was run: in bubblewrap, with limits, or as an ordinary process. */
export type Isolation = 'bwrap' | 'limits' | 'none';

export type BubblewrapAbility =
  | { readonly works: true; readonly bubblewrap: Bubblewrap }
  | { readonly works: false; readonly reason: string; readonly remedy: string };

/** The helpers of the isolation `limits` that work here. */
export interface LimitsAbility {
  /** Gives a script its own processes, network and `/proc`. */
  readonly unshare: string | undefined;
  /** Prevents new privileges, as by `sudo`, and ends the script with us. */
  readonly setpriv: string | undefined;
  /** Can root drop its capabilities for a process that it starts as root? */
  readonly dropsRights: boolean;
}

/** The means of this machine to contain a script. Each is tried once, on first use. */
export interface Sandbox {
  readonly tools: SandboxTools;
  readonly isRoot: boolean;
  /** Can root start scripts as another user? Root of a container often cannot. */
  startsAsOther(): Promise<boolean>;
  bubblewrap(): Promise<BubblewrapAbility>;
  /** The tools with which root opens closed folders to another user; undefined if it cannot. */
  opener(): Promise<Opener | undefined>;
  limits(): Promise<LimitsAbility>;
  readonly pipes: PipeSupply;
  /** Removes the folders of killed runs in this folder; only the first call does. */
  sweep(scratchParent: string): void;
  /** Descriptors that scripts must not inherit. */
  withheld(): readonly number[];
  /** Closes its open files. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SandboxOptions {
  /** Instead of the system's. */
  readonly tools?: SandboxTools | undefined;
  /** How long to wait for bubblewrap when it is tried; 5 s by default. */
  readonly trialMs?: number;
}

/** A machine under load may need a second to start a program. */
export const TRIAL_MS = 5_000;

export function openSandbox({ tools = findSandboxTools(), trialMs = TRIAL_MS }: SandboxOptions = {}): Sandbox {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const pipes = openPipeSupply(async (paths) => {
    const command = tools.mkfifo === undefined ? undefined : [tools.mkfifo, '-m', '666', ...paths];
    return command !== undefined && explain(await trial(command)) === undefined;
  });
  let isSwept = false;
  const startsAsOther = once(async () => isRoot && (await tryOtherUser(tools)));
  const bubblewrap = once(async () => tryBubblewrap(tools, { asOther: await startsAsOther(), trialMs }));
  return {
    tools,
    isRoot,
    startsAsOther,
    pipes,
    bubblewrap,
    opener: once(async () => {
      const ability = await bubblewrap();
      return ability.works ? tryOpener(tools, ability.bubblewrap) : undefined;
    }),
    limits: once(async () => tryLimits(tools, { isRoot, startsAsOther: await startsAsOther() })),
    sweep(scratchParent) {
      if (!isSwept) sweepScratchFolders(scratchParent);
      isSwept = true;
    },
    withheld: once(findInheritedDescriptors),
    [Symbol.asyncDispose]: async () => {
      pipes.close();
      const ability = bubblewrap.isAsked() ? await bubblewrap() : undefined;
      if (ability?.works === true) ability.bubblewrap.content.close();
    },
  };
}

interface Once<T> {
  (): T;
  readonly isAsked: () => boolean;
}

function once<T>(find: () => T): Once<T> {
  let found: { readonly value: T } | undefined;
  const ask = (): T => (found ??= { value: find() }).value;
  return Object.assign(ask, { isAsked: () => found !== undefined });
}

async function tryOtherUser({ sh }: SandboxTools): Promise<boolean> {
  return sh !== undefined && explain(await trial([sh, '-c', ':'], { user: pickUser() })) === undefined;
}

async function tryBubblewrap(
  { bwrap, sh }: SandboxTools,
  { asOther, trialMs }: { readonly asOther: boolean; readonly trialMs: number },
): Promise<BubblewrapAbility> {
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
  return { works: false, reason: `bubblewrap does not work here: ${problem}`, remedy: ALLOW };
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
  { user, wrap, timeoutMs = TRIAL_MS }: Start,
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
    return explain(await trial(wrap?.(command) ?? command, { user, timeoutMs, files: files.descriptors }));
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

interface Starter {
  readonly isRoot: boolean;
  readonly startsAsOther: boolean;
}

async function tryLimits(
  { unshare, setpriv, sh }: SandboxTools,
  { isRoot, startsAsOther }: Starter,
): Promise<LimitsAbility> {
  if (process.platform !== 'linux' || sh === undefined)
    return { unshare: undefined, setpriv: undefined, dropsRights: false };
  const asOther = { user: startsAsOther ? pickUser() : undefined };
  const works = async (before: readonly (string | undefined)[], options: Partial<ProcessOptions>): Promise<boolean> => {
    const command = [...before, sh, '-c', ':'].filter((word) => word !== undefined);
    return !before.includes(undefined) && explain(await trial(command, options)) === undefined;
  };
  return {
    unshare: (await works([unshare, ...UNSHARE, '--net'], asOther)) ? unshare : undefined,
    setpriv: (await works([setpriv, ...SETPRIV], asOther)) ? setpriv : undefined,
    dropsRights: isRoot && (await works([setpriv, ...SETPRIV, ...DROP_RIGHTS], {})),
  };
}

export const SETPRIV: readonly string[] = ['--no-new-privs', '--pdeathsig=KILL'];
export const DROP_RIGHTS: readonly string[] = ['--bounding-set=-all', '--inh-caps=-all'];
export const UNSHARE: readonly string[] = [
  '--user',
  '--map-current-user',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--ipc',
];

function trial(command: readonly string[], options: Partial<ProcessOptions> = {}): Promise<ProcessResult> {
  return runProcess(command, { cwd: '/', env: {}, timeoutMs: TRIAL_MS, maxOutputBytes: 4_096, graceMs: 0, ...options });
}

function explain({ ended, exitCode, stderr, startError }: ProcessResult): string | undefined {
  if (exitCode === 0 && stderr === '') return undefined;
  return (
    stderr.split('\n', 1)[0]?.replace(/^bwrap: /, '') ||
    startError ||
    (ended === 'exited' ? `exit code ${exitCode}` : ended)
  );
}
