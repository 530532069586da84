import { dirname, isAbsolute } from 'node:path';

import type { SandboxPolicy } from '../../model/config.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { explainCode } from '../errors.ts';
import { isInside, realPath } from '../files/files.ts';
import { closePipe } from '../process/pipes.ts';
import type { ProcessOptions, ProcessResult } from '../process/run-process.ts';
import type { Isolation, Job, Plan, SandboxPromises, ScriptInput } from './backend.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from './resource-limits.ts';
import { watchRun } from './run-watch.ts';
import type { ChosenBackend, Sandbox } from './sandbox.ts';
import { saveOutputs, type OutputFile, type ScratchFolder } from './scratch-folder.ts';
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
  /** The folder that it sees there, by default that of this path. Another one needs the promise `skillAtOwnPath`. */
  readonly skillContent?: string | undefined;
  /** The private folder of this run, which is removed at once if the script is not started, else by `dispose`. */
  readonly scratch: ScratchFolder;
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
  readonly promises: SandboxPromises;
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

/** Runs a program of a skill as well contained as policy and machine allow. */
export async function runSandboxed(sandbox: Sandbox, request: ScriptRequest): Promise<ScriptOutcome> {
  const outcome = await start(sandbox, request);
  if (!('outputDir' in outcome)) request.scratch.dispose();
  return outcome;
}

async function start(sandbox: Sandbox, request: ScriptRequest): Promise<ScriptOutcome> {
  const chosen = await sandbox.choose(request.policy);
  if (!chosen.ok) return chosen;
  const made = makeJob(request, chosen);
  if (!made.ok) return made;
  const { job } = made;
  const { skillDir, scratch } = job;
  const environment = buildScriptEnvironment(
    { skillDir, outputDir: scratch.dir, commandDirs: commandDirs(job) },
    request.env,
  );
  if (!environment.ok) return environment;
  const planned = await chosen.backend.plan(job);
  if (!planned.ok) return planned;
  const { plan } = planned;
  const watch = watchRun(scratch.dir, job.limits);
  try {
    const { timeoutMs, maxOutputBytes, input, onOutput, signal } = request;
    const ran = await chosen.backend.run(plan, {
      env: environment.variables,
      timeoutMs,
      maxOutputBytes,
      input,
      onOutput,
      signal: signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]),
      pipes: await takePipes(sandbox),
      withheld: sandbox.withheld(),
      onStart: watch.begin,
    });
    if (!ran.ok) return ran;
    const notes = chosen.missing === undefined ? plan.notes : [chosen.missing.reason, ...plan.notes];
    return describeRun(ran.result, { ...plan, notes }, { scratch, excess: watch.excess() });
  } finally {
    watch.stop();
    plan.files.close();
  }
}

function makeJob(request: ScriptRequest, { promises }: ChosenBackend): Outcome<{ readonly job: Job }> {
  const { command, scratch, toolPaths = [], inputs = [], network = false, timeoutMs, limits } = request;
  const skillContent = realPath(request.skillContent ?? request.skillDir);
  if (skillContent === undefined) return fail('SCRIPT_FAILED', `${request.skillDir}: not found`);
  const skillDir = request.skillContent === undefined ? skillContent : request.skillDir;
  if (skillDir !== skillContent && !promises.skillAtOwnPath)
    return fail('SCRIPT_FAILED', `${skillDir}: this sandbox cannot show another folder here`);
  const [program = ''] = command;
  if (!isAbsolute(program)) return fail('SCRIPT_FAILED', `${program}: the program needs its full path`);
  if (!isExecutable(program)) return fail('SCRIPT_FAILED', `${program} does not exist or cannot be executed`);
  const job: Job = {
    command,
    skillDir,
    skillContent,
    scratch,
    toolPaths: [...new Set(toolPaths.flatMap((path) => [realPath(path) ?? path, path]))],
    inputs,
    network,
    timeoutMs,
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  return { ok: true, job };
}

/** The folder of an interpreter is on the PATH; that of a skill is not. */
function commandDirs({ command: [program = ''], skillDir }: Job): readonly string[] {
  const dir = dirname(program);
  return SYSTEM_COMMAND_DIRS.includes(dir) || isInside(dir, skillDir) ? [] : [dir];
}

async function takePipes({ pipes }: Sandbox): Promise<ProcessOptions['pipes']> {
  const [stdout, stderr] = [await pipes.take(), await pipes.take()];
  if (stdout !== undefined && stderr !== undefined) return { stdout, stderr };
  for (const pipe of [stdout, stderr]) if (pipe !== undefined) closePipe(pipe);
  return undefined;
}

interface Surroundings {
  readonly scratch: ScratchFolder;
  /** See `RunWatch`. */
  readonly excess: string | undefined;
}

function describeRun(result: ProcessResult, plan: Plan, { scratch, excess }: Surroundings): ScriptOutcome {
  const { ended, startError, ...facts } = result;
  if (ended === 'not-started') return describeStartError(startError ?? 'ENOENT');
  scratch.keepOutputs();
  const { outputs, isCut } = scratch.listOutputs();
  const run: ScriptRun = {
    ...facts,
    ended: excess === undefined || ended === 'exited' ? ended : 'limit',
    isolation: plan.isolation,
    promises: plan.promises,
    notes: plan.notes,
    visible: plan.visible,
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

function describeFailure({ ended, exitCode, signal, durationMs }: ScriptRun): Failure {
  if (ended === 'timeout')
    return fail('SCRIPT_TIMEOUT', `the script was stopped after ${(durationMs / 1_000).toFixed(1)} s`);
  if (ended === 'output') return fail('SCRIPT_FAILED', 'the script was stopped because it printed too much');
  if (ended === 'cancelled') return fail('SCRIPT_FAILED', 'the script was cancelled');
  const end = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  return fail('SCRIPT_FAILED', `the script ${end}`);
}
