import { fail, type Outcome } from '../../model/outcome.ts';
import { editManifest, isJsonObject, parseManifest, type JsonObject, type ManifestChange } from './edit-manifest.ts';
import type { ManifestAbout } from './manifest-about.ts';
import type { EmittedSkill } from './repository-skills.ts';

/** Claude Code 2.1.325, Codex 0.166.0 and Copilot 1.0.102 read it. */
export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';

/** Skills that lie here need not be named. */
const USUAL = /^skills\/[^/]+$/;

/**
 * The text of a marketplace with every skill. People's plugins stay unchanged. Skills in none of them are listed in the
 * plugin for the whole repository, which is added if missing; removed skills leave its list.
 */
export function writeMarketplace(
  text: string,
  skills: readonly EmittedSkill[],
  about: ManifestAbout,
): Outcome<{ readonly text: string }> {
  const parsed = parseManifest(text, MARKETPLACE_FILE);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const listed = value['plugins'] ?? [];
  if (!Array.isArray(listed)) return fail('CONFIG_INVALID', `${MARKETPLACE_FILE}: plugins is not a list`);
  const plugins = listed.map((plugin: unknown) => (isJsonObject(plugin) ? plugin : {}));
  const own = plugins.findIndex((plugin) => rootOf(plugin) === '');
  const others = plugins.filter((_, at) => at !== own);
  const rest = skills.filter(({ path }) => !others.some((plugin) => brings(plugin, path))).map(({ path }) => path);
  const head: readonly ManifestChange[] = [
    ...('name' in value ? [] : [{ at: ['name'], value: about.name }]),
    ...('owner' in value ? [] : [{ at: ['owner'], value: { name: about.owner } }]),
    ...(Array.isArray(value['plugins']) ? [] : [{ at: ['plugins'], value: [] }]),
  ];
  return { ok: true, text: editManifest(text, [...head, ...sellRest(plugins, { own, rest, about })]) };
}

interface Rest {
  /** The index of the plugin that is the whole repository; -1 without one. */
  readonly own: number;
  /** Paths of skills in no other plugin. */
  readonly rest: readonly string[];
  readonly about: ManifestAbout;
}

function sellRest(plugins: readonly JsonObject[], { own, rest, about }: Rest): readonly ManifestChange[] {
  const named = rest.map((path) => (path === '' ? './' : `./${path}`));
  const isUsual = rest.every((path) => USUAL.test(path));
  if (own === -1) {
    if (rest.length === 0) return [];
    const { name, description } = about;
    const entry = { name, source: './', description, ...(isUsual ? {} : { skills: named }) };
    return [{ at: ['plugins', plugins.length], value: entry }];
  }
  const { skills } = plugins[own] ?? {};
  if (skills === undefined && isUsual) return [];
  const present = listOf(skills);
  const kept = present.filter((path) => rest.some((each) => isNamedBy(each, plain(path))));
  const missing = named.filter((path) => !present.some((each) => isNamedBy(plain(path), plain(each))));
  if (missing.length === 0 && kept.length === present.length && skills !== undefined) return [];
  return [{ at: ['plugins', own, 'skills'], value: [...kept, ...missing] }];
}

/** Does the plugin contain the skill at this path? */
function brings(plugin: JsonObject, path: string): boolean {
  const root = rootOf(plugin);
  if (root === undefined) return false;
  const inside = root === '' ? path : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
  if (inside === undefined) return path === root;
  const { skills } = plugin;
  return skills === undefined ? USUAL.test(inside) : listOf(skills).some((named) => isNamedBy(inside, plain(named)));
}

/** A list names a skill, or a folder of skills. */
function isNamedBy(path: string, named: string): boolean {
  return path === named || path.slice(0, path.lastIndexOf('/') + 1) === `${named}/`;
}

/** A plugin's folder in this repository; undefined for one elsewhere. */
function rootOf({ source }: JsonObject): string | undefined {
  const path = isJsonObject(source) && source['source'] === 'local' ? source['path'] : source;
  return typeof path === 'string' && !path.includes(':') ? plain(path) : undefined;
}

function listOf(skills: unknown): readonly string[] {
  if (typeof skills === 'string') return [skills];
  return Array.isArray(skills) ? skills.filter((path) => typeof path === 'string') : [];
}

/** `./a/` is `a`, and `./` the repository itself. */
function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
