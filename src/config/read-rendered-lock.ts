import type { LockedFile, LockedSkill } from '../model/lock.ts';
import { DIGEST, ORIGIN_FIELDS, readOrigin } from './lock-origin.ts';
import { renderLock } from './render-lock.ts';

/**
 * Reads a lock exactly as `renderLock` writes it, without a YAML parser or a schema library; undefined for any other
 * text. Rendering the result must give the same text again, so it cannot differ from what a YAML parser reads.
 */
export function readRenderedLock(text: string): readonly LockedSkill[] | undefined {
  const cursor = { lines: text.split('\n'), at: 0 };
  cursor.at = cursor.lines.indexOf('skills:') + 1;
  const skills: LockedSkill[] = [];
  while (cursor.at > 0 && cursor.lines[cursor.at]?.startsWith('  ') === true) {
    const skill = readSkill(cursor);
    if (skill === undefined) return undefined;
    skills.push(skill);
  }
  const isSound = skills.every(isSoundSkill) && new Set(skills.map(({ name }) => name)).size === skills.length;
  return isSound && renderLock(skills) === text ? skills : undefined;
}

/** Does a path of a lock stay in its folder? */
export function staysInside(path: string): boolean {
  return !/^\/|\0/.test(path) && !path.split(/[/\\]/).includes('..');
}

/** Is this the name of a folder? */
export function isFolder(name: string): boolean {
  return staysInside(name) && !name.includes('/');
}

function isSoundSkill({ name, path, digest, files }: LockedSkill): boolean {
  if (name === '__proto__' || !isFolder(name) || !staysInside(path) || !DIGEST.test(digest)) return false;
  return files.every((file) => staysInside(file.path) && DIGEST.test(file.digest));
}

interface Cursor {
  readonly lines: readonly string[];
  at: number;
}

function readSkill(cursor: Cursor): LockedSkill | undefined {
  const line = cursor.lines[cursor.at] ?? '';
  const name = line.endsWith(':') ? readScalar(line.slice(2, -1)) : undefined;
  cursor.at += 1;
  const fields = new Map<string, string>();
  for (let field = takeField(cursor, '    '); field !== undefined; field = takeField(cursor, '    '))
    fields.set(field.key, field.value);
  const origin = readOrigin(Object.fromEntries(ORIGIN_FIELDS.map((field) => [field, fields.get(field)])));
  const [path = '', held, digest] = [fields.get('path'), fields.get('held'), fields.get('digest')];
  if (name === undefined || origin === undefined || digest === undefined) return undefined;
  const files = readFiles(cursor);
  return { name, origin, path, ...(held === 'true' ? { held: true } : {}), digest, files };
}

/** Leaves the cursor behind the list. An empty one is a field `files: []` for `takeField`. */
function readFiles(cursor: Cursor): readonly LockedFile[] {
  const files: LockedFile[] = [];
  if (cursor.lines[cursor.at] === '    files:') cursor.at += 1;
  for (let path = takeField(cursor, '      - '); path !== undefined; path = takeField(cursor, '      - ')) {
    const digest = takeField(cursor, '        ');
    const executable = takeField(cursor, '        ') !== undefined;
    files.push({ path: path.value, digest: digest?.value ?? '', executable });
  }
  return files;
}

/** Takes a line `key: value` with exactly this indentation. */
function takeField(cursor: Cursor, indent: string): { readonly key: string; readonly value: string } | undefined {
  const line = cursor.lines[cursor.at] ?? '';
  const colon = line.indexOf(': ');
  if (!line.startsWith(indent) || line[indent.length] === ' ' || line[indent.length] === '-' || colon === -1)
    return undefined;
  const value = readScalar(line.slice(colon + 2));
  if (value === undefined) return undefined;
  cursor.at += 1;
  return { key: line.slice(indent.length, colon), value };
}

/** Plain text, or text in quotes with the escapes of JSON. */
function readScalar(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
