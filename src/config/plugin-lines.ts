import { isDeepStrictEqual } from 'node:util';

import type { PluginDefinition } from '../model/config.ts';
import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';
import { readMapping } from '../parse/yaml/read-yaml.ts';
import { renderAddress } from '../parse/yaml/render-yaml.ts';
import { pluginName } from './plugin-name.ts';

/**
 * Puts plugins into the text of a `config.yaml` by adding and replacing whole lines, without the YAML editor. Entries of the
 * same name get the new values; everything else stays byte for byte. Undefined unless that is safe: the list must
 * be written as we write it, and reading the result must give what was wanted.
 */
export function putPluginLines(text: string, plugins: readonly PluginDefinition[]): string | undefined {
  // Nothing can be added behind the end of a document.
  const before = /^\.\.\./m.test(text) ? undefined : readMapping(text);
  const skills = before?.get('skills');
  if (before === undefined) return undefined;
  if (!before.has('skills')) return verify(appendSection(text, plugins), withPlugins(before, new Map(), plugins));
  if (!(skills instanceof Map) || !Array.isArray(skills.get('plugins'))) return undefined;
  const block = findBlock(text);
  const lines = block === undefined ? undefined : putItems(block, plugins);
  if (block === undefined || lines === undefined) return undefined;
  const edited = [...block.before, ...lines, ...block.after].join('\n');
  return verify(edited, withPlugins(before, skills, plugins));
}

function verify(text: string, expected: FrontmatterMap): string | undefined {
  return isDeepStrictEqual(readMapping(text), expected) ? text : undefined;
}

function appendSection(text: string, plugins: readonly PluginDefinition[]): string {
  const opening = text === '' || text.endsWith('\n') ? '' : '\n';
  const items = plugins.flatMap((plugin) => renderItem(plugin, '    '));
  return `${text}${opening}skills:\n  plugins:\n${items.join('\n')}\n`;
}

/** The file as the small reader must read it afterwards. */
function withPlugins(
  whole: FrontmatterMap,
  skills: FrontmatterMap,
  plugins: readonly PluginDefinition[],
): FrontmatterMap {
  const listed = skills.get('plugins');
  const items = new Map((Array.isArray(listed) ? listed : []).map((item, at) => [nameOf(item) ?? at, item]));
  for (const plugin of plugins) {
    const known = items.get(pluginName(plugin));
    items.set(pluginName(plugin), new Map([...(known instanceof Map ? known : []), ...toFields(plugin)]));
  }
  return new Map([...whole, ['skills', new Map([...skills, ['plugins', [...items.values()]]])]]);
}

function nameOf(item: FrontmatterValue): string | undefined {
  const [url, name] = item instanceof Map ? [item.get('url'), item.get('name')] : [item, undefined];
  if (typeof url !== 'string') return undefined;
  return pluginName({ url, name: typeof name === 'string' ? name : undefined });
}

function toFields({ url, ref, ...rest }: PluginDefinition): readonly (readonly [string, string])[] {
  const fields = Object.entries({ url, ref, ...rest });
  return fields.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
}

function renderItem(plugin: PluginDefinition, indent: string): readonly string[] {
  return toFields(plugin).map(([key, value], at) => {
    return `${indent}${at === 0 ? '- ' : '  '}${key}: ${renderValue(key, value)}`;
  });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function renderValue(key: string, value: string): string {
  return key === 'enabled' || TIME.test(value) ? value : renderAddress(value);
}

/** The lines of the list of plugins, and those around it. */
interface ListBlock {
  readonly before: readonly string[];
  readonly items: readonly (readonly string[])[];
  readonly indent: string;
  readonly after: readonly string[];
}

const FIELD = /^( *)(- | {2})([A-Za-z]+): \S.*$/;

/** Undefined unless `skills:` holds one `plugins:` with items as `renderItem` writes them, without comments. */
function findBlock(text: string): ListBlock | undefined {
  const lines = text.split('\n');
  const section = lines.indexOf('skills:');
  const heads = lines.flatMap((line, at) => (/^ +plugins:$/.test(line) ? [at] : []));
  const [head = -1] = heads;
  const indent = FIELD.exec(lines[head + 1] ?? '')?.[1];
  if (section === -1 || heads.length !== 1 || head < section || indent === undefined) return undefined;
  const items: string[][] = [];
  let at = head + 1;
  for (let field = FIELD.exec(lines[at] ?? ''); field?.[1] === indent; field = FIELD.exec(lines[at] ?? '')) {
    if (field[2] === '- ') items.push([]);
    items.at(-1)?.push(lines[at] ?? '');
    at += 1;
  }
  return { before: lines.slice(0, head + 1), items, indent, after: lines.slice(at) };
}

function putItems({ items, indent }: ListBlock, plugins: readonly PluginDefinition[]): readonly string[] | undefined {
  const named = new Map<string | number, readonly string[]>();
  for (const item of items) {
    const fields = readMapping(item.map((line) => line.slice(indent.length + 2)).join('\n'));
    named.set((fields === undefined ? undefined : nameOf(fields)) ?? named.size, item);
  }
  // Of two entries with one name, one would be lost, and so would a comment.
  if (named.size < items.length || items.flat().some((line) => line.includes(' #'))) return undefined;
  for (const plugin of plugins) {
    const known = named.get(pluginName(plugin));
    const item = known === undefined ? renderItem(plugin, indent) : replaceValues(known, plugin);
    if (item === undefined) return undefined;
    named.set(pluginName(plugin), item);
  }
  return [...named.values()].flat();
}

/** Undefined if a field would have to be added or removed: that is left to the YAML editor. */
function replaceValues(item: readonly string[], plugin: PluginDefinition): readonly string[] | undefined {
  const wanted = new Map(toFields(plugin));
  const lines = item.map((line) => {
    const key = FIELD.exec(line)?.[3] ?? '';
    const value = wanted.get(key);
    wanted.delete(key);
    if (value === undefined) return line;
    return `${line.slice(0, line.indexOf(': ') + 2)}${renderValue(key, value)}`;
  });
  return wanted.size > 0 || (plugin.ref === undefined && item.some((line) => /^ *(?:- )?ref: /.test(line)))
    ? undefined
    : lines;
}
