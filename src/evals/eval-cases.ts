import { listSome } from '../model/list-some.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { readPlainYaml } from '../parse/yaml/plain-yaml.ts';

/** A request and its expected result. */
export type EvalCase =
  | { readonly kind: 'find'; readonly query: string; readonly gold: readonly string[] }
  | { readonly kind: 'trigger'; readonly query: string; readonly skill: string; readonly shouldTrigger: boolean };

/** An unusable entry: its place ("line 3", "evals 2") and the reason. */
export interface EvalProblem {
  readonly place: string;
  readonly message: string;
}

export interface EvalCases {
  readonly cases: readonly EvalCase[];
  readonly problems: readonly EvalProblem[];
}

export interface EvalCaseOptions {
  /** The skill that the file is about. Overrides a name at the head of the file, but not an entry's own. */
  readonly skill?: string | undefined;
  /** By default JSON, or a JSON document on each line. */
  readonly format?: 'json' | 'yaml' | undefined;
}

export const MAX_EVAL_BYTES: number = 32 * 1024 * 1024;
/** A YAML parser takes far longer than one for JSON. */
const MAX_YAML_BYTES: number = 1024 * 1024;
const MAX_QUERY_CHARACTERS = 64 * 1024;
/** Limits the length of names: unknown ones are compared with all known ones. */
const MAX_NAME_CHARACTERS = 256;

/**
 * Reads the forms in which people keep requests: `{query, gold}` a line; an array of `{query, should_trigger}`; the same
 * as a list in an object that names the skill; `{should_trigger: [requests], should_not_trigger: [requests]}`; and task
 * evals (`{prompt, expected_output}`), whose skill must be found. All but the first can be YAML as well. Ignores unknown
 * keys. docs/guide/evals.md describes the forms.
 */
export function parseEvalCases(text: string, { skill, format = 'json' }: EvalCaseOptions = {}): Outcome<EvalCases> {
  const whole = text.replace(/^\uFEFF/, '');
  const file = format === 'yaml' ? readYamlFile(whole) : readFile(whole);
  if (!file.ok) return file;
  const cases: EvalCase[] = [];
  const problems: EvalProblem[] = [];
  let isUnnamed = false;
  for (const { place, value } of file.entries) {
    const read = toCase(value, skill ?? file.skill);
    if ('flaw' in read) {
      problems.push({ place, message: read.flaw });
      isUnnamed ||= read.isUnnamed === true;
    } else cases.push(read);
  }
  return cases.length > 0 ? { ok: true, cases, problems } : explainEmpty(problems, isUnnamed);
}

const EXAMPLE = '{"query": "fill in this form", "gold": ["pdf"]}';
const SHOWN_PROBLEMS = 3;

function explainEmpty(problems: readonly EvalProblem[], isUnnamed: boolean): Failure {
  if (problems.length === 0) return fail('RESOURCE_NOT_FOUND', 'no requests in this file yet', ADD_REQUESTS);
  const flaws = problems.map(({ place, message }) => `${place} ${message}`);
  const list = listSome(flaws, { most: SHOWN_PROBLEMS, separator: '; ' });
  return fail('PARSE_FAILED', `no entry can be used: ${list}`, isUnnamed ? NAME_SKILL : undefined);
}

const ADD_REQUESTS: NextStep = {
  advice: `Add some under should_trigger and should_not_trigger, or one a line: ${EXAMPLE}`,
};
const NAME_SKILL: NextStep = { give: 'skill', aim: 'name the skill that all entries are about' };

/** A JSON object with unknown keys. */
type JsonObject = Readonly<Record<string, unknown>>;

/** A candidate for a case. A line that is not JSON has no value. */
interface Entry {
  readonly place: string;
  readonly value: unknown;
}

interface EvalFile {
  readonly entries: readonly Entry[];
  readonly skill: string | undefined;
}

function readFile(text: string): Outcome<EvalFile> {
  const whole = parseJson(text);
  if ('flaw' in whole) {
    const isOneDocument = /^\s*(?:\[|\{[ \t]*\r?\n)/.test(text);
    return isOneDocument ? explainJson(whole.flaw, text) : { ok: true, entries: readLines(text), skill: undefined };
  }
  return readDocument(whole.value);
}

function readYamlFile(text: string): Outcome<EvalFile> {
  const whole = readPlainYaml(text, MAX_YAML_BYTES);
  return whole.ok ? readDocument(whole.value) : fail('PARSE_FAILED', `line ${whole.line}: ${whole.message}`);
}

function readDocument(value: unknown): Outcome<EvalFile> {
  if (Array.isArray(value)) return { ok: true, entries: toEntries(value, 'entry'), skill: undefined };
  if (!isObject(value)) return explainEmpty([], false);
  if (textOf(value, QUERY_KEYS) !== undefined)
    return { ok: true, entries: [{ place: 'line 1', value }], skill: undefined };
  return { ok: true, entries: readLists(value), skill: textOf(value, SKILL_KEYS) };
}

function readLines(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const read = parseJson(line);
    return [{ place: `line ${at + 1}`, value: 'flaw' in read ? undefined : read.value }];
  });
}

