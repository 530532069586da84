import type { PluginDefinition } from '../model/config.ts';

/** Folder of an installed skill: its name, or that of its repository. */
export function pluginName({ name, url }: Pick<PluginDefinition, 'name' | 'url'>): string {
  if (name !== undefined) return name;
  const parts = url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/);
  return parts.at(-1) ?? url;
}
