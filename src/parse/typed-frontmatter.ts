import { createRequire } from 'node:module';

import { MAX_FRONTMATTER_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { decodeStrictly } from './decode.ts';
import { normalizeText, splitFrontmatter } from './frontmatter.ts';
import { readYaml } from './yaml.ts';

/** Fields as JSON has them: numbers and truth values are what they are. */
export type TypedFields = Readonly<Record<string, unknown>>;

const require = createRequire(import.meta.url);

/**
 * The frontmatter as any YAML 1.2 library reads it, every field, nothing mended. What others must find equal when they
 * read the same bytes has to be this; everything else here reads scalars as their text.
 */
export function readTypedFrontmatter(bytes: Uint8Array): Outcome<{ readonly fields: TypedFields }> {
  const decoded = decodeStrictly(bytes);
  if (decoded === undefined) return refuse('it is not valid UTF-8');
  const text = normalizeText(decoded);
  const split = splitFrontmatter(text);
  if (!text.startsWith('---') || split.kind !== 'closed')
    return refuse('it must begin with frontmatter between two lines "---"');
  if (Buffer.byteLength(split.yaml) > MAX_FRONTMATTER_BYTES) return refuse('its frontmatter is too large');
  const [fault] = readYaml(split.yaml).faults;
  if (fault !== undefined)
    return refuse(`its frontmatter is no plain YAML: ${fault.message} (line ${fault.line + split.line - 1})`);
  return readTyped(split.yaml);
}

function readTyped(yaml: string): Outcome<{ readonly fields: TypedFields }> {
  const { parseDocument } = loadYaml();
  const document = parseDocument(yaml, { schema: 'core', uniqueKeys: false, prettyErrors: false });
  const [warning] = document.warnings;
  if (warning !== undefined) return refuse(`its frontmatter is no plain YAML: ${warning.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  if (!isFields(value)) return refuse('its frontmatter is no mapping of fields to values');
  return hasNoJson(value)
    ? refuse('its frontmatter holds a number that JSON does not have')
    : { ok: true, fields: value };
}

function isFields(value: unknown): value is TypedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasNoJson(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNoJson);
}

function loadYaml(): typeof import('yaml') {
  // `require` is untyped; this is the package of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('yaml') as typeof import('yaml');
}

function refuse(message: string): Failure {
  return fail('PARSE_FAILED', message);
}
