import type { DiagnosticCode } from '../model/diagnostic.ts';
import type { SkillFolder } from '../model/folder.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';
import { describeNext } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { findPathFault, withFolders } from '../model/path-fault.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { openFieldLines } from './field-line.ts';

/** Looks at a path inside a skill. Succeeds for a regular file; `RESOURCE_NOT_FOUND` says that nothing is there. */
export type FileCheck = (path: string) => Outcome;

/** Where scripts are by default. */
export const SCRIPT_FOLDER = 'scripts/';
const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'] as const;

/** Finds the module and the export that a reference such as `toolsets/index:HelloToolset` means. */
export function resolveToolset(
  reference: string,
  check: FileCheck,
): Outcome<{ readonly path: string; readonly exportName: string }> {
  const colon = reference.lastIndexOf(':');
  const exportName = reference.slice(colon + 1).trim();
  const path = withoutDot(reference.slice(0, Math.max(0, colon)).trim());
  if (path === '' || exportName === '')
    return fail('TOOLSET_FAILED', 'it must be written as "path:Export"', {
      advice: 'Write for example toolsets/index:MyTools.',
    });
  const found = findFirst(path, listModulePaths(path), check);
  if (found !== undefined) return found.ok ? { ...found, exportName } : found;
  const endings = MODULE_ENDINGS.join(', ');
  return fail('TOOLSET_FAILED', `the skill has no file ${path} (${endings}, or index in a folder)`);
}

/** Finds the file of a declared script, by its path below `scripts/` or in the skill. */
export function resolveScript(name: string, check: FileCheck): Outcome<{ readonly path: string }> {
  const path = withoutDot(name);
  return (
    findFirst(path, [`${SCRIPT_FOLDER}${path}`, path], check) ??
    fail('RESOURCE_NOT_FOUND', `the skill has no file ${path}, also not in ${SCRIPT_FOLDER}`)
  );
}

/** The first candidate that is a file, or the first refusal; undefined if nothing is there. */
function findFirst(
  given: string,
  candidates: readonly string[],
  check: FileCheck,
): ({ readonly ok: true; readonly path: string } | Failure) | undefined {
  const fault = findPathFault(given);
  if (fault !== undefined) return fail('PATH_REFUSED', `the path ${fault}`);
  for (const path of candidates) {
    const seen = check(path);
    if (seen.ok) return { ok: true, path };
    if (seen.code !== 'RESOURCE_NOT_FOUND') return { ...seen, message: `${path}: ${seen.message}` };
  }
  return undefined;
}

/** Candidate paths, in order. Dots can be slashes, as in the first skills with toolsets. */
function listModulePaths(path: string): readonly string[] {
  const paths = /^[\w-]+(?:\.[\w-]+)+$/.test(path) ? [path, path.replaceAll('.', '/')] : [path];
  return paths.flatMap((base) => [
    ...(isModule(base) ? [base] : []),
    ...MODULE_ENDINGS.map((ending) => `${base}${ending}`),
    ...MODULE_ENDINGS.map((ending) => `${base}/index${ending}`),
  ]);
}

function isModule(path: string): boolean {
  return MODULE_ENDINGS.some((ending) => path.endsWith(ending));
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, '');
}

/** A toolset or script that the frontmatter names, but that cannot be used. */
export interface NamedFileFault {
  readonly code: Extract<DiagnosticCode, 'TOOLSET_INVALID' | 'SCRIPT_INVALID'>;
  readonly field: 'toolsets' | 'scripts';
  readonly line: number | undefined;
  /** As the frontmatter spells it. */
  readonly name: string;
  /** Is it refused because of its location, for example outside the skill? Otherwise it is misspelled or missing. */
  readonly isRefused: boolean;
  readonly message: string;
}

export interface NamedFilesView extends Pick<SkillFolder, 'files'> {
  /** The text of SKILL.md. */
  readonly text: string;
  /** Reads a file of the skill; without it, the exports of toolsets are not checked. */
  readonly read?: SkillFolder['read'] | undefined;
}

