import type { Diagnostic } from '../model/diagnostic.ts';
import type { FrontmatterMap, FrontmatterValue, PlainValue, Triggers } from '../model/skill.ts';
import type { StepBudget } from './step-budget.ts';
import { compilePatterns, type RefusedPattern } from './trigger-patterns.ts';
import { isMap } from './yaml/examine-yaml.ts';

/** Reports a flaw. The receiver adds the path of the file. */
export type Report = (flaw: Omit<Diagnostic, 'path'>) => void;

/** Frontmatter values, and how to report a wrong one. `prefix` precedes the names of nested fields. */
export interface Fields {
  readonly values: FrontmatterMap;
  readonly report: Report;
  readonly prefix: string;
}

/** The field as text. Here and below, a value of another type is reported and treated as missing. */
export function textOf(fields: Fields, key: string): string | undefined {
  const value = fields.values.get(key);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value.trim() || undefined : wrongType(fields, key, 'text');
}

/** The field as text that says something: a number, a truth value or the word null is none. */
export function proseOf(fields: Fields, key: string): string | undefined {
  const text = textOf(fields, key);
  return text !== undefined && isScalar(text) ? wrongType(fields, key, 'text') : text;
}

/** Would YAML read the text as a number, a truth value or null? */
export function isScalar(text: string): boolean {
  return text.length <= MAX_SCALAR_LENGTH && SCALAR.test(text.trim());
}

const MAX_SCALAR_LENGTH = 100;
const SCALAR =
  /^(?:~|null|true|false|yes|no|on|off|[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|[-+]?\.inf|\.nan)$/i;

export function flagOf(fields: Fields, key: string): boolean | undefined {
  const value = fields.values.get(key);
  if (value === undefined || value === null) return undefined;
  return readFlag(value) ?? wrongType(fields, key, 'true or false');
}

/** The field as a list. `split` divides a single text. */
export function listOf(
  fields: Fields,
  key: string,
  split: (text: string) => readonly string[],
): readonly string[] | undefined {
  const value = fields.values.get(key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return split(value);
  if (!Array.isArray(value)) return wrongType(fields, key, 'a list of texts');
  const texts = value.filter((item) => typeof item === 'string');
  if (texts.length < value.length) wrongType(fields, key, 'a list of texts');
  return texts.map((item) => item.trim()).filter((item) => item !== '');
}

export function mapOf(fields: Fields, key: string): FrontmatterMap | undefined {
  const value = fields.values.get(key);
  if (value === undefined || value === null) return undefined;
  return isMap(value) ? value : wrongType(fields, key, 'a mapping');
}

function wrongType({ report, prefix }: Fields, key: string, expected: string): undefined {
  const field = `${prefix}${key}`;
  report({ code: 'WRONG_TYPE', severity: 'warning', field, message: `${field} must be ${expected}` });
}

/** `metadata` maps text to text. A nested value is reported and kept as JSON. */
export function readMetadata(values: FrontmatterMap | undefined, report: Report): Readonly<Record<string, string>> {
  if (values === undefined) return NO_METADATA;
  const entries: Record<string, string> = {};
  for (const [key, value] of values) {
    entries[key] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(toPlain(value));
    if (typeof value === 'string' || value === null) continue;
    const message = `metadata.${key} should be text; it is kept as JSON`;
    report({ code: 'WRONG_TYPE', severity: 'info', field: `metadata.${key}`, message });
  }
  return entries;
}

/** A mapping of keywords, verbs and patterns; a bare list or text means keywords. */
export function readTriggers(triggers: FrontmatterValue | undefined, report: Report, budget?: StepBudget): Triggers {
  if (triggers === undefined || triggers === null) return NO_TRIGGERS;
  const given = isMap(triggers) ? triggers : new Map([['keywords', triggers]]);
  const fields = { values: given, report, prefix: 'triggers.' };
  const keywords = listOf(fields, 'keywords', splitAtCommas) ?? [];
  const verbs = listOf(fields, 'verbs', splitAtCommas) ?? [];
  const patterns = listOf(fields, 'patterns', (text) => [text]) ?? [];
  reportRefused('triggers', compilePatterns(patterns, budget).refused, report);
  return { keywords, verbs, patterns };
}

/** Reports unusable patterns and globs. They stay in the record, and the rest of the skill works. */
export function reportRefused(field: string, refused: readonly RefusedPattern[], report: Report): void {
  for (const { pattern, reason } of refused) {
    const shown = pattern.length > SHOWN_LENGTH ? `${pattern.slice(0, SHOWN_LENGTH)}…` : pattern;
    report({ code: 'PATTERN_REFUSED', severity: 'warning', field, message: `"${shown}" is not used: ${reason}` });
  }
}

const SHOWN_LENGTH = 80;

/** Frontmatter as plain data. Safe as an object: the YAML reader refuses prototype names as keys. */
export function toPlain(value: FrontmatterValue): PlainValue {
  if (value === null || typeof value === 'string') return value;
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return value.map(toPlain);
}

const NO_METADATA: Readonly<Record<string, string>> = {};
const NO_TRIGGERS: Triggers = { keywords: [], verbs: [], patterns: [] };

export function splitAtCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Splits at commas, or without commas at blanks. */
export function splitGlobs(text: string): readonly string[] {
  const globs = text.match(/(?:[^,{]|\{[^}]*\}?)+/g) ?? [];
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

/** Splits at commas if there are any, else at blanks. */
export function splitWords(text: string): readonly string[] {
  return text.includes(',') ? splitAtCommas(text) : text.split(/\s+/).filter((word) => word !== '');
}

/** Splits at blanks and commas, but not inside parentheses: `Bash(git add:*) Read`. */
export function splitTools(text: string): readonly string[] {
  return text.match(/(?:[^\s,(]|\([^)]*\)?)+/g) ?? [];
}

function readFlag(value: FrontmatterValue): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on|1)$/i.test(value.trim())) return true;
  return /^(?:false|no|off|0)$/i.test(value.trim()) ? false : undefined;
}
