import type { SkillFolder } from '../../model/folder.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterMap, PlainValue } from '../../model/skill.ts';
import { decodeStrictly } from '../decode.ts';
import { toPlain } from '../fields.ts';
import { normalizeText, readFrontmatter } from '../frontmatter.ts';
import { findSkillFile } from '../skill-file.ts';
import { parseYaml } from '../yaml/examine-yaml.ts';

/** The specification's fields that a skill sets, in the order and spelling of the reference tool. */
export interface SkillProperties {
  readonly name: string;
  readonly description: string;
  readonly license?: PlainValue;
  readonly compatibility?: PlainValue;
  readonly 'allowed-tools'?: PlainValue;
  readonly metadata?: PlainValue;
}

/** Reads a skill's properties as the reference tool does: strictly, but without checking limits. */
export function readFolderProperties(
  folder: SkillFolder,
): Outcome<{ readonly properties: SkillProperties; readonly file: string }> {
  const state = folder.state();
  if (state === 'missing') return fail('SKILL_NOT_FOUND', `the path does not exist: ${folder.dir}`);
  if (state === 'not-directory') return fail('SKILL_NOT_FOUND', `the path is not a directory: ${folder.dir}`);
  const file = findSkillFile(folder.names());
  if (file === undefined) return fail('SKILL_NOT_FOUND', `SKILL.md not found in ${folder.dir}`);
  const content = folder.read(file, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return fail('STORE_FAILED', `${file} cannot be read: ${content.message}`);
  const strict = readStrictly(content.bytes);
  if (!strict.ok) return strict;
  const name = requireText(strict.map, 'name');
  if (!name.ok) return name;
  const description = requireText(strict.map, 'description');
  if (!description.ok) return description;
  const properties = { name: name.text, description: description.text, ...optionalFields(strict.map) };
  return { ok: true, properties, file };
}

/** Fields as JSON values: numbers and booleans keep their type. */
export type TypedFields = Readonly<Record<string, unknown>>;

/**
 * Reads the frontmatter like any YAML 1.2 library: every field, nothing repaired. For comparisons with other
 * implementations; elsewhere scalars keep their source text.
 */
export function readTypedFrontmatter(bytes: Uint8Array): Outcome<{ readonly fields: TypedFields }> {
  const strict = readStrictly(bytes);
  if (!strict.ok) return strict;
  if (!strict.startsAtOnce) return refuse(NO_FRONTMATTER);
  const parsed = parseYaml(strict.yaml, 'core');
  if ('fault' in parsed) return refuse(`invalid YAML: ${parsed.fault.message}`);
  const { document } = parsed;
  const [warning] = document.warnings;
  if (warning !== undefined) return refuse(`invalid YAML: ${warning.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  if (!isFields(value)) return refuse(NOT_MAPPING);
  return hasNoJson(value)
    ? refuse('the frontmatter contains a number that JSON cannot express')
    : { ok: true, fields: value };
}

interface StrictReading {
  readonly map: FrontmatterMap;
  readonly yaml: string;
  /** Is the first fence the beginning of the file? */
  readonly startsAtOnce: boolean;
}

/** Valid YAML between two fences. */
function readStrictly(bytes: Uint8Array): Outcome<StrictReading> {
  const text = decodeStrictly(bytes);
  if (text === undefined) return refuse('SKILL.md is not valid UTF-8');
  const { split, map, faults } = readFrontmatter(normalizeText(text));
  if (split.kind === 'none') return refuse(NO_FRONTMATTER);
  if (split.kind === 'unclosed') return refuse('the frontmatter is not properly closed with a line of ---');
  const [fault] = faults;
  if (fault?.kind === 'not-mapping') return refuse(NOT_MAPPING);
  if (map === undefined || fault !== undefined) return refuse(`invalid YAML in line ${fault?.line}: ${fault?.message}`);
  return { ok: true, map, yaml: split.yaml, startsAtOnce: split.opening.startsWith('---') };
}

const NO_FRONTMATTER = 'SKILL.md must start with frontmatter between two lines of ---';
const NOT_MAPPING = 'the frontmatter must be a mapping of fields to values';

function requireText(values: FrontmatterMap, field: string): Outcome<{ readonly text: string }> {
  if (!values.has(field)) return refuse(`missing required field: ${field}`);
  const value = values.get(field);
  if (typeof value === 'string' && value.trim() !== '') return { ok: true, text: value.trim() };
  return refuse(`the field ${field} must be non-empty text`);
}

function optionalFields(values: FrontmatterMap): Partial<SkillProperties> {
  const fields = ['license', 'compatibility', 'allowed-tools', 'metadata'].flatMap((field) => {
    const value = values.get(field) ?? undefined;
    const isEmptyMap = field === 'metadata' && value instanceof Map && value.size === 0;
    return value === undefined || isEmptyMap ? [] : [[field, toPlain(value)] as const];
  });
  return Object.fromEntries(fields);
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
