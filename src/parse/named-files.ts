import type { DiagnosticCode } from '../model/diagnostic.ts';
import type { SkillFolder } from '../model/folder.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { findPathFault, withFolders } from '../model/path-fault.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { openFieldLines } from './field-line.ts';

/** Looks at a path inside a skill. Succeeds for a regular file; `RESOURCE_NOT_FOUND` says that nothing is there. */
export type Look = (path: string) => Outcome;

/** Where scripts are by default. */
export const SCRIPT_FOLDER = 'scripts/';
const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'] as const;

/** Finds the module and the export that a reference such as `toolsets/index:HelloToolset` means. */
export function resolveToolset(
  reference: string,
  look: Look,
): Outcome<{ readonly path: string; readonly exportName: string }> {
  const colon = reference.lastIndexOf(':');
  const exportName = reference.slice(colon + 1).trim();
  const path = withoutDot(reference.slice(0, Math.max(0, colon)).trim());
  if (path === '' || exportName === '')
    return fail('TOOLSET_FAILED', 'it must be written as "path:Export"', 'for example toolsets/index:MyTools');
  const found = lookForFirst(path, listModulePaths(path), look);
  if (found !== undefined) return found.ok ? { ...found, exportName } : found;
  const endings = MODULE_ENDINGS.join(', ');
  return fail('TOOLSET_FAILED', `there is no file ${path} (${endings}, or index in a folder) in the skill`);
}

/** Finds the file of a declared script, by its path below `scripts/` or in the skill. */
export function resolveScript(name: string, look: Look): Outcome<{ readonly path: string }> {
  const path = withoutDot(name);
  return (
    lookForFirst(path, [`${SCRIPT_FOLDER}${path}`, path], look) ??
    fail('RESOURCE_NOT_FOUND', `there is no file ${path} in the skill or in its folder ${SCRIPT_FOLDER}`)
  );
}

/** The first candidate that is a file, or the first refusal; undefined if nothing is there. */
function lookForFirst(
  given: string,
  candidates: readonly string[],
  look: Look,
): ({ readonly ok: true; readonly path: string } | Failure) | undefined {
  const fault = findPathFault(given);
  if (fault !== undefined) return fail('PATH_REFUSED', `the path ${fault}`);
  for (const path of candidates) {
    const seen = look(path);
    if (seen.ok) return { ok: true, path };
    if (seen.code !== 'RESOURCE_NOT_FOUND') return { ...seen, message: `${path}: ${seen.message}` };
  }
  return undefined;
}

/** The paths to try, in order. Dots may stand for slashes, as in the first skills with toolsets. */
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
  /** Is it refused because of where it is, for example outside the skill? Otherwise it is misspelt or missing. */
  readonly isRefused: boolean;
  readonly message: string;
}

export interface NamedFilesView extends Pick<SkillFolder, 'files'> {
  /** The text of SKILL.md. */
  readonly text: string;
}

/**
 * Checks every toolset and script that the frontmatter names: it has the right form, lies in the skill and exists. Imports
 * and runs nothing.
 */
export function findNamedFileFaults(
  skill: Pick<SkillDefinition, 'toolsets' | 'scripts'>,
  { text, files: listFiles }: NamedFilesView,
): readonly NamedFileFault[] {
  if (skill.toolsets.length + (skill.scripts?.length ?? 0) === 0) return [];
  const { files, refused } = listFiles();
  const paths = files.map(({ path }) => path);
  const look = openLook(new Set(paths), new Map(refused.map(({ path, reason }) => [path, reason])));
  const failures = KINDS.flatMap((kind) =>
    [...new Set(skill[kind.field])].map((name) => ({ kind, name, outcome: kind.resolve(name, look) })),
  ).flatMap(({ outcome, ...named }) => (outcome.ok ? [] : [{ ...named, failure: outcome }]));
  if (failures.length === 0) return [];
  const lineOf = openFieldLines(text);
  return failures.map(({ kind: { code, field, isChoice }, name, failure }) => {
    const line = lineOf(field, name);
    const place = line === undefined ? field : `${field} (line ${line})`;
    const remedy = failure.hint ?? describeChoices(field, paths.filter(isChoice));
    const message = `${place}: "${name.slice(0, SHOWN_LENGTH)}": ${failure.message}; ${remedy}`;
    return { code, field, line, name, isRefused: failure.code === 'PATH_REFUSED', message };
  });
}

function openLook(files: ReadonlySet<string>, refused: ReadonlyMap<string, string>): Look {
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

function describeChoices(field: string, files: readonly string[]): string {
  if (files.length === 0) return `add the file, or remove it from ${field}`;
  return `name one of ${listSome(files, { most: SHOWN_FILES })}, or remove it from ${field}`;
}
