import { basename, dirname, join } from 'node:path';

import { isBroken } from '../catalog/broken.ts';
import { findSkill } from '../catalog/find.ts';
import { isUsable } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import { wholeScope } from '../engine/skill-scope.ts';
import { openSkillSearch, type SkillSearch } from '../engine/skill-search.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { SkillRegistry } from '../select/registry.ts';
import { fromFile } from '../sources/from-file.ts';
import { MAX_EVAL_BYTES, parseEvalCases, type EvalCase, type EvalCases, type EvalProblem } from './eval-cases.ts';
import { evaluate, type EvalReport, type EvaluatedSkills } from './evaluation.ts';

export interface EvaluateSkillsOptions {
  /** Skill for requests that name none; default: the skill whose folder contains the file. */
  readonly skill?: string | undefined;
  /** Minimum score that triggers a skill. */
  readonly threshold?: number | undefined;
}

export interface SkillEvaluation extends EvalReport {
  readonly file: string;
  /** Entries that could not be used and count in no figure. */
  readonly problems: readonly (EvalProblem & { readonly file: string })[];
}

/**
 * Measures how well requests find their skills, without a model. `path` is a file of requests, a skill, or its `evals`
 * folder, in which every `.json`, `.jsonl`, `.yaml` and `.yml` file is read. A file in `<skill>/evals` is about that skill, which is tested
 * as it is on disk, even if no source lists it.
 */
export async function evaluateSkills(
  skills: Skills,
  path: string,
  options: EvaluateSkillsOptions = {},
): Promise<Outcome<SkillEvaluation>> {
  await using evals = openSkillEvals(skills);
  return await evals.evaluate(path, options);
}

/** Evaluates path after path over one search index, which stays open until the end. */
export interface SkillEvals extends AsyncDisposable {
  /** As `evaluateSkills`. */
  evaluate(path: string, options?: EvaluateSkillsOptions): Promise<Outcome<SkillEvaluation>>;
  /** Frees the index; `await using` does the same. */
  close(): Promise<void>;
}