/**
 * Checks every toolset and script named in the frontmatter: valid form, inside the skill, and existing, including a
 * toolset's export. Imports and runs nothing.
 */
export function findNamedFileFaults(
  skill: Pick<SkillDefinition, 'toolsets' | 'scripts'>,
  { text, files: listFiles, read }: NamedFilesView,
): readonly NamedFileFault[] {
  if (skill.toolsets.length + (skill.scripts?.length ?? 0) === 0) return [];
  const { files, refused } = listFiles();
  const paths = files.map(({ path }) => path);
  const check = openFileCheck(new Set(paths), new Map(refused.map(({ path, reason }) => [path, reason])));
  const failures = KINDS.flatMap((kind) =>
    [...new Set(skill[kind.field])].map((name) => ({
      kind,
      name,
      outcome: checkExport(kind.resolve(name, check), read),
    })),
  ).flatMap(({ outcome, ...named }) => (outcome.ok ? [] : [{ ...named, failure: outcome }]));
  if (failures.length === 0) return [];
  const lineOf = openFieldLines(text);
  return failures.map(({ kind: { code, field, isChoice }, name, failure }) => {
    const line = lineOf(field, name);
    const place = line === undefined ? field : `${field} (line ${line})`;
    const isRefused = failure.code === 'PATH_REFUSED';
    const remedy =
      failure.next === undefined
        ? `; ${describeRemedy(field, isRefused ? undefined : paths.filter(isChoice))}`
        : `. ${describeNext(failure.next)}`;
    const message = `${place}: "${name.slice(0, SHOWN_LENGTH)}": ${failure.message}${remedy}`;
    return { code, field, line, name, isRefused, message };
  });
}

function openFileCheck(files: ReadonlySet<string>, refused: ReadonlyMap<string, string>): FileCheck {
  return (path) => {
    if (files.has(path)) return { ok: true };
    const folder = withFolders(path).find((part) => refused.has(part));
    if (folder === undefined) return fail('RESOURCE_NOT_FOUND', 'File not found');
    return fail('PATH_REFUSED', `${folder === path ? 'it' : folder} ${refused.get(folder)}`);
  };
}

const KINDS = [
  { code: 'TOOLSET_INVALID', field: 'toolsets', resolve: resolveToolset, isChoice: isModule },
  {
    code: 'SCRIPT_INVALID',
    field: 'scripts',
    resolve: resolveScript,
    isChoice: (path: string) => path.startsWith(SCRIPT_FOLDER),
  },
] as const;

const SHOWN_LENGTH = 80;
const SHOWN_FILES = 5;

/** `choices`: files that it could name instead; undefined if it names a file that is refused. */
function describeRemedy(field: string, choices: readonly string[] | undefined): string {
  if (choices === undefined) return `put a regular file into the skill, or remove it from ${field}`;
  if (choices.length === 0) return `add the file, or remove it from ${field}`;
  return `name one of ${listSome(choices, { most: SHOWN_FILES })}, or remove it from ${field}`;
}

/** A module without the word, and without anything that passes on what others export, cannot have the export. */
function checkExport(
  found: Outcome<{ readonly path: string; readonly exportName?: string }>,
  read: NamedFilesView['read'],
): Outcome {
  if (!found.ok || found.exportName === undefined || read === undefined) return found;
  const { path, exportName } = found;
  const content = read(path, MAX_RESOURCE_BYTES);
  if (!content.ok) return { ...content, message: `${path}: ${content.message}` };
  const text = Buffer.from(content.bytes).toString();
  const words = new Set(text.match(/[\p{L}\p{N}_$]+/gu));
  if (words.has(exportName) || words.has('exports') || /\bexport\s*\*/.test(text)) return found;
  return fail('TOOLSET_FAILED', `${path} has no export ${exportName}`, {
    advice: 'Export it there, or correct its name.',
  });
}
