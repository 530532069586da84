import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml';

import type { PluginDefinition, SkillsSection } from '../model/config.ts';
import { loadYaml } from '../parse/lazy-packages.cjs';
import { pluginName } from './plugin-name.ts';

/** Changes settings of the `skills:` section and keeps its comments. */
export interface ConfigEditor {
  /** `undefined` removes the setting. */
  set<K extends keyof SkillsSection>(key: K, value: SkillsSection[K]): void;
  /** Adds an item to a list unless the list has it. */
  add(key: keyof SkillsSection, item: string): void;
  remove(key: keyof SkillsSection, item: string): void;
  /** Puts an entry into a setting that is a mapping; `undefined` removes the entry, and the setting with its last one. */
  putEntry(key: 'preferred' | 'hosts', name: string, value: string | readonly string[] | undefined): void;
  /** Adds plugins, or replaces the values of the plugins with the same names. */
  putPlugins(plugins: readonly PluginDefinition[]): void;
  removePlugin(name: string): void;
}

/** Edits a document that has, or gets, a `skills:` mapping. */
export function openConfigEditor(document: Document): ConfigEditor {
  const { isMap, isScalar, isSeq } = loadYaml();
  const root = (): YAMLMap => {
    if (isMap(document.contents)) return document.contents;
    const created = document.createNode({});
    document.contents = created;
    return created;
  };
  const settings = (): YAMLMap => {
    const skills = valueOf(root(), 'skills', document);
    const map = isMap(skills) ? skills : document.createNode({});
    put(root(), ['skills', map]);
    return map;
  };
  /** The list of a setting, if there is one; reading creates nothing. */
  const findList = (key: keyof SkillsSection): YAMLSeq | undefined => {
    if (!isMap(valueOf(document.contents, 'skills', document))) return undefined;
    const list = valueOf(settings(), key, document);
    return isSeq(list) ? list : undefined;
  };
  const removeFrom = (key: keyof SkillsSection, isRemoved: (item: unknown) => boolean): void => {
    const list = findList(key);
    if (list === undefined) return;
    removeItems(list, isRemoved);
    put(settings(), [key, list]);
  };
  return {
    set(key, value) {
      if (value !== undefined) put(settings(), [key, document.createNode(value)]);
      else if (isMap(valueOf(document.contents, 'skills', document))) settings().delete(key);
    },
    add(key, item) {
      const list = findList(key);
      if (list === undefined) put(settings(), [key, document.createNode([item])]);
      else if (!list.items.some((entry) => isText(entry, item))) {
        list.add(document.createNode(item));
        put(settings(), [key, list]);
      }
    },
    remove: (key, item) => removeFrom(key, (entry) => isText(entry, item)),
    putEntry(key, name, value) {
      const hasSettings = isMap(valueOf(document.contents, 'skills', document));
      const known = hasSettings ? valueOf(settings(), key, document) : undefined;
      const map = isMap(known) ? known : document.createNode({});
      const entry = map.items.find((pair) => isText(pair.key, name));
      if (typeof value === 'string' && entry !== undefined && isScalar(entry.value)) entry.value.value = value;
      else if (value !== undefined) map.set(entry?.key ?? name, document.createNode(value));
      else if (entry !== undefined) map.delete(entry.key);
      if (map.items.length > 0) put(settings(), [key, map]);
      else if (hasSettings) settings().delete(key);
    },
    putPlugins(plugins) {
      if (plugins.length === 0) return;
      const list = findList('plugins') ?? document.createNode<readonly string[]>([]);
      putPlugins(list, plugins, document);
      put(settings(), ['plugins', list]);
    },
    removePlugin: (name) => removeFrom('plugins', (entry) => nameOf(entry) === name),
  };
}

/** An entry's value; an alias becomes a copy, so that a change does not reach other uses of the anchor. */
function valueOf(map: unknown, key: string, document: Document): unknown {
  const { isAlias, isMap } = loadYaml();
  const value: unknown = isMap(map) ? map.get(key, true) : undefined;
  return isAlias(value) ? document.createNode(value.toJS(document)) : value;
}

function put(map: YAMLMap, [key, node]: readonly [string, Node]): void {
  const previous: unknown = map.get(key, true);
  // A comment belongs to the value on its line, even an empty one.
  if (loadYaml().isScalar(previous))
    node.commentBefore = previous.commentBefore ?? previous.comment ?? node.commentBefore ?? null;
  if (previous !== node) map.set(key, node);
}

function isText(entry: unknown, text: string): boolean {
  return loadYaml().isScalar(entry) && String(entry.value) === text;
}

function putPlugins(list: YAMLSeq, plugins: readonly PluginDefinition[], document: Document): void {
  const places = new Map<string | undefined, number>();
  for (const [at, item] of list.items.entries()) if (!places.has(nameOf(item))) places.set(nameOf(item), at);
  for (const plugin of plugins) {
    const name = pluginName(plugin);
    const at = places.get(name) ?? list.items.length;
    putPlugin(list, at, { plugin, document });
    places.set(name, at);
  }
}

interface Putting {
  readonly plugin: PluginDefinition;
  readonly document: Document;
}

/** Keeps comments and unknown fields of an entry that is there already. */
function putPlugin(list: YAMLSeq, at: number, { plugin, document }: Putting): void {
  const { isMap, isScalar } = loadYaml();
  const known = list.items[at];
  const entry = isMap(known) ? known : document.createNode({});
  const { url, ref, ...rest } = plugin;
  for (const [key, value] of Object.entries({ url, ref, ...rest })) {
    const node = entry.get(key, true);
    if (value === undefined) entry.delete(key);
    // Only the value changes, so that its comments stay.
    else if (isScalar(node)) node.value = value;
    else entry.set(key, document.createNode(value));
  }
  if (known === undefined) list.add(entry);
  else if (entry !== known) {
    entry.commentBefore = collectComments(known).join('\n') || null;
    list.items[at] = entry;
  }
}

function nameOf(item: unknown): string | undefined {
  const { isMap, isScalar } = loadYaml();
  if (isScalar(item)) return pluginName({ url: String(item.value) });
  if (!isMap(item)) return undefined;
  const [url, given] = [item.get('url'), item.get('name')];
  return pluginName({ url: String(url), ...(typeof given === 'string' ? { name: given } : {}) });
}

/** Removes items; their comments become comments of the list. */
function removeItems(list: YAMLSeq, isRemoved: (item: unknown) => boolean): void {
  const comments = list.items.filter(isRemoved).flatMap(collectComments);
  list.items = list.items.filter((item) => !isRemoved(item));
  if (comments.length > 0) list.comment = [list.comment, ...comments].filter(Boolean).join('\n');
}

function collectComments(item: unknown): readonly string[] {
  const { isNode, visit } = loadYaml();
  const comments: string[] = [];
  if (!isNode(item)) return comments;
  visit(item, {
    Node(_key, node) {
      for (const comment of [node.commentBefore, node.comment]) if (comment) comments.push(comment);
    },
  });
  return comments;
}
