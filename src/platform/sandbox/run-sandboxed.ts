import { dirname, isAbsolute, join } from 'node:path';

import type { SandboxPolicy } from '../../model/config.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { explainCode } from '../errors.ts';
import { isInside, realPath } from '../files/files.ts';
import { removeTree } from '../files/remove-tree.ts';
import { closePipe } from '../process/pipes.ts';
import type { Program } from '../process/programs.ts';
import type { ProcessOptions, ProcessResult } from '../process/run-process.ts';
import { workDirOf, type Isolation, type Job, type Plan, type SandboxPromises } from './backend.ts';
import { openHiddenValues } from './hidden-values.ts';
import { openHostGate, type HostGate, type HostGateOptions } from './host-gate.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from './resource-limits.ts';
import { watchRun } from './run-watch.ts';
import type { ChosenBackend, Sandbox } from './sandbox.ts';
import type { ScratchFolder } from './scratch-folder.ts';
import { buildScriptEnvironment, SYSTEM_COMMAND_DIRS, type Variables } from './script-environment.ts';
import { isExecutable } from './system-view.ts';
import { rememberFolder, saveFiles, type WrittenFile, type WrittenFiles } from './working-folder.ts';

export interface ScriptRequest extends Pick<
  ProcessOptions,
  'timeoutMs' | 'maxOutputBytes' | 'signal' | 'input' | 'onOutput'
> {
  /** The real path of a program, and its arguments. */
  readonly command: readonly string[];
  /** Where the script sees its skill. */
  readonly skillDir: string;
  /** The folder that it sees there, by default that of this path. Another one needs the promise `skillAtOwnPath`. */
  readonly skillContent?: string | undefined;
  /** The private folder of this run, which is removed when nothing of it is left to read, at the latest by `dispose`. */
  readonly scratch: ScratchFolder;
  /** The real path of a folder of the user in which the script works, instead of that in `scratch`. */
  readonly workspace?: string | undefined;
  /** `auto` by default. */
  readonly policy?: SandboxPolicy | undefined;
  /** Values of 8 characters or more are replaced by their names in everything that the script prints. */
  readonly env?: Variables | undefined;
  /**
   * `true` opens the network, including this machine's own services. A gate opens it to some hosts only, which needs the
   * promises `filesClosed` and `networkClosed`; otherwise the script is not started.
   */
  readonly network?: boolean | NetworkGate | undefined;
  /** Interpreters outside the system's own, and their folders; the script can read everything in them. */
  readonly toolPaths?: readonly string[] | undefined;
  readonly limits?: Partial<ResourceLimits> | undefined;
}

export interface NetworkGate extends Omit<HostGateOptions, 'node'> {
  /** Runs the inner end of the gate. */
  readonly node: Pick<Program, 'path' | 'toolPaths'>;
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
   * Paths that the script could read in addition to system programs, its skill and its own folder: other interpreters,
   * and the workspace. Only `/` if it could read everything its user can.
   */
  readonly visible: readonly string[];
  /** Whole sentences about trouble that its exit code may not show, as a write that was refused. */
  readonly warnings: readonly string[];
  /** The files that it wrote or changed in its working folder. */
  readonly files: readonly WrittenFile[];
  /** True if there may be more files than listed. */
  readonly filesCut: boolean;
  /** The folder with these files: the workspace, or a private one that `dispose` and the end of the engine remove. */
  readonly outputDir: string;
  /** Copies the files to a folder, which is created if it is missing. Replaces nothing: if a file exists, none is copied. */
  readonly saveTo: (dir: string) => Outcome<{ readonly paths: readonly string[] }>;
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
  const gate = await openGate(request, chosen);
  if (!gate.ok) return gate;
  try {
    return await startBehind(gate.gate, { sandbox, request, chosen });
  } finally {
    gate.gate?.close();
  }
}

async function openGate(
  { network, scratch }: ScriptRequest,
  { promises, missing }: ChosenBackend,
): Promise<Outcome<{ readonly gate?: HostGate }>> {
  if (network === undefined || typeof network === 'boolean') return { ok: true };
  if (!promises.filesClosed || !promises.networkClosed) {
    const why = missing === undefined ? '' : `: ${missing.reason}`;
    const message = `the network cannot be limited to some hosts on this machine${why}`;
    return fail('SANDBOX_UNAVAILABLE', message, missing?.next);
  }
  const gate = await openHostGate(join(scratch.root, 'gate'), { ...network, node: network.node.path });
  return gate.ok ? { ok: true, gate } : gate;
}

interface Start {
  readonly sandbox: Sandbox;
  readonly request: ScriptRequest;
  readonly chosen: ChosenBackend;
}

async function startBehind(gate: HostGate | undefined, { sandbox, request, chosen }: Start): Promise<ScriptOutcome> {
  const made = makeJob(request, chosen, gate);
  if (!made.ok) return made;
  const { job } = made;
  const { skillDir, scratch } = job;
  const environment = buildScriptEnvironment(
    { skillDir, workDir: workDirOf(job), home: scratch.home, commandDirs: commandDirs(request, job) },
    request.env,
  );
  if (!environment.ok) return environment;
  const values = openHiddenValues(request.env ?? {}, request.onOutput ?? (() => undefined));
  const planned = await chosen.backend.plan(job);
  if (!planned.ok) return planned;
  const { plan } = planned;
  const listWritten = rememberFolder(workDirOf(job), job.workspace === undefined ? undefined : UNSEEN);
  const watch = watchRun([scratch.dir, scratch.home], job.limits);
  try {
    const { timeoutMs, maxOutputBytes, input, signal } = request;
    const ran = await chosen.backend.run(plan, {
      env: { ...environment.variables, ...gate?.variables },
      timeoutMs,
      maxOutputBytes,
      input,
      onOutput: request.onOutput && values.pass,
      signal: signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]),
      pipes: await takePipes(sandbox),
      withheld: sandbox.withheld(),
      onStart: watch.begin,
    });
    if (!ran.ok) return ran;
    values.end();
    const { stdout, stderr, ...rest } = ran.result;
    const result = { ...rest, stdout: values.hide(stdout), stderr: values.hide(stderr) };
    const notes = chosen.missing === undefined ? plan.notes : [chosen.missing.reason, ...plan.notes];
    return describeRun(
      result,
      { ...plan, notes },
      { job, listWritten, excess: watch.excess(), refusedHosts: gate?.refused() ?? [] },
    );
  } finally {
    watch.stop();
    plan.files.close();
  }
}

