import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';

import type { ParseError } from 'jsonc-parser';

import { fail, type Outcome } from '../../model/outcome.ts';
import { ENTRY_KEYS, type EntryEdit } from './client-table.ts';
import { insertProperty, removeProperty, replaceValue } from './json-properties.ts';

const require = createRequire(import.meta.url);
// `require` is untyped. The package's ES module build cannot be imported by Node.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const jsonc = require('jsonc-parser') as typeof import('jsonc-parser');

/** Puts an entry into a JSON file that may have comments. The rest of the text stays as it is. */
export function editJson(text: string, edit: EntryEdit): Outcome<{ readonly text: string }> {
  const { section, name, entry } = edit;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const given = text.slice(mark.length);
  const start = given.trim() === '' ? '{}\n' : given;
  const parsed = parse(start);
  if (!parsed.ok) return parsed;
  const servers = parsed.value[section] ?? {};
  const present = isObject(servers) ? (servers[name] ?? {}) : undefined;
  if (!isObject(servers) || !isObject(present))
    return fail('CONFIG_INVALID', `"${section}" is not an object of servers by name`);
  const wanted = { ...omit(present, ENTRY_KEYS), ...entry };
  if (isDeepStrictEqual(present, wanted)) return { ok: true, text };
  const edited = name in servers ? replaceKeys(start, edit) : addEntry(start, edit, section in parsed.value);
  const result = parse(edited);
  const expected = { ...parsed.value, [section]: { ...servers, [name]: wanted } };
  if (!result.ok || !isDeepStrictEqual(result.value, expected))
    return fail('CONFIG_INVALID', 'its layout cannot be edited safely', 'Edit the file by hand.');
  return { ok: true, text: `${mark}${edited}` };
}

function addEntry(text: string, { section, name, entry }: EntryEdit, hasSection: boolean): string {
  const root = jsonc.parseTree(text, [], LENIENT);
  const object = root && (hasSection ? jsonc.findNodeAtLocation(root, [section]) : root);
  if (object === undefined) return text;
  const property = hasSection ? { key: name, value: entry } : { key: section, value: { [name]: entry } };
  return insertProperty(text, object, property);
}

/** Keeps keys that a person added to the entry. */
function replaceKeys(text: string, { section, name, entry }: EntryEdit): string {
  // Add before removing, so that the entry is never empty.
  const keys = [...ENTRY_KEYS].sort((a, b) => Number(b in entry) - Number(a in entry));
  return keys.reduce((edited, key) => {
    const root = jsonc.parseTree(edited, [], LENIENT);
    const object = root && jsonc.findNodeAtLocation(root, [section, name]);
    const property = object?.children?.find(({ children }) => children?.[0]?.value === key);
    if (object === undefined || (property === undefined && !(key in entry))) return edited;
    if (property === undefined) return insertProperty(edited, object, { key, value: entry[key] });
    return key in entry ? replaceValue(edited, property, entry[key]) : removeProperty(edited, object, property);
  }, text);
}

type Json = Readonly<Record<string, unknown>>;

const LENIENT = { allowTrailingComma: true };

function parse(text: string): Outcome<{ readonly value: Json }> {
  const errors: ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, LENIENT);
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    return fail('CONFIG_INVALID', `line ${line} is not valid JSON (${jsonc.printParseErrorCode(error.error)})`);
  }
  return isObject(value) ? { ok: true, value } : fail('CONFIG_INVALID', 'it does not contain a JSON object');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function omit(value: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
