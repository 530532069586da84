import { join, resolve } from 'node:path';

import type { LocatedSkill } from '../catalog/locate.ts';
import {
  MAX_RESOURCE_BYTES,
  MAX_SCRIPT_ARGUMENT_BYTES,
  MAX_SCRIPT_ARGUMENTS,
  MAX_SCRIPT_OUTPUT_BYTES,
} from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { readInside } from '../platform/files/inside.ts';
import type { ProgramFinder } from '../platform/process/programs.ts';
import { runSandboxed, type ScriptOutcome, type ScriptRequest } from '../platform/sandbox/run-sandboxed.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { makeScratchFolder, type ScratchFolder } from '../platform/sandbox/scratch-folder.ts';
import { chooseInterpreter } from './interpreter.ts';
import { resolveInputs } from './script-inputs.ts';
import { explainNeeds, readInlineDependencies, withPackages, type ScriptNeeds } from './script-needs.ts';
import { findScript } from './scripts.ts';

export interface ScriptOptions extends Pick<
  ScriptRequest,
  'env' | 'network' | 'signal' | 'input' | 'onOutput' | 'limits'
> {
  /** By default as configured, which is 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Files and folders that the script can read at their own paths. Relative ones count from `cwd`. */
  readonly inputs?: readonly string[] | undefined;
  /** Where the caller is: by default where the engine was opened. The script itself starts in its skill's folder. */
  readonly cwd?: string | undefined;
  /** Limit of stdout and stderr together; 1 MiB by default. */
  readonly maxOutputBytes?: number | undefined;
}

export interface ScriptCall extends ScriptOptions {
  /** Its path, its path below `scripts/`, or the latter without its ending. */
  readonly script: string;
  readonly args: readonly string[];
}

/** Everything that running a script takes, apart from the script. */
export interface ScriptMeans {
  /** The folder from which the skill may run, a copy at `copyDir` or its own; a failure says why it may not. */
  readonly prepare: (located: LocatedSkill, copyDir: string) => Outcome<{ readonly runDir: string }>;
  readonly programs: ProgramFinder;
  readonly sandbox: Sandbox;
  readonly policy: ScriptRequest['policy'];
  readonly timeoutMs: number;
  /** The parent of the run's private folder. */
  readonly scratchParent: string;
  /** See `ScriptOptions.cwd`. */
  readonly cwd: string;
}

/** Runs a script of a trusted skill within limits. Its files stay in `outputDir` until `dispose` is called. */
export async function runScript(located: LocatedSkill, call: ScriptCall, means: ScriptMeans): Promise<ScriptOutcome> {
  const refusal = refuseArguments(call.args);
  if (refusal !== undefined) return refusal;
  const known = findScript(located, call.script);
  if (!known.ok) return known;
  const scratch = makeScratchFolder(means.scratchParent);
  if (!scratch.ok) return scratch;
  const outcome = await runIn(scratch, located, call, means);
  if (!('outputDir' in outcome)) scratch.dispose();
  return outcome;
}

async function runIn(
  scratch: ScratchFolder,
  located: LocatedSkill,
  { script, args, inputs = [], cwd, timeoutMs, maxOutputBytes = MAX_SCRIPT_OUTPUT_BYTES, ...options }: ScriptCall,
  means: ScriptMeans,
): Promise<ScriptOutcome> {
  const prepared = means.prepare(located, scratch.skillDir);
  if (!prepared.ok) return prepared;
  const { runDir } = prepared;
  const found = findScript({ ...located, realDir: runDir }, script);
  if (!found.ok) return found;
  const content = readInside(runDir, found.path, { maxBytes: MAX_RESOURCE_BYTES });
  if (!content.ok) return { ...content, message: `${found.path}: ${content.message}` };
  const head = content.bytes.subarray(0, HEAD_BYTES).toString();
  const interpreter = chooseInterpreter({ path: found.path, head }, means.programs);
  if (!interpreter.ok) return interpreter;
  const given = resolveInputs({ inputs, args, cwd: resolve(means.cwd, cwd ?? '') });
  if (!given.ok) return given;
  const isPython = /[\\/]python[\d.]*(?:\.exe)?$/.test(interpreter.command[0] ?? '');
  const needs: ScriptNeeds = {
    packages: isPython ? readInlineDependencies(content.bytes.toString()) : [],
    network: options.network ?? false,
    hasUv: means.programs.find('uv') !== undefined,
  };
  const runner = withPackages(interpreter, needs, means.programs);
  const chosen = await means.sandbox.choose(means.policy);
  if (!chosen.ok) return chosen;
  const skillDir = chosen.promises.skillAtOwnPath ? located.realDir : runDir;
  const outcome = await runSandboxed(means.sandbox, {
    ...options,
    command: [...runner.command, join(skillDir, found.path), ...given.args],
    inputs: given.inputs,
    env: { ...options.env, ...runner.env },
    toolPaths: runner.toolPaths,
    skillDir,
    skillContent: runDir,
    scratch,
    timeoutMs: timeoutMs ?? means.timeoutMs,
    maxOutputBytes,
    policy: means.policy,
  });
  return explainNeeds(outcome, needs);
}

/** The longest first line that is read. */
const HEAD_BYTES = 4_096;

function refuseArguments(args: readonly string[]): Failure | undefined {
  if (args.length > MAX_SCRIPT_ARGUMENTS)
    return fail('ARGS_TOO_LARGE', `there are ${args.length} arguments; the limit is ${MAX_SCRIPT_ARGUMENTS}`);
  const bytes = args.reduce((sum, argument) => sum + Buffer.byteLength(argument), 0);
  if (bytes <= MAX_SCRIPT_ARGUMENT_BYTES) return undefined;
  return fail('ARGS_TOO_LARGE', `the arguments have ${bytes} bytes; the limit is ${MAX_SCRIPT_ARGUMENT_BYTES}`);
}
