import { constants } from 'node:os';

import type { Outcome } from '../../model/outcome.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import type { ResourceLimits } from './resource-limits.ts';
import type { ScratchFolder } from './scratch-folder.ts';

/** The backend that ran a script; `none` is an ordinary process. */
export type Isolation = 'bwrap' | 'other-user' | 'limits' | 'none';

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
  | { readonly works: false; readonly reason: string; readonly remedy: string };

/** The guarantees of a backend on this machine. */
export interface SandboxPromises {
  /** The script sees its skill at the skill's own path, even if a copy of it runs. */
  readonly skillAtOwnPath: boolean;
  /** It sees only the system's programs, its skill, its output folder and its inputs: no other files of any user. */
  readonly filesClosed: boolean;
  /** It has no network, unless the caller opens it. */
  readonly networkClosed: boolean;
  /** All its processes end with it, and with us, however we end. */
  readonly processesEnd: boolean;
}

/** A file or folder that a script may read. */
export interface ScriptInput {
  /** Where the script sees it. */
  readonly path: string;
  readonly realPath: string;
}

/** One script to run. */
export interface Job {
  readonly command: readonly string[];
  /** Where the script sees its skill; also its working directory. */
  readonly skillDir: string;
  /** The folder that it sees there. */
  readonly skillContent: string;
  readonly scratch: ScratchFolder;
  readonly toolPaths: readonly string[];
  readonly inputs: readonly ScriptInput[];
  readonly network: boolean;
  readonly timeoutMs: number;
  readonly limits: ResourceLimits;
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
