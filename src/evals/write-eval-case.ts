import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { findOwn } from '../author/own-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { listDirectory, readOwnText, realPath } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';
import { removeFile, removeEmptyFolders } from '../platform/files/write-file.ts';
import { kindAt, makeFolderInside, writeInside } from '../platform/files/write-inside.ts';
import { MAX_EVAL_BYTES, parseEvalCases, type EvalCase } from './eval-cases.ts';

/** A request, and the skill that it should find, or should not find. */
export interface SkillEvalCase {
  readonly request: string;
  readonly skill: string;
  readonly shouldTrigger: boolean;
}

/** The change of the one file that keeps a case. */
export interface EvalCaseChange {
  readonly file: string;
  /** Is the file made, or removed, by this change? */
  readonly isWhole: boolean;
  /** False if the file is as wanted already. */
  readonly isChanged: boolean;
  /** A unified diff. */
  readonly diff: string;
}

/** `plan` writes nothing; `add` keeps the case, `take` takes it out again. */
export async function writeEvalCase(
  skills: Skills,
  wanted: SkillEvalCase,
  what: 'plan' | 'add' | 'take',
): Promise<Outcome<EvalCaseChange>> {
  if (what !== 'plan') return write(skills, wanted, what === 'add' ? add : take);
  const place = findPlace(skills, wanted);
  const planned = place.ok ? plan(place, wanted, add) : place;
  return planned.ok ? { ok: true, ...planned.change } : planned;
}

const YAML = 'evals.yaml';
const LINES = 'requests.jsonl';

interface EvalPlace {
  readonly ok: true;
  /** The folder of evals. */
  readonly dir: string;
  /** The real folder that nothing may leave. */
  readonly boundary: string;
  readonly skill: Skill;
  readonly isOwn: boolean;
}

function findPlace(skills: Skills, { skill: name, request }: SkillEvalCase): Outcome<EvalPlace> {
  if (request.trim() === '') return fail('PARSE_FAILED', 'the request is empty', 'Write what a user would ask.');
  const found = skills.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const isOwn = [false, true].some((project) => {
    const own = findOwn(skills.catalog(), skill.name, { project });
    return own.ok && own.skill.file === skill.file;
  });
  const { agentHome } = skills.environment;
  const home = isOwn ? skill.dir : agentHome;
  return { ok: true, dir: join(home, 'evals'), boundary: realPath(home) ?? home, skill, isOwn };
}

interface Planned {
  readonly ok: true;
  readonly change: EvalCaseChange;
  /** Undefined if the file is to be removed. */
  readonly text: string | undefined;
}

/** A text with a case more or less; undefined if it is not written in a way that allows it. */
type Edit = (text: string, wanted: SkillEvalCase, kind: Kind) => string | undefined;
type Kind = 'yaml' | 'json';

function plan({ dir, skill, isOwn }: EvalPlace, wanted: SkillEvalCase, edit: Edit): Outcome<Planned> {
  const asked = { ...wanted, request: wanted.request.trim(), skill: skill.name };
  const names = isOwn ? [YAML, LINES] : [LINES];
  for (const name of names) {
    const file = join(dir, name);
    const kind = name === YAML ? 'yaml' : 'json';
    const read = readCases(file, skill.name);
    if (!read.ok) return read;
    // Beside other files of evals, a new one holds our cases.
    if (read.text === '' && kind === 'yaml' && isUsed(dir)) continue;
    const text = edit(read.text, asked, kind);
    const after = text === undefined ? undefined : casesOf(text, skill.name, kind);
    if (text === undefined || after === undefined || !isExpected({ before: read.cases, after }, asked, edit)) continue;
    const left = isBare(text) ? undefined : text;
    const isChanged = text !== read.text;
    const isWhole = read.text === '' || left === undefined;
    return {
      ok: true,
      text: left,
      change: { file, isChanged, isWhole, diff: renderDiff(read.text, left ?? '', name) },
    };
  }
  return edit === take
    ? fail('RESOURCE_NOT_FOUND', 'the request is not there any more')
    : fail('PARSE_FAILED', `${join(dir, LINES)} cannot be read as requests`, 'Correct the file first.');
}

function isUsed(dir: string): boolean {
  const listing = listDirectory(dir);
  return listing.state === 'listed' && listing.entries.length > 0;
}

interface ReadFile {
  readonly ok: true;
  readonly text: string;
  readonly cases: readonly EvalCase[];
}

function readCases(file: string, skill: string): Outcome<ReadFile> {
  const kind = kindAt(file);
  if (kind === 'missing') return { ok: true, text: '', cases: [] };
  if (kind !== 'file') return fail('PATH_REFUSED', `${file} is no regular file; nothing was changed`);
  const read = readOwnText(file);
  if (!read.ok) return read;
  const text = read.text ?? '';
  return { ok: true, text, cases: casesOf(text, skill, file.endsWith(YAML) ? 'yaml' : 'json') ?? [] };
}

