import { isDeepStrictEqual } from 'node:util';

import { fail, type Outcome } from '../../model/outcome.ts';
import { putJsonEntry } from './json-entries.ts';
import { addItem, findNode, isObject, parseJsonText, removeItem, renderValue, replaceValue } from './json-text.ts';

/** An object in a settings file, at `section` and `name`. Its keys among `ownKeys` become those of `entry`; others stay. */
export interface ObjectEdit {
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly ownKeys: readonly string[];
}

/** Sets our keys of an object in a JSON file that may have comments. The rest of the text stays as it is. */
export function setJsonObject(text: string, edit: ObjectEdit): Outcome<{ readonly text: string }> {
  const { section, name, entry, ownKeys } = edit;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const given = text.slice(mark.length);
  const isNew = { kind: 'key', at: [section, name], value: entry } as const;
  if (given.trim() === '') return putJsonEntry(text, isNew);
  const parsed = parseJsonText(given);
  if (!parsed.ok) return parsed;
  const objects = parsed.value[section] ?? {};
  const present = isObject(objects) ? (objects[name] ?? {}) : undefined;
  if (!isObject(objects) || !isObject(present))
    return fail('CONFIG_INVALID', `"${section}" is not an object of servers by name`);
  if (!(name in objects)) return putJsonEntry(text, isNew);
  const wanted = { ...omit(present, ownKeys), ...entry };
  if (isDeepStrictEqual(present, wanted)) return { ok: true, text };
  const edited = replaceKeys(given, edit);
  const result = parseJsonText(edited);
  const expected = { ...parsed.value, [section]: { ...objects, [name]: wanted } };
  if (!result.ok || !isDeepStrictEqual(result.value, expected))
    return fail('CONFIG_INVALID', 'its layout cannot be edited safely', { ask: 'user', to: 'Edit the file by hand.' });
  return { ok: true, text: `${mark}${edited}` };
}

/** The object of this name; undefined if there is none, or the text is not valid. */
export function findJsonObject(
  text: string,
  { section, name }: Pick<ObjectEdit, 'section' | 'name'>,
): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseJsonText(text.replace(/^\uFEFF/, ''));
  const objects = parsed.ok ? parsed.value[section] : undefined;
  const found = isObject(objects) ? objects[name] : undefined;
  return isObject(found) ? found : undefined;
}

/** Keeps keys that a person added to the object. */
function replaceKeys(text: string, { section, name, entry, ownKeys }: ObjectEdit): string {
  // Add before removing, so that the object is never empty.
  const keys = [...ownKeys].sort((a, b) => Number(b in entry) - Number(a in entry));
  return keys.reduce((edited, key) => {
    const parsed = parseJsonText(edited);
    const object = parsed.ok ? findNode(parsed.root, [section, name]) : undefined;
    const property = object?.children?.find(({ children }) => children?.[0]?.value === key);
    if (object === undefined || (property === undefined && !(key in entry))) return edited;
    if (property === undefined)
      return addItem(edited, object, (layout) => `${JSON.stringify(key)}: ${renderValue(entry[key], layout)}`);
    return key in entry ? replaceValue(edited, property, entry[key]) : removeItem(edited, object, property);
  }, text);
}

function omit(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
