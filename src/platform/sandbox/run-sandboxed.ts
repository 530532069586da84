import { constants } from 'node:os';
import { dirname, isAbsolute } from 'node:path';

import type { SandboxPolicy } from '../../model/config.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { explainCode } from '../errors.ts';
import { isBelow, realPath } from '../files/files.ts';
import { closePipe } from '../process/pipes.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from './resource-limits.ts';
import { watchRun } from './run-watch.ts';
import { planBubblewrap, planLimits, planPlain, type Job, type Launch, type ScriptInput } from './sandbox-launch.ts';
import type { Isolation, Sandbox } from './sandbox.ts';
import { makeScratchFolder, saveOutputs, type OutputFile, type ScratchFolder } from './scratch-folder.ts';
import { buildScriptEnvironment, SYSTEM_COMMAND_DIRS, type Variables } from './script-environment.ts';
import { isExecutable } from './system-view.ts';

export interface ScriptRequest extends Pick<
  ProcessOptions,
  'timeoutMs' | 'maxOutputBytes' | 'signal' | 'input' | 'onOutput'
> {
  /** The real path of a program, and its arguments. */
  readonly command: readonly string[];
  /** The working directory: where the script sees its skill. */
  readonly skillDir: string;
  /** The folder that it sees there, by default that of this path. Another one needs `canMoveFolders`. */
  readonly skillContent?: string | undefined;
  /** The parent of this run's private folder. For root, a place that other users can reach starts faster. */
  readonly scratchParent: string;
  /** `auto` by default. */
  readonly policy?: SandboxPolicy | undefined;
  readonly env?: Variables | undefined;
  /** Opens the network, including this machine's own services. */
  readonly network?: boolean | undefined;
  /** Interpreters outside the system's own, and their folders; the script can read everything in them. */
  readonly toolPaths?: readonly string[] | undefined;
  /** Files and folders that the script can read. */
  readonly inputs?: readonly ScriptInput[] | undefined;
  readonly limits?: Partial<ResourceLimits> | undefined;
}

/** The result of a script that was started. */
export interface ScriptRun {
  /** `limit`: it was stopped because it took too much memory or disk. */
  readonly ended: 'exited' | 'timeout' | 'output' | 'cancelled' | 'limit';
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly isolation: Isolation;
  /** The weaknesses of the isolation. */
  readonly notes: readonly string[];
  /**
   * Paths that the script could read besides the system's programs, its skill and its output: other interpreters, and inputs.
   * Only `/` if it could read whatever its user may.
   */
  readonly visible: readonly string[];
  readonly outputs: readonly OutputFile[];
  /** True if there are more outputs than listed. */
  readonly outputsCut: boolean;
  /** The folder of the outputs, until `dispose` removes it. */
  readonly outputDir: string;
  /** Copies the outputs to a folder, which is created if it is missing. Replaces nothing: if a file exists, none is copied. */
  readonly save: (dir: string) => Outcome<{ readonly paths: readonly string[] }>;
  readonly dispose: () => void;
}

/** A failure without the parts of a run means that the script was not started. */
export type ScriptOutcome = Outcome<ScriptRun> | (Failure & ScriptRun);

/** Runs a program of a skill as well contained as policy and machine allow; all its processes are gone afterwards. */
export async function runSandboxed(sandbox: Sandbox, request: ScriptRequest): Promise<ScriptOutcome> {
  const skillContent = realPath(request.skillContent ?? request.skillDir);
  if (skillContent === undefined) return fail('SCRIPT_FAILED', `${request.skillDir}: not found`);
  const skillDir = request.skillContent === undefined ? skillContent : request.skillDir;
  if (skillDir !== skillContent && !(await canMoveFolders(sandbox, request.policy)))
    return fail('SCRIPT_FAILED', `${skillDir}: only bubblewrap can show another folder here`);
  sandbox.sweep(request.scratchParent);
  const scratch = makeScratchFolder(request.scratchParent);
  if (!scratch.ok) return scratch;
  const outcome = await runIn(scratch, sandbox, { ...request, skillDir, skillContent });
  if (!('outputDir' in outcome)) scratch.dispose();
  return outcome;
}

/** Can scripts see a folder at a path that is not its own? Only in bubblewrap. */
export async function canMoveFolders(sandbox: Sandbox, policy: SandboxPolicy = 'auto'): Promise<boolean> {
  return policy !== 'off' && (await sandbox.bubblewrap()).works;
}

