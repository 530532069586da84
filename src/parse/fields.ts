import type { Diagnostic } from '../model/diagnostic.ts';
import type { FrontmatterMap, FrontmatterValue, PlainValue, Triggers } from '../model/skill.ts';
import { isMap } from './yaml.ts';

/** How a flaw is told; whoever knows the file adds its path. */
export type Report = (flaw: Omit<Diagnostic, 'path'>) => void;

/**
 * Typed access to frontmatter. A value of a wrong type is reported with its field's name and counts as absent;
 * `prefix` stands before the name where the values are nested.
 */
export class Fields {
  readonly #values: FrontmatterMap;
  readonly #report: Report;
  readonly #prefix: string;

  constructor(values: FrontmatterMap, report: Report, prefix = '') {
    this.#values = values;
    this.#report = report;
    this.#prefix = prefix;
  }

  text(key: string): string | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    return typeof value === 'string' ? value.trim() || undefined : this.#wrong(key, 'text');
  }

  flag(key: string): boolean | undefined {
    const value = this.#values.get(key) ?? undefined;
    return value === undefined ? undefined : (readFlag(value) ?? this.#wrong(key, 'true or false'));
  }

  /** A list, or one text that `split` takes apart. */
  list(key: string, split: (text: string) => readonly string[]): readonly string[] | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string') return split(value);
    if (!Array.isArray(value)) return this.#wrong(key, 'a list of texts');
    const texts = value.filter((item) => typeof item === 'string');
    if (texts.length < value.length) this.#wrong(key, 'a list of texts');
    return texts.map((item) => item.trim()).filter((item) => item !== '');
  }

  map(key: string): FrontmatterMap | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    return isMap(value) ? value : this.#wrong(key, 'a mapping');
  }

  #wrong(key: string, expected: string): undefined {
    const field = `${this.#prefix}${key}`;
    this.#report({
      code: 'WRONG_TYPE',
      severity: 'warning',
      field,
      message: `${field} must be ${expected}; it is ignored`,
    });
  }
}

/** `metadata` is text to text; a nested value is kept as its JSON, and said. */
export function readMetadata(values: FrontmatterMap | undefined, report: Report): Readonly<Record<string, string>> {
  const entries: Record<string, string> = {};
  if (values === undefined) return entries;
  for (const [key, value] of values) {
    entries[key] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(toPlain(value));
    if (typeof value === 'string' || value === null) continue;
    const message = `metadata.${key} should be text; it is kept as JSON`;
    report({ code: 'WRONG_TYPE', severity: 'info', field: `metadata.${key}`, message });
  }
  return entries;
}

/** A mapping of keywords, verbs and patterns; a bare list or text means keywords. */
export function readTriggers(triggers: FrontmatterValue | undefined, report: Report): Triggers {
  if (triggers === undefined || triggers === null) return NO_TRIGGERS;
  const given = isMap(triggers) ? triggers : new Map([['keywords', triggers]]);
  const fields = new Fields(given, report, 'triggers.');
  return {
    keywords: fields.list('keywords', splitAtCommas) ?? [],
    verbs: fields.list('verbs', splitAtCommas) ?? [],
    patterns: fields.list('patterns', (text) => [text]) ?? [],
  };
}

/** Frontmatter as plain data. Safe as an object: the reader lets no prototype name through as a key. */
export function toPlain(value: FrontmatterValue): PlainValue {
  if (value === null || typeof value === 'string') return value;
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return value.map(toPlain);
}

export const NO_TRIGGERS: Triggers = { keywords: [], verbs: [], patterns: [] };

export function splitAtCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Commas where there are any, else blanks. */
export function splitWords(text: string): readonly string[] {
  return text.includes(',') ? splitAtCommas(text) : text.split(/\s+/).filter((word) => word !== '');
}

/** Tool patterns stand apart by blanks or commas, but not inside parentheses: `Bash(git add:*) Read`. */
export function splitTools(text: string): readonly string[] {
  return text.match(/(?:[^\s,(]|\([^)]*\)?)+/g) ?? [];
}

function readFlag(value: FrontmatterValue): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on|1)$/i.test(value.trim())) return true;
  return /^(?:false|no|off|0)$/i.test(value.trim()) ? false : undefined;
}
