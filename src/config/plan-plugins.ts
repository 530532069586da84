import type { PluginDefinition } from '../model/config.ts';
import { MAX_OWN_CONFIG_BYTES } from '../model/limits.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Environment } from '../platform/environment.ts';
import { readOwnText } from '../platform/files/files.ts';
import { planConfigEdit } from './edit-config.ts';
import { putPluginLines } from './plugin-lines.ts';
import { pluginName } from './plugin-name.ts';
import { readFaultless, rememberFaultless, userConfigFile } from './read-config.ts';
import { SCHEMA_LINE } from './schema-file.ts';

export interface PluginEdits {
  /** To add, or to replace the entry of the same name. */
  readonly put: readonly PluginDefinition[];
  /** Names of the entries to remove. */
  readonly remove: readonly string[];
}

/**
 * The text of the user's `config.yaml` after its list of plugins changed. The caller holds the file's lock. A file as we
 * write it is edited line by line, since a YAML parser would take seconds for a thousand plugins.
 */
export async function planPlugins(
  environment: Pick<Environment, 'agentHome'>,
  edit: (now: readonly PluginDefinition[]) => PluginEdits,
): Promise<Outcome<{ readonly text: string }>> {
  const file = userConfigFile(environment);
  const read = readOwnText(file);
  const isNew = read.ok && read.text === undefined;
  const before = read.ok ? (read.text ?? '') : undefined;
  const section = before === undefined ? undefined : await readFaultless(before, environment);
  if (before !== undefined && section !== undefined) {
    const { put, remove } = edit(section.plugins ?? []);
    const edited = remove.length > 0 ? undefined : putPluginLines(before, put);
    const text = edited === undefined ? undefined : `${isNew ? SCHEMA_LINE : ''}${edited}`;
    if (text !== undefined && Buffer.byteLength(text) <= MAX_OWN_CONFIG_BYTES) {
      await rememberFaultless(text, { ...section, plugins: mergePlugins(section.plugins ?? [], put) }, environment);
      return { ok: true, text };
    }
  }
  return planConfigEdit(file, (editor, { plugins = [] }) => {
    const { put, remove } = edit(plugins);
    editor.putPlugins(put);
    for (const name of remove) editor.removePlugin(name);
  });
}

function mergePlugins(now: readonly PluginDefinition[], put: readonly PluginDefinition[]): readonly PluginDefinition[] {
  const named = new Map([...now, ...put].map((plugin) => [pluginName(plugin), plugin]));
  return [...named.values()];
}
