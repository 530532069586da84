import { basename, dirname, join, relative, resolve } from 'node:path';

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { copyTree, MAX_COPY_BYTES } from '../platform/files/copy-tree.ts';
import {
  exists,
  isFile,
  isInside,
  isPlainDirectory,
  isTaken,
  listDirectory,
  ownerOf,
  realPath,
} from '../platform/files/files.ts';
import { makeFolder } from '../platform/files/folders.ts';
import { isInSystemView } from '../platform/sandbox/system-view.ts';

/** An input of the caller, and its path next to the skill's files. */
export interface ScriptInput {
  readonly path: string;
  readonly realPath: string;
  /** From the working folder. */
  readonly name: string;
}

export const MAX_SCRIPT_INPUTS = 100;

/**
 * Finds the files and folders that the caller gives a script. Those in `cwd` keep their path from there, others their name; of
 * `cwd` itself, everything in it is given.
 */
export function resolveInputs(
  inputs: readonly string[],
  cwd: string,
): Outcome<{ readonly inputs: readonly ScriptInput[] }> {
  if (inputs.length > MAX_SCRIPT_INPUTS)
    return fail('ARGS_TOO_LARGE', `there are ${inputs.length} inputs; the limit is ${MAX_SCRIPT_INPUTS}`);
  const found: ScriptInput[] = [];
  for (const given of inputs) {
    const path = resolve(cwd, given);
    const realInput = realPath(path);
    const refusal = refuseInput(given, realInput);
    if (realInput === undefined || refusal !== undefined) return refusal ?? missing(given);
    found.push({ path, realPath: realInput, name: isInside(path, cwd) ? relative(cwd, path) : basename(path) });
  }
  return { ok: true, inputs: found.flatMap(openWhole) };
}

function openWhole(input: ScriptInput): readonly ScriptInput[] {
  if (input.name !== '') return [input];
  const listing = listDirectory(input.realPath);
  return (listing.state === 'listed' ? listing.entries : []).map(({ name }) => ({
    path: join(input.path, name),
    realPath: join(input.realPath, name),
    name,
  }));
}

/** Kernel file systems contain no input data, and the sandbox has its own. */
const KERNEL = ['/proc', '/sys', '/dev'];

/** Among the devices, but people keep files here: a temporary folder in memory. */
const MEMORY = '/dev/shm';

function refuseInput(given: string, path: string | undefined): Failure | undefined {
  if (path === undefined) return missing(given);
  if (isOfSystem(path)) return fail('PATH_REFUSED', `the input ${given} is a system folder`);
  const isReadable = isFile(path) || ownerOf(path) !== undefined;
  return isReadable ? undefined : fail('PATH_REFUSED', `the input ${given} is neither a file nor a folder`);
}

function isOfSystem(path: string): boolean {
  if (path !== MEMORY && isInside(path, MEMORY)) return false;
  return path === resolve('/') || KERNEL.some((dir) => isInside(path, dir));
}

function missing(given: string): Failure {
  return fail('RESOURCE_NOT_FOUND', `the input ${given} does not exist`);
}

/** Copies the inputs into a working folder that already holds the files of the skill. Replaces none of them. */
export function copyInputs(inputs: readonly ScriptInput[], workDir: string): Outcome {
  let bytes = 0;
  for (const { name, realPath: from } of inputs) {
    const to = join(workDir, name);
    if (isTaken(to) || !makeParents(workDir, dirname(name)))
      return fail('PATH_REFUSED', `the input ${name} has the same name as a file of the skill or another input`, {
        advice: 'Rename it, or give it from another folder.',
      });
    const copied = copyTree(from, to, MAX_COPY_BYTES - bytes);
    if (!copied.ok)
      return fail('PATH_REFUSED', `the input ${name} cannot be copied: ${copied.message}`, {
        give: 'workspace',
        aim: 'give the folder that holds it, in which the script then works',
      });
    bytes += copied.bytes;
  }
  return { ok: true };
}

/** False if the path is already taken. A link in the skill must not lead out of the working folder. */
function makeParents(workDir: string, folder: string): boolean {
  if (folder === '.') return true;
  const path = join(workDir, folder);
  return makeParents(workDir, dirname(folder)) && (isPlainDirectory(path) || (!isTaken(path) && makeFolder(path).ok));
}

/**
 * Writes arguments that name an input, or something in it, as absolute paths where the script sees them: `form.pdf` as well as
 * `--form=form.pdf`. Scripts often change their directory.
 */
export function resolveArguments(
  args: readonly string[],
  inputs: readonly ScriptInput[],
  { cwd, placeOf }: { readonly cwd: string; readonly placeOf: (input: ScriptInput) => string },
): readonly string[] {
  return args.map((argument) => {
    const [, option = '', value = argument] = /^(-[^=]*=)(.*)$/s.exec(argument) ?? [];
    if (value === '') return argument;
    const path = resolve(cwd, value);
    const input = inputs.find((one) => path === one.path || (isInside(path, one.path) && exists(path)));
    return input === undefined ? argument : `${option}${join(placeOf(input), relative(input.path, path))}`;
  });
}

/** Files of `cwd` that arguments name, as `data.csv` or `--data=data.csv`, and that are not among the inputs. */
export function findUngiven(args: readonly string[], inputs: readonly string[], cwd: string): readonly string[] {
  const given = inputs.map((input) => resolve(cwd, input));
  const values = args.map((argument) => /^-[^=]*=(.*)$/s.exec(argument)?.[1] ?? argument);
  return [...new Set(values)].filter((value) => {
    const path = resolve(cwd, value);
    return value !== '' && isFile(path) && !given.some((input) => isInside(path, input));
  });
}

/**
 * The real path of a folder of the user in which a script may work. The home directory and the system's folders are refused: a
 * script could change everything in them.
 */
export function resolveWorkspace(
  workspace: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Outcome<{ readonly workspace: string }> {
  const path = realPath(resolve(cwd, workspace));
  if (path === undefined || !isPlainDirectory(path))
    return fail('PATH_REFUSED', `the workspace ${workspace} is not a folder`);
  if (isOfSystem(path) || isInSystemView(path) || isInside(realPath(home) ?? home, path))
    return fail('PATH_REFUSED', `the workspace ${workspace} is a system folder, or contains your home directory`, {
      advice: 'Choose a project folder.',
    });
  return { ok: true, workspace: path };
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
      return fail('PATH_REFUSED', `the input ${given} is outside the workspace`, {
        advice: `Give a file inside ${dir}.`,
      });
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
