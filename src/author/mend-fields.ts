import { MAX_COMPATIBILITY_LENGTH } from '../model/limits.ts';
import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';
import { countCodePoints } from '../parse/code-points.ts';
import type { FieldChanges } from '../parse/edit-fields.ts';
import { splitTools, toPlain } from '../parse/fields.ts';
import { SPEC_FIELDS } from '../parse/manifest.ts';
import { findNameFaults, isSameName } from '../parse/name-rules.ts';
import { isMap } from '../parse/yaml.ts';

/** One thing that was wrong and is not any more, for people. */
export interface Mend {
  readonly field?: string | undefined;
  readonly message: string;
}

export interface FieldMending {
  /** The name of the skill's folder. */
  readonly id: string;
  readonly spec: boolean;
  /** What was mended is added here. */
  readonly mends: Mend[];
}

/** The changes that make wrong fields right where there is one right form. */
export function mendFields(map: FrontmatterMap, mending: FieldMending): FieldChanges {
  return new Map([
    ...mendName(map, mending),
    ...mendLists(map, mending),
    ...(mending.spec ? moveFields(map, mending) : []),
  ]);
}

type Changes = readonly (readonly [string, FrontmatterValue | undefined])[];

/** A skill's name is its folder's, unless the folder's is no name. */
function mendName(map: FrontmatterMap, { id, mends }: FieldMending): Changes {
  const name = map.get('name');
  const isRight = typeof name === 'string' && isSameName(name, id);
  if (isRight || findNameFaults(id).length > 0) return [];
  mends.push({ field: 'name', message: `the name is ${id}, as the folder's` });
  return [['name', id]];
}

/** Lists where the specification wants one text. */
function mendLists(map: FrontmatterMap, { mends }: FieldMending): Changes {
  const changes: (readonly [string, string])[] = [];
  const tools = textsOf(map.get('allowed-tools'));
  const joined = tools?.join(' ');
  if (tools !== undefined && joined !== undefined && splitTools(joined).join('\n') === tools.join('\n'))
    changes.push(['allowed-tools', joined]);
  const compatibility = textsOf(map.get('compatibility'));
  const places = compatibility?.join(', ') ?? '';
  if (places !== '' && countCodePoints(places) <= MAX_COMPATIBILITY_LENGTH) changes.push(['compatibility', places]);
  for (const [field] of changes) mends.push({ field, message: `${field} is one text and no list` });
  return changes;
}

function textsOf(value: FrontmatterValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.filter((item) => typeof item === 'string' && item.trim() !== '');
  return texts.length === value.length ? texts : undefined;
}

/** These mean the same in `metadata`. */
const READ_IN_METADATA = new Set(['tags', 'version']);

/** Fields that the specification does not have go where it has room for them, as text. */
function moveFields(map: FrontmatterMap, { mends }: FieldMending): Changes {
  const given = map.get('metadata') ?? null;
  if (given !== null && !isMap(given)) return [];
  const metadata = new Map<string, FrontmatterValue>(given ?? []);
  const moved = [...map.keys()].filter(
    (key) => !SPEC_FIELDS.includes(key) && canHold(metadata, key, toText(key, map.get(key))),
  );
  if (moved.length === 0) return [];
  for (const field of moved) {
    metadata.set(field, toText(field, map.get(field)));
    const loss = READ_IN_METADATA.has(field) ? '' : ', where it is kept and has no effect';
    mends.push({ field, message: `${field} is moved into metadata${loss}` });
  }
  return [...moved.map((field) => [field, undefined] as const), ['metadata', metadata]];
}

function canHold(metadata: FrontmatterMap, key: string, text: string): boolean {
  return !metadata.has(key) || metadata.get(key) === text;
}

function toText(key: string, value: FrontmatterValue | undefined): string {
  const text = joinValue(value ?? null);
  // In `metadata`, blanks part tags where there is no comma.
  return key === 'tags' && /\S\s+\S/.test(text) && !text.includes(',') ? `${text},` : text;
}

function joinValue(value: FrontmatterValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const texts = textsOf(value);
  const isPlainList = texts !== undefined && !texts.some((text) => text.includes(','));
  return isPlainList ? texts.join(', ') : JSON.stringify(toPlain(value));
}