async function runIn(scratch: ScratchFolder, sandbox: Sandbox, request: ScriptRequest): Promise<ScriptOutcome> {
  const { skillDir, skillContent = skillDir, toolPaths = [], limits } = request;
  const environment = buildScriptEnvironment(
    { skillDir, outputDir: scratch.dir, commandDirs: commandDirs(request) },
    request.env,
  );
  if (!environment.ok) return environment;
  const job: Job = {
    command: request.command,
    skillDir,
    skillContent,
    scratch,
    toolPaths: [...new Set(toolPaths.flatMap((path) => [realPath(path) ?? path, path]))],
    inputs: request.inputs ?? [],
    network: request.network ?? false,
    timeoutMs: request.timeoutMs,
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  const planned = refuseCommand(job) ?? (await plan(sandbox, job, request.policy ?? 'auto'));
  if (!planned.ok) return planned;
  const { launch } = planned;
  const watch = watchRun(scratch.dir, job.limits);
  try {
    const env = environment.variables;
    const pipes = await takePipes(sandbox);
    const withheld = sandbox.withheld();
    const signal = request.signal === undefined ? watch.signal : AbortSignal.any([request.signal, watch.signal]);
    const result = await start(launch, { ...request, env, pipes, withheld, signal, onStart: watch.begin });
    return describeRun(result, { launch, scratch, excess: watch.excess() });
  } finally {
    watch.stop();
    launch.files.close();
  }
}

/** The folder of an interpreter is on the PATH; that of a skill is not. */
function commandDirs({ command: [program = ''], skillDir }: ScriptRequest): readonly string[] {
  const dir = dirname(program);
  return SYSTEM_COMMAND_DIRS.includes(dir) || dir === skillDir || isBelow(dir, skillDir) ? [] : [dir];
}

function refuseCommand({ command: [program = ''] }: Job): Failure | undefined {
  if (!isAbsolute(program)) return fail('SCRIPT_FAILED', `${program}: the program needs its full path`);
  return isExecutable(program) ? undefined : fail('SCRIPT_FAILED', `${program} does not exist or cannot be executed`);
}

async function plan(sandbox: Sandbox, job: Job, policy: SandboxPolicy): Promise<Outcome<{ readonly launch: Launch }>> {
  if (policy === 'off') return { ok: true, launch: planPlain(job) };
  const ability = await sandbox.bubblewrap();
  if (ability.works) return planBubblewrap(sandbox, ability.bubblewrap, job);
  if (policy === 'auto') return { ok: true, launch: await planLimits(sandbox, job, ability.reason) };
  return fail(
    'SANDBOX_UNAVAILABLE',
    `scripts run only in bubblewrap (sandbox: require), but ${ability.reason}`,
    ability.remedy,
  );
}

async function takePipes({ pipes }: Sandbox): Promise<ProcessOptions['pipes']> {
  const [stdout, stderr] = [await pipes.take(), await pipes.take()];
  if (stdout !== undefined && stderr !== undefined) return { stdout, stderr };
  for (const pipe of [stdout, stderr]) if (pipe !== undefined) closePipe(pipe);
  return undefined;
}

async function start(
  launch: Launch,
  request: ScriptRequest & Pick<ProcessOptions, 'env' | 'pipes' | 'withheld' | 'onStart'>,
): Promise<ProcessResult> {
  const { timeoutMs, maxOutputBytes, signal, input, onOutput, onStart, env, pipes, withheld } = request;
  return runProcess(launch.command, {
    timeoutMs,
    maxOutputBytes,
    signal,
    input,
    onOutput,
    onStart,
    env,
    pipes,
    withheld,
    // Bubblewrap changes to it; a user who sees less may not be able to start there.
    cwd: launch.isolation === 'bwrap' ? '/' : request.skillDir,
    user: launch.user,
    files: launch.files.descriptors,
    hasNamespace: launch.hasOwnProcesses,
    // The first signal would end bubblewrap and the script with it.
    ...(launch.isolation === 'bwrap' ? { graceMs: 0 } : {}),
  });
}

interface Surroundings {
  readonly launch: Launch;
  readonly scratch: ScratchFolder;
  /** See `RunWatch`. */
  readonly excess: string | undefined;
}

function describeRun(result: ProcessResult, { launch, scratch, excess }: Surroundings): ScriptOutcome {
  const { ended, startError, ...facts } = result;
  if (ended === 'not-started') return describeStartError(startError ?? 'ENOENT');
  if (launch.isolation === 'bwrap' && isSetupFailure(result))
    return fail('SANDBOX_UNAVAILABLE', `bubblewrap could not be set up: ${result.stderr.trim()}`);
  scratch.keep();
  const { outputs, isCut } = scratch.listOutputs();
  const run: ScriptRun = {
    ...facts,
    ...(launch.hasOwnProcesses ? readStatus(result) : {}),
    ended: excess === undefined || ended === 'exited' ? ended : 'limit',
    isolation: launch.isolation,
    notes: launch.notes,
    visible: launch.visible,
    outputs,
    outputsCut: isCut,
    outputDir: scratch.dir,
    save: (dir) => saveOutputs(outputs, scratch.dir, dir),
    dispose: scratch.dispose,
  };
  if (run.exitCode === 0 && run.ended === 'exited') return { ok: true, ...run };
  return { ...(run.ended === 'limit' ? describeExcess(excess ?? '') : describeFailure(run)), ...run };
}

function describeExcess(excess: string): Failure {
  return fail('SCRIPT_FAILED', `the script was stopped because ${excess}`);
}

function describeStartError(code: string): Failure {
  if (code === 'E2BIG') return fail('ARGS_TOO_LARGE', 'the arguments and the environment together are too large');
  const reason = code === 'ERR_INVALID_ARG_VALUE' ? 'an argument contains a NUL character' : explainCode(code);
  return fail('SCRIPT_FAILED', `the script could not be started: ${reason}`);
}

/** Bubblewrap's own messages begin like this; a script that imitates them harms only itself. */
function isSetupFailure({ ended, exitCode, stdout, stderr }: ProcessResult): boolean {
  return ended === 'exited' && exitCode === 1 && stdout === '' && stderr.startsWith('bwrap: ');
}

/** The script's parent in the namespace reports a signal as shells do: 128 plus its number. */
function readStatus({ exitCode, signal }: ProcessResult): Pick<ScriptRun, 'exitCode' | 'signal'> {
  const name = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0];
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

function describeFailure({ ended, exitCode, signal, durationMs }: ScriptRun): Failure {
  if (ended === 'timeout')
    return fail('SCRIPT_TIMEOUT', `the script was stopped after ${(durationMs / 1_000).toFixed(1)} s`);
  if (ended === 'output') return fail('SCRIPT_FAILED', 'the script was stopped because it printed too much');
  if (ended === 'cancelled') return fail('SCRIPT_FAILED', 'the script was cancelled');
  const end = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  return fail('SCRIPT_FAILED', `the script ${end}`);
}