/** All lists of requests in an object. */
function readLists(value: JsonObject): readonly Entry[] {
  const lists = Object.entries(value).filter((pair): pair is [string, readonly unknown[]] => Array.isArray(pair[1]));
  return lists.flatMap(([key, list]) => {
    const label = LABELS.get(key);
    if (label !== undefined)
      return toEntries(
        list.map((item) => labelled(item, label)),
        key,
      );
    const hasRequests = list.some((item) => isObject(item) && textOf(item, QUERY_KEYS) !== undefined);
    return hasRequests ? toEntries(list, key) : [];
  });
}

/** Lists whose name alone tells the expected result. */
const LABELS: ReadonlyMap<string, boolean> = new Map([
  ['should_trigger', true],
  ['should_not_trigger', false],
]);

function labelled(item: unknown, shouldTrigger: boolean): unknown {
  if (typeof item === 'string') return { query: item, should_trigger: shouldTrigger };
  return isObject(item) ? { ...item, should_trigger: shouldTrigger } : item;
}

function toEntries(list: readonly unknown[], label: string): readonly Entry[] {
  return list.map((value, at) => ({ place: `${label} ${at + 1}`, value }));
}

interface Flaw {
  readonly flaw: string;
  /** Does only the name of its skill lack? */
  readonly isUnnamed?: true;
}

const QUERY_KEYS = ['query', 'prompt', 'request'];
const SKILL_KEYS = ['skill_name', 'skill'];
/** The expected result in a task eval of the Agent Skills format. */
const TASK_KEYS = ['expected_output', 'expectations', 'assertions'];

function toCase(value: unknown, fileSkill: string | undefined): EvalCase | Flaw {
  if (value === undefined) return { flaw: 'is not JSON' };
  if (!isObject(value)) return { flaw: `is not a JSON object; write ${EXAMPLE}` };
  const query = textOf(value, QUERY_KEYS);
  if (query === undefined) return { flaw: 'has no "query" that is text' };
  if (query.length > MAX_QUERY_CHARACTERS) return { flaw: `is longer than ${MAX_QUERY_CHARACTERS} characters` };
  if ('gold' in value) return toGoldCase(query, value['gold']);
  const shouldTrigger = readTrigger(value['should_trigger']);
  if (typeof shouldTrigger === 'string') return toGoldCase(query, shouldTrigger);
  if (shouldTrigger === undefined && !TASK_KEYS.some((key) => key in value))
    return { flaw: 'says neither "gold" (the skills that serve it) nor "should_trigger" (true or false)' };
  const expected = shouldTrigger === true ? textOf(value, ['expected_skill']) : undefined;
  const skill = textOf(value, SKILL_KEYS) ?? expected ?? fileSkill;
  if (skill === undefined) return { flaw: 'does not say which skill it is about; add "skill_name"', isUnnamed: true };
  if (skill.length > MAX_NAME_CHARACTERS) return { flaw: TOO_LONG_NAME };
  if (shouldTrigger === undefined) return { kind: 'find', query, gold: [skill] };
  return { kind: 'trigger', query, skill, shouldTrigger };
}

const TOO_LONG_NAME = `names a skill by more than ${MAX_NAME_CHARACTERS} characters`;

function toGoldCase(query: string, gold: unknown): EvalCase | Flaw {
  const list: readonly unknown[] = Array.isArray(gold) ? gold : [gold];
  const names = list.map((name) => (typeof name === 'string' ? name.trim() : ''));
  if (names.length === 0 || names.includes(''))
    return { flaw: 'has a "gold" that is neither a name nor a list of names' };
  if (names.some((name) => name.length > MAX_NAME_CHARACTERS)) return { flaw: TOO_LONG_NAME };
  return { kind: 'find', query, gold: [...new Set(names)] };
}

/** Some files write `"true"` or, in YAML, `yes`; others put the name of the skill there. */
function readTrigger(value: unknown): boolean | string | undefined {
  if (value === 'true' || value === 'yes') return true;
  if (value === 'false' || value === 'no') return false;
  return typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '') ? value : undefined;
}

function textOf(object: JsonObject, keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => object[key]);
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): { readonly value: unknown } | Flaw {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { flaw: error.message };
    throw error;
  }
}

function explainJson(flaw: string, text: string): Failure {
  return fail('PARSE_FAILED', `line ${lineOf(flaw, text)}: the JSON is broken: ${flaw.replaceAll(/\s+/g, ' ')}`);
}

/** Finds the fault: V8 names the line or quotes ten characters around it; otherwise the text ends too early. */
function lineOf(flaw: string, text: string): number {
  const named = /\(line (\d+) /.exec(flaw)?.[1];
  if (named !== undefined) return Number(named);
  const [, cut, quoted] = /, (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(flaw) ?? [];
  if (quoted === undefined) return countLines(text.trimEnd());
  return countLines(text.slice(0, text.indexOf(quoted) + (cut === undefined ? quoted.length - 10 : 10)));
}

function countLines(text: string): number {
  return text.split('\n').length;
}