export function openSkillEvals(skills: Skills): SkillEvals {
  const engine = openEvaluated(skills);
  const close = (): Promise<void> => engine.search.close();
  return {
    async evaluate(path, { skill: name, threshold } = {}) {
      const read = await readEval(engine, path, name);
      if (!read.ok) return read;
      const { cases, problems, searched } = read;
      return { ok: true, file: path, ...evaluate(cases, searched, { threshold }), problems };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The evaluated skills with a separate index, so that no search is recorded as use. */
export interface EvaluatedEngine extends AsyncDisposable {
  readonly skills: Skills;
  readonly search: SkillSearch;
}

export function openEvaluated(skills: Skills): EvaluatedEngine {
  const search = openSkillSearch(skills.environment.agentHome);
  return { skills, search, [Symbol.asyncDispose]: () => search.close() };
}

/** The requests of a path, and the skills that they are asked of. */
export interface ReadEval extends ReadCases {
  /** The real path of the folder with the requests. */
  readonly dir: string;
  /** The skill in whose folder they lie. */
  readonly tested: Skill | undefined;
  readonly searched: EvaluatedSkills;
}

export async function readEval(
  engine: EvaluatedEngine,
  path: string,
  name: string | undefined,
): Promise<Outcome<ReadEval>> {
  const place = findEvalFiles(path);
  if (!place.ok) return place;
  const tested = findTestedSkill(engine.skills, place.dir);
  if (!tested.ok) return tested;
  const searched = await openSearched(engine, tested.skill);
  const named = name === undefined ? tested : searched.find(name);
  if (!named.ok) return named;
  const read = readCases(place, named.skill?.name);
  return read.ok ? { ...read, dir: place.dir, tested: tested.skill, searched } : read;
}

interface EvalFiles {
  /** The real path. */
  readonly dir: string;
  readonly names: readonly string[];
}

function findEvalFiles(path: string): Outcome<EvalFiles> {
  const real = realPath(path) ?? path;
  const dir = basename(real).toLowerCase() === 'skill.md' ? dirname(real) : real;
  const listing = listDirectory(dir);
  if (listing.state === 'unreadable') return fail('STORE_FAILED', `${path}: ${listing.reason}`);
  if (listing.state !== 'listed') return { ok: true, dir: dirname(real), names: [basename(real)] };
  const isEvals = basename(dir) === EVALS;
  if (!isEvals && listing.entries.some(({ name, kind }) => name === EVALS && kind === 'directory'))
    return findEvalFiles(join(dir, EVALS));
  const files = listing.entries.filter(({ name, kind }) => kind !== 'directory' && /\.(?:jsonl?|ya?ml)$/i.test(name));
  if (files.length === 0)
    return fail('RESOURCE_NOT_FOUND', `${dir}: no .jsonl, .json or .yaml file here, and no folder evals with one`, {
      advice: 'Write requests that should and should not find the skill to evals/evals.yaml in its folder.',
    });
  return { ok: true, dir, names: files.map((file) => file.name) };
}

const EVALS = 'evals';

/** The skill that the files belong to: the catalog's record, or one read here. */
function findTestedSkill(skills: Skills, dir: string): Outcome<{ readonly skill: Skill | undefined }> {
  const file = [dir, folderAboveEvals(dir)].map(findSkillText).find((path) => path !== undefined);
  if (file === undefined) return { ok: true, skill: undefined };
  const listed = skills.catalog().skills.find((skill) => realPath(skill.dir) === dirname(file));
  if (listed !== undefined && !isBroken(listed)) return { ok: true, skill: listed };
  const read = fromFile(file);
  return read.ok ? { ok: true, skill: { ...read.skill, ...UNLISTED } } : read;
}

const UNLISTED = { source: 'eval', group: 'Eval', level: 'user' } as const;

/** Everything below `<skill>/evals` belongs to that skill. */
function folderAboveEvals(dir: string): string {
  let at = dir;
  while (basename(at) !== EVALS && at !== dirname(at)) at = dirname(at);
  return dirname(at);
}

function findSkillText(folder: string): string | undefined {
  const name = findSkillFile(openSkillFolder(folder).names());
  return name === undefined ? undefined : join(folder, name);
}

/** Searches the skills of `listSearched`, by the index of the catalog where they are the same. */
export async function openSearched(
  { skills, search }: EvaluatedEngine,
  tested: Skill | undefined,
): Promise<EvaluatedSkills> {
  if (tested === undefined || (isUsable(tested) && skills.catalog().skills.includes(tested))) {
    const known = await search.complete(wholeScope(skills));
    return { rank: (query) => known.search(query, {}, RESULTS), find: (name) => explainState(skills.find(name)) };
  }
  const all = listSearched(skills, tested);
  const registry = SkillRegistry.over(all);
  return { rank: (query) => registry.search(query, {}, RESULTS), find: (name) => findSkill(all, name) };
}

/** The usable skills. A tested skill that is not among them replaces the one of the same name. */
export function listSearched(skills: Skills, tested: Skill | undefined): readonly Skill[] {
  const usable = skills.catalog().skills.filter(isUsable);
  if (tested === undefined || usable.includes(tested)) return usable;
  return [...usable.filter(({ name }) => name !== tested.name), tested];
}

const RESULTS = 10;

function explainState(found: Outcome<{ readonly skill: Skill }>): Outcome<{ readonly skill: Skill }> {
  if (!found.ok || isUsable(found.skill)) return found;
  return fail('SKILL_NOT_FOUND', `the skill "${found.skill.name}" is ${found.skill.status}, so no request can find it`);
}

interface ReadCases extends Pick<SkillEvaluation, 'problems'> {
  readonly cases: readonly EvalCase[];
}

/** The cases of all files. Unusable files are problems, and a failure if no file is usable. */
function readCases({ dir, names }: EvalFiles, skill: string | undefined): Outcome<ReadCases> {
  const files = names.map((name) => ({ name, read: readEvalFile(join(dir, name), skill) }));
  const cases = files.flatMap(({ read }) => (read.ok ? read.cases : []));
  const failed = files.find(({ read }) => !read.ok);
  if (cases.length === 0 && failed !== undefined && !failed.read.ok)
    return fail(failed.read.code, `${join(dir, failed.name)}: ${failed.read.message}`, failed.read.next);
  const problems = files.flatMap(({ name, read }) => {
    const found = read.ok ? read.problems : [{ place: 'all of it', message: read.message }];
    return found.map((problem) => ({ file: name, ...problem }));
  });
  return { ok: true, cases, problems };
}

function readEvalFile(path: string, skill: string | undefined): Outcome<EvalCases> {
  const content = readInside(dirname(path), basename(path), { maxBytes: MAX_EVAL_BYTES });
  if (!content.ok) return content;
  const text = decodeStrictly(content.bytes);
  if (text === undefined) return fail('PARSE_FAILED', 'it is not UTF-8 text');
  return parseEvalCases(text, { skill, format: /\.ya?ml$/i.test(path) ? 'yaml' : 'json' });
}