/** Folders of a workspace that hold too many files to look at. */
const UNSEEN: ReadonlySet<string> = new Set(['.git', 'node_modules']);

function makeJob(
  request: ScriptRequest,
  { promises }: ChosenBackend,
  gate: HostGate | undefined,
): Outcome<{ readonly job: Job }> {
  const { command, scratch, workspace, toolPaths = [], network = false, timeoutMs, limits } = request;
  const skillContent = realPath(request.skillContent ?? request.skillDir);
  if (skillContent === undefined) return fail('SCRIPT_FAILED', `${request.skillDir}: not found`);
  const skillDir = request.skillContent === undefined ? skillContent : request.skillDir;
  if (skillDir !== skillContent && !promises.skillAtOwnPath)
    return fail('SCRIPT_FAILED', `${skillDir}: this sandbox cannot show another folder here`);
  const gateTools = gate === undefined || typeof network === 'boolean' ? [] : [gate.dir, ...network.node.toolPaths];
  const [program = ''] = command;
  if (!isAbsolute(program)) return fail('SCRIPT_FAILED', `${program}: the program needs its full path`);
  if (!isExecutable(program)) return fail('SCRIPT_FAILED', `${program} does not exist or cannot be executed`);
  const job: Job = {
    command: gate === undefined ? command : gate.wrap(command),
    skillDir,
    skillContent,
    scratch,
    toolPaths: [...new Set([...toolPaths, ...gateTools].flatMap((path) => [realPath(path) ?? path, path]))],
    workspace,
    network: network === true,
    timeoutMs,
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  return { ok: true, job };
}

/** The folder of an interpreter is on the PATH; that of a skill is not. */
function commandDirs({ command: [program = ''] }: ScriptRequest, { skillDir }: Job): readonly string[] {
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
  readonly job: Job;
  readonly listWritten: () => WrittenFiles;
  readonly refusedHosts: readonly string[];
  /** See `RunWatch`. */
  readonly excess: string | undefined;
}

function describeRun(
  result: ProcessResult,
  plan: Plan,
  { job, listWritten, excess, refusedHosts }: Surroundings,
): ScriptOutcome {
  const { ended, startError, ...facts } = result;
  if (ended === 'not-started') return describeStartError(startError ?? 'ENOENT');
  const { files, isCut } = listWritten();
  const { scratch, workspace } = job;
  const outputDir = workDirOf(job);
  if (workspace !== undefined || (files.length === 0 && !isCut)) scratch.dispose();
  else for (const dir of [scratch.skillDir, scratch.home]) removeTree(dir);
  const run: ScriptRun = {
    ...facts,
    ended: excess === undefined || ended === 'exited' ? ended : 'limit',
    isolation: plan.isolation,
    promises: plan.promises,
    notes: plan.notes,
    visible: plan.visible,
    warnings: [
      ...listRefusedWrites(result).map((path) => describeRefusal(path, outputDir)),
      ...refusedHosts.map((host) => `Connection to ${host} refused: the script may not use this host.`),
    ],
    files,
    filesCut: isCut,
    outputDir,
    saveTo: (dir) => saveFiles(files, outputDir, dir),
    dispose: scratch.dispose,
  };
  if (run.exitCode === 0 && run.ended === 'exited') return { ok: true, ...run };
  return { ...(run.ended === 'limit' ? describeExcess(excess ?? '') : describeFailure(run)), ...run };
}

const MOST_REFUSALS = 3;

/** How Node.js, Python, and others report a write to a place that is read-only, with its path. */
const REFUSED_WRITE = [
  /\bEROFS: read-only file system, \w+ '([^'\n]+)'/g,
  /\[Errno 30\] Read-only file system: '([^'\n]+)'/g,
  /['"‘“]([^'"’”\n]+)['"’”]: Read-only file system/g,
  /(?:^|: )([^:'"’”\n]+): Read-only file system/gm,
];

/** The paths to which the script could not write, as far as its output tells. */
function listRefusedWrites({ stdout, stderr }: ProcessResult): readonly string[] {
  const words = `${stderr}\n${stdout}`;
  const paths = REFUSED_WRITE.flatMap((pattern) => [...words.matchAll(pattern)].map(([, path = '']) => path));
  return [...new Set(paths)].slice(0, MOST_REFUSALS);
}

function describeRefusal(path: string, workDir: string): string {
  return `Writing to ${path} was refused: the script can write only to its working directory ${workDir}, to $HOME and to /tmp.`;
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
    return fail(
      'SCRIPT_TIMEOUT',
      `time limit reached: the script was stopped after ${(durationMs / 1_000).toFixed(1)} s`,
    );
  if (ended === 'output') return fail('SCRIPT_FAILED', 'the script was stopped because it printed too much');
  if (ended === 'cancelled') return fail('SCRIPT_FAILED', 'the script was cancelled');
  const end = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  return fail('SCRIPT_FAILED', `the script ${end}`);
}
