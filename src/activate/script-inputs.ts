import { resolve } from 'node:path';

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { exists, isInside, isFile, ownerOf, realPath } from '../platform/files/files.ts';
import type { ScriptInput } from '../platform/sandbox/backend.ts';

/** The files and folders that the caller gives a script, and the arguments that may name them. */
export interface GivenInputs {
  /** Absolute, or relative to `cwd`. */
  readonly inputs: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
}

export interface ResolvedInputs {
  readonly inputs: readonly ScriptInput[];
  /** Arguments that name an input, or something in it, as absolute paths: a script starts in its skill's folder. */
  readonly args: readonly string[];
}

export const MAX_SCRIPT_INPUTS = 100;

/** Finds the inputs, and the arguments that name them: `form.pdf` as well as `--form=form.pdf`. */
export function resolveInputs({ inputs, args, cwd }: GivenInputs): Outcome<ResolvedInputs> {
  if (inputs.length > MAX_SCRIPT_INPUTS)
    return fail('ARGS_TOO_LARGE', `there are ${inputs.length} inputs; the limit is ${MAX_SCRIPT_INPUTS}`);
  const found: ScriptInput[] = [];
  for (const given of inputs) {
    const path = resolve(cwd, given);
    const realInput = realPath(path);
    const refusal = refuseInput(given, realInput);
    if (realInput === undefined || refusal !== undefined) return refusal ?? missing(given);
    found.push({ path, realPath: realInput });
  }
  return { ok: true, inputs: found, args: args.map((argument) => resolveArgument(argument, found, cwd)) };
}

/** The kernel's own folders are no data, and the sandbox has its own. */
const KERNEL = ['/proc', '/sys', '/dev'];

function refuseInput(given: string, path: string | undefined): Failure | undefined {
  if (path === undefined) return missing(given);
  if (path === resolve('/') || KERNEL.some((dir) => isInside(path, dir)))
    return fail('PATH_REFUSED', `the input ${given} is a folder of the system`);
  const isReadable = isFile(path) || ownerOf(path) !== undefined;
  return isReadable ? undefined : fail('PATH_REFUSED', `the input ${given} is neither a file nor a folder`);
}

function missing(given: string): Failure {
  return fail('RESOURCE_NOT_FOUND', `the input ${given} does not exist`);
}

function resolveArgument(argument: string, inputs: readonly ScriptInput[], cwd: string): string {
  const [, option = '', value = argument] = /^(-[^=]*=)(.*)$/s.exec(argument) ?? [];
  if (value === '') return argument;
  const path = resolve(cwd, value);
  const isGiven = inputs.some((input) => path === input.path || (isInside(path, input.path) && exists(path)));
  return isGiven ? `${option}${path}` : argument;
}

/** The folder from which an agent may give files to scripts. */
export interface Workspace {
  readonly dir: string;
  readonly home: string;
}

/**
 * Refuses inputs that an agent may not read: whatever is really outside the workspace, and the hidden files in the home
 * directory, which hold keys and settings. Undefined if all are allowed.
 */
export function refuseOutside(inputs: readonly string[], { dir, home }: Workspace): Failure | undefined {
  const root = realPath(dir) ?? dir;
  const realHome = realPath(home) ?? home;
  for (const given of inputs) {
    const path = realPath(resolve(dir, given)) ?? resolve(root, given);
    if (!isInside(path, root))
      return fail('PATH_REFUSED', `the input ${given} is outside the workspace`, `Give a file inside ${dir}.`);
    const isHidden =
      isInside(path, realHome) &&
      path
        .slice(realHome.length)
        .replace(/^[/\\]/, '')
        .startsWith('.');
    if (isHidden || isInside(realHome, path))
      return fail('PATH_REFUSED', `the input ${given} includes hidden files of the home directory`);
  }
  return undefined;
}
