import { isDeepStrictEqual } from 'node:util';

import { fail, type Outcome } from '../../model/outcome.ts';
import { loadToml } from '../../parse/lazy-packages.cjs';
import type { ObjectEdit } from './json-object.ts';
import { parseTomlText } from './toml-text.ts';

/** Puts a table into a TOML file. All other lines stay as they are; fails if that is not possible. */
export function setTomlTable(text: string, edit: ObjectEdit): Outcome<{ readonly text: string }> {
  const { section, name, entry, ownKeys } = edit;
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const servers = parsed.value[section] ?? {};
  const present = isTable(servers) ? (servers[name] ?? {}) : undefined;
  if (!isTable(present)) return fail('CONFIG_INVALID', `"${section}" is not a table of servers by name`);
  const kept = Object.fromEntries(Object.entries(present).filter(([key]) => !ownKeys.includes(key)));
  const wanted = { ...kept, ...entry };
  if (isDeepStrictEqual(present, wanted)) return { ok: true, text };
  const edited = writeTable(text, edit);
  const result = parse(edited);
  const expected = { ...parsed.value, [section]: { ...servers, [name]: wanted } };
  if (!result.ok || !isDeepStrictEqual(result.value, expected))
    return fail('CONFIG_INVALID', `its layout of "${section}" cannot be edited safely`, {
      ask: 'user',
      to: 'Edit the file by hand.',
    });
  return { ok: true, text: edited };
}

/** Takes a table out of a TOML file, with everything in it. All other lines stay as they are. */
export function removeTomlTable(
  text: string,
  { section, name }: Pick<ObjectEdit, 'section' | 'name'>,
): Outcome<{ readonly text: string }> {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const servers = parsed.value[section];
  if (!isTable(servers) || !(name in servers)) return { ok: true, text };
  const own = new RegExp(String.raw`^\s*\[\s*${section}\s*\.\s*"?${name}"?\s*[\].]`);
  let isOwn = false;
  const lines = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isOwn = own.test(line);
    return !isOwn;
  });
  const edited = lines.join('\n').replace(/\n{2,}$/, '\n');
  const left = parse(edited);
  const isGone = left.ok && !(name in (isTable(left.value[section]) ? left.value[section] : {}));
  if (!isGone)
    return fail('CONFIG_INVALID', `its layout of "${section}" cannot be edited safely`, {
      ask: 'user',
      to: 'Edit the file by hand.',
    });
  return { ok: true, text: edited };
}

/** The table of this name; undefined if there is none, or the text is not valid. */
export function findTomlTable(
  text: string,
  { section, name }: Pick<ObjectEdit, 'section' | 'name'>,
): Table | undefined {
  const parsed = parse(text);
  const servers = parsed.ok ? parsed.value[section] : undefined;
  const found = isTable(servers) ? servers[name] : undefined;
  return isTable(found) ? found : undefined;
}

/** The table as it is written. */
export function renderTomlTable({ section, name, entry }: Omit<ObjectEdit, 'ownKeys'>): string {
  return `[${section}.${name}]\n${loadToml().stringify(entry).trimEnd()}\n`;
}

/** Rewrites the keys we own and keeps comments and other keys. A new table goes to the end. */
function writeTable(text: string, edit: ObjectEdit): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const rendered = renderTomlTable(edit).trimEnd().split('\n');
  const lines = text.split(/\r?\n/);
  const header = new RegExp(String.raw`^\s*\[\s*${edit.section}\s*\.\s*"?${edit.name}"?\s*\]`);
  const at = lines.findIndex((line) => header.test(line));
  if (at === -1) {
    const gap = text === '' ? [] : [''];
    return [...(text === '' ? [] : text.trimEnd().split(/\r?\n/)), ...gap, ...rendered, ''].join(eol);
  }
  const length = lines.slice(at + 1).findIndex((line) => /^\s*\[/.test(line));
  const end = length === -1 ? lines.length : at + 1 + length;
  const own = new RegExp(String.raw`^\s*(?:${edit.ownKeys.join('|')})\s*=`);
  const others = lines.slice(at + 1, end).filter((line) => !own.test(line));
  return [...lines.slice(0, at + 1), ...rendered.slice(1), ...others, ...lines.slice(end)].join(eol);
}

type Table = Readonly<Record<string, unknown>>;

/** As plain data: the parser's tables have no prototype, so they equal no other object. */
function parse(text: string): Outcome<{ readonly value: Table }> {
  const parsed = parseTomlText(text);
  if (!parsed.ok) return parsed;
  const value: unknown = JSON.parse(JSON.stringify(parsed.value));
  return isTable(value) ? { ok: true, value } : fail('CONFIG_INVALID', 'it does not contain a table');
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
