import type { Document, YAMLSeq } from 'yaml';

import type { PluginDefinition } from '../model/config.ts';
import { collectComments, removeItems } from './edit-list.ts';
import { pluginName } from './plugin-name.ts';

type Yaml = typeof import('yaml');

/** Writes a plugin's entry into the list, over the one of the same name; comments and unknown fields of that stay. */
export function putPlugin(list: YAMLSeq, plugin: PluginDefinition, { document, yaml }: EditContext): void {
  const at = list.items.findIndex((item) => nameOf(item, yaml) === pluginName(plugin));
  const known = list.items[at];
  const entry = yaml.isMap(known) ? known : document.createNode({});
  const { url, ref, ...rest } = plugin;
  for (const [key, value] of Object.entries({ url, ref, ...rest })) {
    const node = entry.get(key, true);
    if (value === undefined) entry.delete(key);
    // Only the value is written anew, so that its comments stay.
    else if (yaml.isScalar(node)) node.value = value;
    else entry.set(key, document.createNode(value));
  }
  if (at === -1) list.add(entry);
  else if (entry !== known) {
    entry.commentBefore = collectComments(known, yaml).join('\n') || null;
    list.items[at] = entry;
  }
}

export interface EditContext {
  readonly document: Document;
  readonly yaml: Yaml;
}

export function removePlugin(list: YAMLSeq, name: string, { yaml }: EditContext): void {
  removeItems(list, (item) => nameOf(item, yaml) === name, yaml);
}

function nameOf(item: unknown, yaml: Yaml): string | undefined {
  if (yaml.isScalar(item)) return pluginName({ url: String(item.value) });
  if (!yaml.isMap(item)) return undefined;
  const [url, given] = [item.get('url'), item.get('name')];
  return pluginName({ url: String(url), ...(typeof given === 'string' ? { name: given } : {}) });
}