/** Undefined if the text cannot be read at all. */
function casesOf(text: string, skill: string, format: Kind): readonly EvalCase[] | undefined {
  if (text.length > MAX_EVAL_BYTES) return undefined;
  const parsed = parseEvalCases(text, { skill, format });
  if (parsed.ok) return parsed.cases;
  return isBare(text.replaceAll(/#.*$/gm, '')) ? [] : undefined;
}

/** Does a text hold no request, and nothing else that anyone wrote? */
function isBare(text: string): boolean {
  return /^(?:\s|should_(?:not_)?trigger:)*$/.test(text);
}

interface Cases {
  readonly before: readonly EvalCase[];
  readonly after: readonly EvalCase[];
}

/** Did the edit change this case and no other? */
function isExpected({ before, after }: Cases, wanted: SkillEvalCase, edit: Edit): boolean {
  const { request: query, skill, shouldTrigger } = wanted;
  const own: EvalCase = { kind: 'trigger', query, skill, shouldTrigger };
  const isOwn = (one: EvalCase): boolean => isDeepStrictEqual(one, own);
  const others = (cases: readonly EvalCase[]): readonly EvalCase[] => cases.filter((one) => !isOwn(one));
  if (!isDeepStrictEqual(others(before), others(after))) return false;
  const [had, has] = [before.filter(isOwn).length, after.filter(isOwn).length];
  return edit === add ? has === Math.max(1, had) : had > 0 && has === had - 1;
}

function lineOf({ request: query, skill, shouldTrigger }: SkillEvalCase, kind: Kind): string {
  if (kind === 'yaml') return `- ${JSON.stringify(query)}`;
  return JSON.stringify({ query, skill, should_trigger: shouldTrigger });
}

const add: Edit = (text, wanted, kind) => {
  const line = lineOf(wanted, kind);
  const isKnown = casesOf(text, wanted.skill, kind)?.some(
    (one) =>
      one.kind === 'trigger' &&
      one.query === wanted.request &&
      one.skill === wanted.skill &&
      one.shouldTrigger === wanted.shouldTrigger,
  );
  if (isKnown === true) return text;
  if (kind === 'json') return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const lines = text.replace(/\n$/, '').split('\n');
  const head = lines.findIndex((one) => one.startsWith(`${keyOf(wanted)}:`));
  if (head === -1) return `${text.trim() === '' ? '' : `${lines.join('\n')}\n`}${keyOf(wanted)}:\n  ${line}\n`;
  const next = lines.findIndex((one, at) => at > head && /^[^\s#-]/.test(one));
  const last = lines.findLastIndex((one, at) => at > head && (next === -1 || at < next) && /^ *- /.test(one));
  if (last === -1) return undefined;
  const indent = /^ */.exec(lines[last] ?? '')?.[0] ?? '';
  return `${lines.toSpliced(last + 1, 0, `${indent}${line}`).join('\n')}\n`;
};

const take: Edit = (text, wanted, kind) => {
  const lines = text.split('\n');
  const line = lineOf(wanted, kind);
  const from = kind === 'yaml' ? lines.findIndex((one) => one.startsWith(`${keyOf(wanted)}:`)) : -1;
  const at = lines.findIndex((one, where) => where > from && one.trim() === line);
  return at === -1 ? undefined : lines.toSpliced(at, 1).join('\n');
};

function keyOf({ shouldTrigger }: SkillEvalCase): string {
  return shouldTrigger ? 'should_trigger' : 'should_not_trigger';
}

async function write(skills: Skills, wanted: SkillEvalCase, edit: Edit): Promise<Outcome<EvalCaseChange>> {
  const place = findPlace(skills, wanted);
  const first = place.ok ? plan(place, wanted, edit) : place;
  if (!place.ok) return place;
  if (!first.ok || !first.change.isChanged) return first.ok ? { ok: true, ...first.change } : first;
  const made = makeFolderInside(place.dir, place.boundary);
  if (!made.ok) return made;
  return withLock(join(place.boundary, 'evals'), async ({ check }) => {
    const planned = plan(place, wanted, edit);
    if (!planned.ok) return planned;
    const { change, text } = planned;
    const held = check();
    if (!held.ok) return held;
    if (text === undefined) {
      removeFile(change.file);
      removeEmptyFolders(place.dir, place.dir);
      return { ok: true, ...change };
    }
    const written = writeInside(join(made.realDir, basename(change.file)), text, { check });
    return written.ok ? { ok: true, ...change } : written;
  });
}
