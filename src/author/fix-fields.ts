import { MAX_COMPATIBILITY_LENGTH } from '../model/limits.ts';
import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';
import { countCodePoints } from '../parse/code-points.ts';
import { splitTools, toPlain } from '../parse/fields.ts';
import { SPEC_FIELDS } from '../parse/manifest.ts';
import { findNameFaults } from '../parse/name-rules.ts';
import type { FieldChanges } from '../parse/yaml/edit-fields.ts';
import { isMap } from '../parse/yaml/examine-yaml.ts';

/** One fix, described for people. */
export interface Fix {
  readonly field?: string | undefined;
  readonly message: string;
}

/** A fix run over one SKILL.md. */
export interface Fixing {
  /** The name of the skill's folder. */
  readonly id: string;
  readonly spec: boolean;
  /** Each step adds its fixes here. */
  readonly fixes: Fix[];
}

/** The changes that correct fields with exactly one right form. */
export function fixFields(map: FrontmatterMap, fixing: Fixing): FieldChanges {
  return new Map([...fixName(map, fixing), ...fixLists(map, fixing), ...(fixing.spec ? moveFields(map, fixing) : [])]);
}

type Changes = readonly (readonly [string, FrontmatterValue | undefined])[];

/**
 * Without a name, a skill is called like its folder. A name that differs from the folder is left to its author, who may
 * want to rename the folder instead. Nothing changes if the folder's name is invalid too.
 */
function fixName(map: FrontmatterMap, { id, fixes }: Fixing): Changes {
  const name = map.get('name');
  const isNamed = typeof name === 'string' && name.trim() !== '';
  if (isNamed || findNameFaults(id).length > 0) return [];
  fixes.push({ field: 'name', message: `set name to ${id}, the name of the folder` });
  return [['name', id]];
}

/** Joins lists where the specification wants one text. */
function fixLists(map: FrontmatterMap, { fixes }: Fixing): Changes {
  const changes: (readonly [string, string])[] = [];
  const tools = textsOf(map.get('allowed-tools'));
  const joined = tools?.join(' ');
  if (tools !== undefined && joined !== undefined && splitTools(joined).join('\n') === tools.join('\n'))
    changes.push(['allowed-tools', joined]);
  const compatibility = textsOf(map.get('compatibility'));
  const places = compatibility?.join(', ') ?? '';
  if (places !== '' && countCodePoints(places) <= MAX_COMPATIBILITY_LENGTH) changes.push(['compatibility', places]);
  for (const [field] of changes) fixes.push({ field, message: `write ${field} as text instead of a list` });
  return changes;
}

function textsOf(value: FrontmatterValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.filter((item) => typeof item === 'string' && item.trim() !== '');
  return texts.length === value.length ? texts : undefined;
}

/** These fields have the same effect inside `metadata`. */
const READ_IN_METADATA = new Set(['tags', 'version']);

/** Moves fields that the specification does not define into `metadata`, as text. */
function moveFields(map: FrontmatterMap, { fixes }: Fixing): Changes {
  const given = map.get('metadata') ?? null;
  if (given !== null && !isMap(given)) return [];
  const metadata = new Map<string, FrontmatterValue>(given ?? []);
  const moved = [...map.keys()].filter(
    (key) => !SPEC_FIELDS.includes(key) && canHold(metadata, key, toText(key, map.get(key))),
  );
  if (moved.length === 0) return [];
  for (const field of moved) {
    metadata.set(field, toText(field, map.get(field)));
    const loss = READ_IN_METADATA.has(field) ? '' : ', where it is kept but has no effect';
    fixes.push({ field, message: `move ${field} into metadata${loss}` });
  }
  return [...moved.map((field) => [field, undefined] as const), ['metadata', metadata]];
}

function canHold(metadata: FrontmatterMap, key: string, text: string): boolean {
  return !metadata.has(key) || metadata.get(key) === text;
}

function toText(key: string, value: FrontmatterValue | undefined): string {
  const text = joinValue(value ?? null);
  // In `metadata`, tags without a comma are split at blanks. A trailing comma keeps a tag of two words whole.
  return key === 'tags' && /\S\s+\S/.test(text) && !text.includes(',') ? `${text},` : text;
}

function joinValue(value: FrontmatterValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const texts = textsOf(value);
  const isPlainList = texts !== undefined && !texts.some((text) => text.includes(','));
  return isPlainList ? texts.join(', ') : JSON.stringify(toPlain(value));
}
