import { constants } from 'node:os';
import { join } from 'node:path';

import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { isInside, isPlainDirectory, readStamp } from '../files/files.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import type { ResourceLimits } from './resource-limits.ts';
import type { ScratchFolder } from './scratch-folder.ts';
import { isInSystemView, type ScriptFolders } from './system-view.ts';

/** The backend that ran a script; `none` is an ordinary process. */
export type Isolation = 'bwrap' | 'namespaces' | 'other-user' | 'limits' | 'none';

/** One way to contain scripts. */
export interface SandboxBackend {
  readonly isolation: Isolation;
  /** Completes "scripts run". */
  readonly summary: string;
  /** Tries it on this machine, once. */
  probe(): Promise<Probe>;
  /** Plans how to run a job. Ask only if `probe` works. The plan's files must be closed. */
  plan(job: Job): Promise<Outcome<{ readonly plan: Plan }>>;
  /** Runs a plan of this backend. Fails if the script was not started because the sandbox could not be set up. */
  run(plan: Plan, options: PlanOptions): Promise<Outcome<{ readonly result: ProcessResult }>>;
  /** Closes the files that it keeps open. */
  close(): Promise<void>;
}

export type Probe =
  | { readonly works: true; readonly promises: SandboxPromises }
  | { readonly works: false; readonly reason: string; readonly next: NextStep };

/** The guarantees of a backend on this machine. */
export interface SandboxPromises {
  /** The script sees its skill at the skill's own path, even if a copy of it runs. */
  readonly skillAtOwnPath: boolean;
  /** It sees only the system's programs, its skill and its working folder: no other files of any user. */
  readonly filesClosed: boolean;
  /** It has no network, unless the caller opens it. */
  readonly networkClosed: boolean;
  /** All its processes end with it, and with us, however we end. */
  readonly processesEnd: boolean;
}

/** One script to run. */
export interface Job {
  readonly command: readonly string[];
  /** Where the script sees its skill, which it should not change. */
  readonly skillDir: string;
  /** The folder that it sees there. */
  readonly skillContent: string;
  readonly scratch: ScratchFolder;
  readonly toolPaths: readonly string[];
  /** The folder of the user in which it works, instead of that in `scratch`. */
  readonly workspace: string | undefined;
  readonly network: boolean;
  readonly timeoutMs: number;
  readonly limits: ResourceLimits;
}

/** The folder in which a job starts and to which it may write. */
export function workDirOf({ workspace, scratch }: Pick<Job, 'workspace' | 'scratch'>): string {
  return workspace ?? scratch.dir;
}

/** How to run one job. */
export interface Plan {
  /** That of the backend, or of a weaker one which it falls back to for this job. */
  readonly isolation: Isolation;
  readonly promises: SandboxPromises;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Undefined: our own user. */
  readonly user: number | undefined;
  /** Open files that the command gets as descriptors 3, 4 and so on. */
  readonly files: { readonly descriptors: readonly number[]; readonly close: () => void };
  /** The weaknesses of this run. */
  readonly notes: readonly string[];
  /** See `ScriptRun`. */
  readonly visible: readonly string[];
}

export const NO_FILES: Plan['files'] = { descriptors: [], close: () => undefined };

/** The part of a process that plans do not decide. */
export type PlanOptions = Omit<ProcessOptions, 'cwd' | 'user' | 'files' | 'hasNamespace'>;

/** Starts the command of a plan. */
export async function runPlan(
  plan: Plan,
  options: PlanOptions,
): Promise<{ readonly ok: true; readonly result: ProcessResult }> {
  const { command, cwd, user, files, promises } = plan;
  const hasNamespace = promises.processesEnd;
  const result = await runProcess(command, { ...options, cwd, user, files: files.descriptors, hasNamespace });
  return { ok: true, result: hasNamespace ? { ...result, ...readStatus(result) } : result };
}

/** The first process of a namespace reports a signal as shells do: 128 plus its number. */
function readStatus({ exitCode, signal }: ProcessResult): Pick<ProcessResult, 'exitCode' | 'signal'> {
  const name = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0];
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

/** Why the program of a job would not be seen by its script, in a backend that closes files; undefined if it would. */
export function refuseUnseen(job: Job): Failure | undefined {
  const [program = ''] = job.command;
  const shown = [job.skillDir, workDirOf(job), ...job.toolPaths];
  if (isInSystemView(program) || shown.some((path) => isInside(program, path))) return undefined;
  return fail('SCRIPT_FAILED', `${program} is outside the system, the skill, the working folder and the toolPaths`);
}

/** The files and folders that the script of a job sees, in a backend that closes files. */
export function foldersOf(job: Job): ScriptFolders {
  const { skillDir, skillContent, toolPaths, network, workspace } = job;
  const writable = [workDirOf(job), job.scratch.home];
  return { skillDir, skillContent, toolPaths, network, writable, kept: listKept(workspace) };
}

/** See `ScriptRun`. */
export function visiblePaths({ toolPaths, workspace, scratch }: Job): readonly string[] {
  const shown = [...toolPaths, ...(workspace === undefined ? [] : [workspace])];
  return shown.filter((path) => !isInSystemView(path) && !isInside(path, scratch.root));
}

/** Entries of a workspace that other programs run or obey; a script could act through them after its end. */
const KEPT = [
  '.git',
  '.agent',
  '.agents',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.vscode',
  '.idea',
  '.mcp.json',
  '.envrc',
];

function listKept(workspace: string | undefined): readonly string[] {
  if (workspace === undefined) return [];
  return KEPT.map((name) => join(workspace, name)).filter(
    (path) => isPlainDirectory(path) || readStamp(path) !== undefined,
  );
}
