import { isAbsolute, join } from 'node:path';

import type { ForeignOrigin, ForeignSkill } from '../../model/foreign-skill.ts';
import { parseJson } from '../../model/json.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { isFile, listDirectory, readOwnText } from '../../platform/files/files.ts';
import {
  claudeFolder,
  installedPluginsFile,
  parseInstalledPlugins,
  readEnabledPlugins,
  type ClaudePlugin,
} from '../agents/claude-code-settings.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { HostPlace } from '../host.ts';
import { flaw, tidyFolder, type ForeignRecords } from './foreign-records.ts';

/** The skills of the plugins that Claude Code says are installed. Its cache is not searched: old versions stay there. */
export function readClaudePlugins(place: HostPlace, project: string | undefined): ForeignRecords {
  const claude = claudeFolder(place);
  const file = installedPluginsFile(claude);
  const read = readOwnText(file);
  if (!read.ok) return { skills: [], diagnostics: [flaw(file, read.message)] };
  if (read.text === undefined) return { skills: [], diagnostics: [] };
  const plugins = parseInstalledPlugins(read.text);
  if (plugins === undefined) return { skills: [], diagnostics: [flaw(file, 'it is not a list of plugins')] };
  const enabled = readEnabledPlugins(place);
  const all = plugins.filter((plugin) => plugin.project === project);
  const meant = all.filter(({ id }) => enabled.get(id) !== false);
  const off = all.filter(({ id }) => enabled.get(id) === false);
  const marketplaces = readJson(join(claude, 'plugins', 'known_marketplaces.json'));
  return {
    skills: meant.flatMap((plugin) => listSkills(plugin, marketplaces)),
    diagnostics: off.map(({ id }) => flaw(file, `${id} is turned off in Claude Code; its skills are left out`)),
  };
}

function listSkills(plugin: ClaudePlugin, marketplaces: Json): readonly ForeignSkill[] {
  const root = join(plugin.folder, 'skills');
  const listing = listDirectory(root);
  if (listing.state !== 'listed') return [];
  const origin = findOrigin(plugin, marketplaces);
  return listing.entries
    .map(({ name }) => name)
    .filter((name) => isFolderName(name) && isFile(join(root, name, 'SKILL.md')))
    .toSorted()
    .map((name) => {
      const from = origin && { ...origin, path: tidyFolder(`${origin.path}/skills/${name}`) };
      return { name, tool: 'Claude Code plugins', folder: join(root, name), from };
    });
}

/** The origin of a plugin in its marketplace's own repository. */
function findOrigin({ id, commit }: ClaudePlugin, marketplaces: Json): ForeignOrigin | undefined {
  const at = id.lastIndexOf('@');
  const known = valueAt(marketplaces, id.slice(at + 1));
  const address = textAt(known, 'source', 'repo') ?? textAt(known, 'source', 'url');
  const clone = textAt(known, 'installLocation');
  if (at < 1 || address === undefined || clone === undefined || !isAbsolute(clone)) return undefined;
  const listed = itemsAt(readJson(join(clone, '.claude-plugin', 'marketplace.json')), 'plugins');
  const path = textAt(
    listed.find((one) => textAt(one, 'name') === id.slice(0, at)),
    'source',
  );
  const ref = textAt(known, 'source', 'ref');
  return path === undefined ? undefined : { address, path: tidyFolder(path), ref, commit };
}

function readJson(file: string): Json {
  const read = readOwnText(file);
  return read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
}
