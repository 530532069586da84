import { join, resolve } from 'node:path';

import type { LocatedSkill } from '../catalog/locate.ts';
import {
  MAX_RESOURCE_BYTES,
  MAX_SCRIPT_ARGUMENT_BYTES,
  MAX_SCRIPT_ARGUMENTS,
  MAX_SCRIPT_OUTPUT_BYTES,
} from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { copyTree } from '../platform/files/copy-tree.ts';
import { isInside, isTaken } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { removeEmptyFolder } from '../platform/files/remove-tree.ts';
import type { ProgramFinder } from '../platform/process/programs.ts';
import { runSandboxed, type ScriptOutcome, type ScriptRequest } from '../platform/sandbox/run-sandboxed.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { makeScratchFolder, type ScratchFolder } from '../platform/sandbox/scratch-folder.ts';
import type { Variables } from '../platform/sandbox/script-environment.ts';
import { chooseInterpreter } from './interpreter.ts';
import {
  copyInputs,
  findUngiven,
  resolveArguments,
  resolveInputs,
  resolveWorkspace,
  type ScriptInput,
} from './script-inputs.ts';
import { explainNeeds, readInlineDependencies, withPackages, type ScriptNeeds } from './script-needs.ts';
import { findScript } from './scripts.ts';

export interface ScriptOptions extends Pick<ScriptRequest, 'signal' | 'input' | 'onOutput' | 'limits'> {
  /**
   * Variables for the script: names of ours, such as `GITHUB_TOKEN`, or values by name. In everything that the script prints,
   * values of 8 characters or more are replaced by their names.
   */
  readonly env?: readonly string[] | Variables | undefined;
  /**
   * `true` opens the network, including this machine's own services. A list opens it to these hosts only: `api.github.com`,
   * `*.example.org`, `localhost:8080`. Where the isolation cannot enforce that, the script is not started.
   */
  readonly network?: boolean | readonly string[] | undefined;
  /** By default as configured, which is 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /**
   * Files and folders to copy into the working folder, next to the skill's files. Relative paths are resolved from
   * `cwd`.
   */
  readonly inputs?: readonly string[] | undefined;
  /** Where the caller is: by default where the engine was opened. */
  readonly cwd?: string | undefined;
  /**
   * A folder in which the script works, and which it may change; relative to `cwd`. By default it works in a copy of its skill,
   * which ends with the engine.
   */
  readonly workspace?: string | undefined;
  /** Limit of stdout and stderr together; 1 MiB by default. */
  readonly maxOutputBytes?: number | undefined;
}

export interface ScriptCall extends ScriptOptions {
  /** Its path, its path below `scripts/`, or the latter without its ending. */
  readonly script: string;
  readonly args: readonly string[];
}

/** Everything needed to run a script, except the script itself. */
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
  readonly home: string;
  /** The variables of which `env` may name some. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** See `HostGateOptions`. */
  readonly privateHosts: readonly string[];
}

/** Runs a script of a trusted skill within limits. Its files stay in `outputDir` until `dispose` is called. */
export async function runScript(located: LocatedSkill, call: ScriptCall, means: ScriptMeans): Promise<ScriptOutcome> {
  const refusal = refuseArguments(call.args);
  if (refusal !== undefined) return refusal;
  const known = findScript(located, call.script);
  if (!known.ok) return known;
  const env = takeVariables(call.env ?? {}, means.variables);
  if (!env.ok) return env;
  const cwd = resolve(means.cwd, call.cwd ?? '');
  const resolved = resolvePlaces(call, { ...means, cwd });
  if (!resolved.ok) return resolved;
  const scratch = makeScratchFolder(means.scratchParent);
  if (!scratch.ok) return scratch;
  const outcome = await runIn({ ...resolved, cwd, scratch }, located, { ...call, env: env.values }, means);
  if (!('outputDir' in outcome)) scratch.dispose();
  return outcome;
}

/** The values of variables that are given by name. */
function takeVariables(
  env: readonly string[] | Variables,
  variables: ScriptMeans['variables'],
): Outcome<{ readonly values: Variables }> {
  if (!isList(env)) return { ok: true, values: env };
  const missing = env.find((name) => variables[name] === undefined);
  if (missing !== undefined)
    return fail('SCRIPT_FAILED', `the variable ${missing} is not set here`, {
      ask: 'user',
      to: `Set ${missing}, or leave it out of \`env\`.`,
    });
  return { ok: true, values: Object.fromEntries(env.map((name) => [name, variables[name] ?? ''])) };
}

function isList<T>(value: readonly T[] | object | boolean): value is readonly T[] {
  return Array.isArray(value);
}

interface CallPlaces {
  readonly cwd: string;
  readonly inputs: readonly ScriptInput[];
  readonly workspace: string | undefined;
}

