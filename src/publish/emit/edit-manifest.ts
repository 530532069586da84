import { isDeepStrictEqual } from 'node:util';

import type { JSONPath, ParseError } from 'jsonc-parser';

import { fail, type Outcome } from '../../model/outcome.ts';
import { loadJsonc } from '../../parse/lazy-packages.cjs';

/** A value to put into a JSON text. A number beyond the end of a list appends. */
export interface ManifestChange {
  readonly at: JSONPath;
  readonly value: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a manifest, with or without comments; the empty text is an empty object. */
export function parseManifest(text: string, path: string): Outcome<{ readonly value: JsonObject }> {
  const errors: ParseError[] = [];
  const value: unknown = text.trim() === '' ? {} : loadJsonc().parse(text.replace(/^\uFEFF/, ''), errors, LENIENT);
  const [error] = errors;
  if (error === undefined && isJsonObject(value)) return { ok: true, value };
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  const why = error === undefined ? 'it does not hold a JSON object' : `line ${line} is not valid JSON`;
  return fail('CONFIG_INVALID', `${path}: ${why}`, { edit: path });
}

const LENIENT = { allowTrailingComma: true };

/** Makes the changes one after another. Everything else in the text stays, comments and layout included. */
export function editManifest(text: string, changes: readonly ManifestChange[]): string {
  const start = text.trim() === '' ? '{}\n' : text;
  const indent = /\n([ \t]+)\S/.exec(start)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: start.includes('\r\n') ? '\r\n' : '\n',
  };
  return changes.reduce((edited, { at, value }) => {
    const present: unknown = findValue(loadJsonc().parse(edited, [], LENIENT), at);
    if (isDeepStrictEqual(present, value)) return edited;
    const isArrayInsertion = present === undefined && typeof at.at(-1) === 'number';
    const jsonc = loadJsonc();
    return jsonc.applyEdits(edited, jsonc.modify(edited, at, value, { formattingOptions, isArrayInsertion }));
  }, start);
}

function findValue(value: unknown, at: JSONPath): unknown {
  return at.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
