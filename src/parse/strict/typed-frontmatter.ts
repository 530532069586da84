import { MAX_FRONTMATTER_BYTES } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { decodeStrictly } from '../decode.ts';
import { normalizeText, splitFrontmatter } from '../frontmatter.ts';
import { parseYaml, readYaml } from '../yaml/yaml.ts';

/** Fields as JSON values: numbers and booleans keep their type. */
export type TypedFields = Readonly<Record<string, unknown>>;

/**
 * Reads the frontmatter as any YAML 1.2 library does: every field, nothing repaired. Use this where others compare their
 * own reading of the same bytes; everything else here reads scalars as their source text.
 */
export function readTypedFrontmatter(bytes: Uint8Array): Outcome<{ readonly fields: TypedFields }> {
  const decoded = decodeStrictly(bytes);
  if (decoded === undefined) return refuse('it is not valid UTF-8');
  const text = normalizeText(decoded);
  const split = splitFrontmatter(text);
  if (!text.startsWith('---') || split.kind !== 'closed')
    return refuse('it must begin with frontmatter between two "---" lines');
  if (Buffer.byteLength(split.yaml) > MAX_FRONTMATTER_BYTES) return refuse('its frontmatter is too large');
  const [fault] = readYaml(split.yaml).faults;
  if (fault !== undefined)
    return refuse(`its frontmatter is not plain YAML: ${fault.message} (line ${fault.line + split.line - 1})`);
  return readTyped(split.yaml);
}

function readTyped(yaml: string): Outcome<{ readonly fields: TypedFields }> {
  const parsed = parseYaml(yaml, 'core');
  if ('fault' in parsed) return refuse(`its frontmatter is not plain YAML: ${parsed.fault.message}`);
  const { document } = parsed;
  const [warning] = document.warnings;
  if (warning !== undefined) return refuse(`its frontmatter is not plain YAML: ${warning.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  if (!isFields(value)) return refuse('its frontmatter is not a mapping of fields to values');
  return hasNoJson(value)
    ? refuse('its frontmatter contains a number that JSON cannot express')
    : { ok: true, fields: value };
}

function isFields(value: unknown): value is TypedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasNoJson(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNoJson);
}

function refuse(message: string): Failure {
  return fail('PARSE_FAILED', message);
}