function resolvePlaces(
  { inputs = [], workspace }: ScriptCall,
  means: Pick<ScriptMeans, 'cwd' | 'home'>,
): Outcome<Pick<CallPlaces, 'inputs' | 'workspace'>> {
  const chosen = workspace === undefined ? undefined : resolveWorkspace(workspace, means);
  if (chosen?.ok === false) return chosen;
  const given = resolveInputs(inputs, means.cwd);
  if (!given.ok || chosen === undefined) return given.ok ? { ...given, workspace: undefined } : given;
  const outside = given.inputs.find(({ realPath }) => !isInside(realPath, chosen.workspace));
  if (outside === undefined) return { ...given, workspace: chosen.workspace };
  return fail('PATH_REFUSED', `the input ${outside.path} is outside the workspace`);
}

/** Fills the working folder with a copy of the skill and the inputs. */
function fillWorkingFolder(dir: string, runDir: string, inputs: readonly ScriptInput[]): Outcome {
  removeEmptyFolder(dir);
  const copied = copyTree(runDir, dir);
  if (copied.ok) return copyInputs(inputs, dir);
  return fail('SCRIPT_FAILED', `cannot copy the skill for its script: ${copied.message}`, {
    give: 'workspace',
    aim: 'give it a folder to work in',
  });
}

async function runIn(
  { scratch, cwd, inputs, workspace }: CallPlaces & { readonly scratch: ScratchFolder },
  located: LocatedSkill,
  {
    script,
    args,
    inputs: given = [],
    cwd: _,
    timeoutMs,
    maxOutputBytes = MAX_SCRIPT_OUTPUT_BYTES,
    network = false,
    env,
    ...options
  }: Omit<ScriptCall, 'env'> & { readonly env: Variables },
  means: ScriptMeans,
): Promise<ScriptOutcome> {
  const prepared = means.prepare(located, scratch.skillDir);
  if (!prepared.ok) return prepared;
  const { runDir } = prepared;
  const found = findScript({ skill: located.skill, realDir: runDir }, script);
  if (!found.ok) return found;
  const content = readInside(runDir, found.path, { maxBytes: MAX_RESOURCE_BYTES });
  if (!content.ok) return { ...content, message: `${found.path}: ${content.message}` };
  const head = content.bytes.subarray(0, HEAD_BYTES).toString();
  const interpreter = chooseInterpreter({ path: found.path, head }, means.programs);
  if (!interpreter.ok) return interpreter;
  const filled = workspace === undefined ? fillWorkingFolder(scratch.dir, runDir, inputs) : { ok: true as const };
  if (!filled.ok) return filled;
  const isPython = /[\\/]python[\d.]*(?:\.exe)?$/.test(interpreter.command[0] ?? '');
  const needs: ScriptNeeds = {
    packages: isPython ? readInlineDependencies(content.bytes.toString()) : [],
    network: network !== false,
    hasUv: means.programs.find('uv') !== undefined,
  };
  const runner = withPackages(interpreter, needs, means.programs);
  const chosen = await means.sandbox.choose(means.policy);
  if (!chosen.ok) return chosen;
  const skillDir = chosen.promises.skillAtOwnPath && located.folder === undefined ? located.realDir : runDir;
  const isOwn = workspace === undefined;
  const ungiven = isOwn ? findUngiven(args, given, cwd).filter((name) => !isTaken(join(runDir, name))) : [];
  const placeOf = ({ realPath, name }: ScriptInput): string => (isOwn ? join(scratch.dir, name) : realPath);
  const outcome = await runSandboxed(means.sandbox, {
    ...options,
    command: [
      ...runner.command,
      join(isOwn ? scratch.dir : skillDir, found.path),
      ...resolveArguments(args, inputs, { cwd, placeOf }),
    ],
    workspace,
    env: { ...env, ...runner.env },
    network: isList(network)
      ? { hosts: network, privateHosts: means.privateHosts, node: means.programs.node() }
      : network,
    toolPaths: runner.toolPaths,
    skillDir,
    skillContent: runDir,
    scratch,
    timeoutMs: timeoutMs ?? means.timeoutMs,
    maxOutputBytes,
    policy: means.policy,
  });
  return explainUngiven(explainNeeds(outcome, needs), ungiven);
}

/** Adds to a failure that the script was not given files which its arguments name. */
function explainUngiven(outcome: ScriptOutcome, names: readonly string[]): ScriptOutcome {
  if (outcome.ok || !('stderr' in outcome) || names.length === 0) return outcome;
  const [exist, them] = names.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  return {
    ...outcome,
    message: `${outcome.message}; ${names.join(', ')} ${exist} here, but the script was not given ${them}`,
    next: { give: 'inputs', as: names, aim: `give ${them} to the script` },
  };
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
