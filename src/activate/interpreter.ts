import { basename } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import type { Program, ProgramFinder } from '../platform/process/programs.ts';

/** The program that runs a script. */
export interface Interpreter {
  /** The program and its arguments before the script's path. */
  readonly command: readonly string[];
  /** Folders that the sandbox must let the program read. */
  readonly toolPaths: readonly string[];
  /** Variables that the program needs. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ScriptText {
  readonly path: string;
  /** The beginning of the file. */
  readonly head: string;
}

/** Chooses a script's interpreter by its shebang line, or else by its extension. */
export function chooseInterpreter({ path, head }: ScriptText, programs: ProgramFinder): Outcome<Interpreter> {
  const wanted = readShebang(head) ?? byEnding(path, programs);
  if (wanted === undefined)
    return fail('SCRIPT_FAILED', `cannot tell how to run ${path}`, {
      advice: 'Add a first line such as #!/usr/bin/env bash.',
    });
  const [name = '', ...args] = wanted;
  if (name === TYPESCRIPT) return runTypeScript(programs);
  const program = findProgram(name, programs);
  if (program === undefined) return fail('SCRIPT_FAILED', `cannot run ${path}: ${name} is not installed`);
  return { ok: true, command: [program.path, ...args], toolPaths: program.toolPaths };
}

/** Placeholder for our own loader instead of an interpreter's name. */
const TYPESCRIPT = '';

/** The caches of the loader and of Node.js would pass for files that the script wrote. */
const NO_CACHES = { JITI_FS_CACHE: 'false', NODE_DISABLE_COMPILE_CACHE: '1' };

function runTypeScript(programs: ProgramFinder): Outcome<Interpreter> {
  const [node, loader] = [programs.node(), programs.typeScriptLoader()];
  // Without the loader, Node.js strips the types by itself, and refuses enums and the like.
  if (loader === undefined) return { ok: true, command: [node.path], toolPaths: node.toolPaths, env: NO_CACHES };
  const toolPaths = [...node.toolPaths, ...loader.toolPaths];
  return { ok: true, command: [node.path, loader.path], toolPaths, env: NO_CACHES };
}

function findProgram(name: string, programs: ProgramFinder): Program | undefined {
  if (name === 'node' || name === 'nodejs') return programs.node();
  return programs.find(name) ?? (name === 'python' ? programs.find('python3') : undefined);
}

/** The words of the first line. The program is given by name only; its path is not for the script to decide. */
function readShebang(head: string): readonly string[] | undefined {
  const words =
    /^#![ \t]*([^\r\n]+)/
      .exec(head)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? [];
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  if (basename(program) !== 'env') return [basename(program), ...args];
  const [first, ...rest] = args.filter((word) => !/^(?:-S|--split-string)$/.test(word));
  return first === undefined ? undefined : [basename(first), ...rest];
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['py', 'python3'],
  ['js', 'node'],
  ['mjs', 'node'],
  ['cjs', 'node'],
  ['rb', 'ruby'],
]);

function byEnding(path: string, programs: ProgramFinder): readonly string[] | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^[mc]?ts$/.test(ending)) return programs.find('bun') === undefined ? [TYPESCRIPT] : ['bun', 'run'];
  const name = ENDINGS.get(ending);
  return name === undefined ? undefined : [name];
}
