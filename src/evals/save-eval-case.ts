import { join } from 'node:path';

import { findOwn } from '../author/own-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { readOwnText, realPath } from '../platform/files/files.ts';
import { kindAt, makeFolderInside } from '../platform/files/folders.ts';
import { withLock } from '../platform/files/lock.ts';
import { removeEmptyFolders, removeFile } from '../platform/files/remove-tree.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { MAX_EVAL_BYTES, parseEvalCases } from './eval-cases.ts';

/** A request, and the skill that it should find, or should not find. */
export interface SkillEvalCase {
  readonly request: string;
  readonly skill: string;
  readonly shouldTrigger: boolean;
}

/** The change of the one file that holds a case. */
export interface EvalCaseChange {
  readonly file: string;
  /** Does this change create or remove the file? */
  readonly isWhole: boolean;
  /** False if the file is as wanted already. */
  readonly isChanged: boolean;
  /** A unified diff. */
  readonly diff: string;
}

/** Says what `saveEvalCase` would write, and writes nothing. */
export async function planEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  const place = findPlace(skills, wanted);
  if (!place.ok) return place;
  const planned = planEdit(place, addLine);
  return planned.ok ? { ok: true, ...planned.change } : planned;
}

/**
 * Saves a request as an eval case: a line of `requests.jsonl` in the `evals` folder of your own skill, or in the user's
 * own `evals` folder for other skills.
 */
export function saveEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  return edit(skills, wanted, addLine);
}

/** Removes a case that `saveEvalCase` saved. A file without any other case is removed. */
export function removeEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  return edit(skills, wanted, removeLine);
}

/** The user's requests for skills that are not theirs. */
export function ownEvalFile(agentHome: string): string {
  return join(agentHome, 'evals', FILE);
}

const FILE = 'requests.jsonl';

interface EvalPlace {
  /** The folder of evals. */
  readonly dir: string;
  /** The real folder that nothing may leave. */
  readonly boundary: string;
  /** It is in the user's own files. */
  readonly isPrivate: boolean;
  /** The case as its file holds it. */
  readonly line: string;
}

function findPlace(skills: Skills, { request, skill: name, shouldTrigger }: SkillEvalCase): Outcome<EvalPlace> {
  const query = request.trim();
  if (query === '') return fail('PARSE_FAILED', 'the request is empty', { advice: 'Write what a user would ask.' });
  const found = skills.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const isOwn = [false, true].some((project) => {
    const own = findOwn(skills.catalog(), skill.name, { project });
    return own.ok && own.skill.file === skill.file;
  });
  const home = isOwn ? skill.dir : skills.environment.agentHome;
  const line = JSON.stringify({ query, skill: skill.name, should_trigger: shouldTrigger });
  return { ok: true, dir: join(home, 'evals'), boundary: realPath(home) ?? home, isPrivate: !isOwn, line };
}

type LineEdit = (text: string, line: string) => Outcome<{ readonly text: string }>;

const addLine: LineEdit = (text, line) => {
  if (text.split('\n').includes(line)) return { ok: true, text };
  const longer = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const isReadable = longer.length <= MAX_EVAL_BYTES && countCases(longer) === countCases(text) + 1;
  if (isReadable) return { ok: true, text: longer };
  return fail('PARSE_FAILED', `${FILE} does not have one request per line`, { edit: FILE });
};

const removeLine: LineEdit = (text, line) => {
  const lines = text.split('\n');
  const at = lines.indexOf(line);
  if (at === -1) return fail('RESOURCE_NOT_FOUND', 'the request no longer exists');
  return { ok: true, text: lines.toSpliced(at, 1).join('\n') };
};

function countCases(text: string): number {
  const parsed = parseEvalCases(text);
  return parsed.ok ? parsed.cases.length : 0;
}

interface PlannedEdit {
  readonly change: EvalCaseChange;
  readonly text: string;
}

function planEdit({ dir, line }: EvalPlace, change: LineEdit): Outcome<PlannedEdit> {
  const file = join(dir, FILE);
  const kind = kindAt(file);
  if (kind !== 'file' && kind !== 'missing')
    return fail('PATH_REFUSED', `${file} is not a regular file; nothing was changed`);
  const read = readOwnText(file);
  if (!read.ok) return read;
  const before = read.text ?? '';
  const edited = change(before, line);
  if (!edited.ok) return edited;
  const { text } = edited;
  const isWhole = before === '' || text.trim() === '';
  return {
    ok: true,
    text,
    change: { file, isWhole, isChanged: text !== before, diff: renderDiff(before, text, FILE) },
  };
}

async function edit(skills: Skills, wanted: SkillEvalCase, change: LineEdit): Promise<Outcome<EvalCaseChange>> {
  const place = findPlace(skills, wanted);
  if (!place.ok) return place;
  const { dir, boundary } = place;
  const first = planEdit(place, change);
  if (!first.ok) return first;
  if (!first.change.isChanged) return { ok: true, ...first.change };
  const made = makeFolderInside(dir, { boundary, isPrivate: place.isPrivate });
  if (!made.ok) return made;
  return withLock(join(boundary, 'evals'), async ({ check }) => {
    const planned = planEdit(place, change);
    if (!planned.ok) return planned;
    const held = check();
    if (!held.ok) return held;
    if (planned.text.trim() === '') {
      removeFile(planned.change.file);
      removeEmptyFolders(dir, dir);
      return { ok: true, ...planned.change };
    }
    const written = replaceFile(join(made.realDir, FILE), planned.text, {
      check,
      noLinks: true,
      isPrivate: place.isPrivate,
    });
    return written.ok ? { ok: true, ...planned.change } : written;
  });
}
