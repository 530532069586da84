import type { PluginDefinition } from '../model/config.ts';

/** The folder of a plugin: its name, else the name of its repository. */
export function pluginName({ name, url }: Pick<PluginDefinition, 'name' | 'url'>): string {
  if (name !== undefined) return name;
  const parts = url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/);
  return parts.at(-1) ?? url;
}
