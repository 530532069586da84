import type { Diagnostic } from '../../model/diagnostic.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { joinPath, type FolderTree } from './folder-tree.ts';
import type { NamedPlaces, NamedPlugin } from './plugin-manifests.ts';

/** Reads an entry of a listing by its id. */
export type ReadEntry = (id: string, maxBytes: number) => Promise<Outcome<{ readonly bytes: Uint8Array }>>;

/** A folder with a SKILL.md. */
export interface RepositoryPlace {
  readonly path: string;
  readonly file: string;
  /** The plugin that contains the skill. */
  readonly plugin: string | undefined;
  /** Is it outside the usual places for skills? */
  readonly isElsewhere: boolean;
}

/** Where skills are looked for: `package` adds the places of npm packages. */
export type SkillLayout = 'repository' | 'package';

export interface FoundPlaces {
  /** Without duplicates, in the order of the layouts; other folders come last, sorted. */
  readonly places: readonly RepositoryPlace[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Claude Code, Codex and Copilot, which looks into several folders; the first one that exists counts. */
const MARKETPLACES = [
  '.claude-plugin/marketplace.json',
  '.agents/plugins/marketplace.json',
  '.cursor-plugin/marketplace.json',
  '.github/plugin/marketplace.json',
  '.plugin/marketplace.json',
  'marketplace.json',
];
/** The first is that of Agent Plugins 1.0. */
const PLUGIN_MANIFESTS = [
  'plugin.json',
  '.claude-plugin/plugin.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  '.github/plugin/plugin.json',
  '.plugin/plugin.json',
];
/** Larger files are not read as manifests. */
const MAX_MANIFEST_BYTES: number = 256 * 1024;
/** How many manifests of one repository are read. */
const MAX_MANIFESTS = 200;

export interface LookOptions {
  /** The folder to look into. */
  readonly root: string;
  readonly layout: SkillLayout;
}

/** Finds folders with a SKILL.md below `root`: in the usual layouts, where manifests point, then anywhere else. */
export async function findPlaces(
  tree: FolderTree,
  read: ReadEntry,
  { root, layout }: LookOptions,
): Promise<FoundPlaces> {
  const manifests = openManifests(tree, read);
  const own = await findOfPlugin(tree, manifests, { path: root });
  const sold: PluginFolder[] = [];
  for (const plugin of await findMarketplace(tree, manifests, root))
    sold.push(...(await findOfPlugin(tree, manifests, { ...plugin, path: joinPath(root, plugin.path) })));
  const packed = layout === 'package' ? await findInPackage(tree, manifests, root) : [];
  const folders = new Map<string, string | undefined>();
  for (const { path, plugin } of [...own, ...sold, ...packed, ...findInUsualFolders(tree, root)])
    if (folders.get(path) === undefined) folders.set(path, plugin);
  const others = tree.folders().filter((path) => isSearched(path, root) && !folders.has(path));
  const places = [...folders, ...others.map((path) => [path, undefined] as const)].flatMap(([path, plugin]) => {
    const name = findSkillFile(tree.names(path));
    if (name === undefined) return [];
    return [{ path, file: joinPath(path, name), plugin, isElsewhere: !folders.has(path) }];
  });
  return { places, diagnostics: [...manifests.diagnostics, ...findLinks(tree, root)] };
}

/** Vendored packages contain skills of their own. */
function isSearched(path: string, root: string): boolean {
  const isBelow = root === '' || path.startsWith(`${root}/`);
  return isBelow && !path.slice(root.length).split('/').includes('node_modules');
}

/** A folder that may contain a skill, and the plugin it belongs to. */
interface PluginFolder {
  readonly path: string;
  readonly plugin?: string | undefined;
}

async function findMarketplace(tree: FolderTree, manifests: Manifests, root: string): Promise<NamedPlaces['plugins']> {
  const file = MARKETPLACES.map((path) => joinPath(root, path)).find((path) => tree.find(path)?.kind === 'file');
  return file === undefined ? [] : (await manifests.read(file, 'marketplace')).plugins;
}

/**
 * The skills that a marketplace lists for a plugin; otherwise the plugin itself, `skills/*`, and the paths in its
 * manifest.
 */
async function findOfPlugin(
  tree: FolderTree,
  manifests: Manifests,
  { name, path: root, skills }: Partial<NamedPlugin> & { readonly path: string },
): Promise<readonly PluginFolder[]> {
  const listed = skills?.flatMap((skill) => orChildren(tree, joinPath(root, skill)));
  if (listed !== undefined) return listed.map((path) => ({ path, plugin: name }));
  const named: string[] = [];
  let plugin = name;
  for (const manifest of PLUGIN_MANIFESTS) {
    const found = await manifests.read(joinPath(root, manifest), 'plugin');
    plugin ??= found.name;
    named.push(...found.skills.flatMap((skill) => orChildren(tree, joinPath(root, skill))));
  }
  const usual = [root, ...tree.subfolders(joinPath(root, 'skills'))];
  return [...usual, ...named].map((path) => ({ path, plugin }));
}

async function findInPackage(tree: FolderTree, manifests: Manifests, root: string): Promise<readonly PluginFolder[]> {
  const { skills } = await manifests.read(joinPath(root, 'package.json'), 'package');
  const named = skills.flatMap((skill) => orChildren(tree, joinPath(root, skill)));
  return [...named, ...tree.subfolders(joinPath(root, 'dist/skills'))].map((path) => ({ path }));
}

function findInUsualFolders(tree: FolderTree, root: string): readonly PluginFolder[] {
  const isShown = (folder: string): boolean => !folder.slice(folder.lastIndexOf('/') + 1).startsWith('.');
  const plugins = tree.subfolders(joinPath(root, 'plugins')).flatMap((folder) => {
    const plugin = folder.slice(folder.lastIndexOf('/') + 1);
    return tree.subfolders(joinPath(folder, 'skills')).map((path) => ({ path, plugin }));
  });
  const others = [
    ...tree.subfolders(root).filter(isShown),
    ...tree.subfolders(joinPath(root, '.claude/skills')),
    ...tree.subfolders(joinPath(root, '.agents/skills')),
  ];
  return [...plugins, ...others.map((path) => ({ path }))];
}

/** Many repositories link one agent's folder to another's. Links are not followed: the skills are found at the target. */
function findLinks(tree: FolderTree, root: string): readonly Diagnostic[] {
  const folders = ['skills', '.claude/skills', '.agents/skills'].map((folder) => joinPath(root, folder));
  const paths = folders.flatMap((folder) => [folder, ...tree.names(folder).map((name) => joinPath(folder, name))]);
  return paths.flatMap((path): readonly Diagnostic[] => {
    const kind = tree.find(path)?.kind;
    const what = kind === 'link' ? 'a link' : 'a submodule';
    if (kind !== 'link' && kind !== 'submodule') return [];
    return [{ code: 'LINK_REFUSED', severity: 'info', path, message: `it is ${what}, which is not followed` }];
  });
}

/** A manifest may name a skill or a folder of skills. */
function orChildren(tree: FolderTree, folder: string): readonly string[] {
  return findSkillFile(tree.names(folder)) === undefined ? tree.subfolders(folder) : [folder];
}

type ManifestKind = 'marketplace' | 'plugin' | 'package';

interface Manifests {
  read(path: string, kind: ManifestKind): Promise<NamedPlaces>;
  readonly diagnostics: readonly Diagnostic[];
}

const TOO_MANY = fail('INSTALL_FAILED', `it was not read: the limit is ${MAX_MANIFESTS} manifests`);
const NOTHING: NamedPlaces = { skills: [], plugins: [], problems: [] };

function openManifests(tree: FolderTree, read: ReadEntry): Manifests {
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  return {
    diagnostics,
    async read(path, kind) {
      const entry = tree.find(path);
      if (entry?.kind !== 'file') return NOTHING;
      count += 1;
      const content = count > MAX_MANIFESTS ? TOO_MANY : await read(entry.id, MAX_MANIFEST_BYTES);
      const named = content.ok
        ? await parseManifest(Buffer.from(content.bytes).toString(), kind)
        : { ...NOTHING, problems: [content.message] };
      for (const message of named.problems)
        diagnostics.push({ code: 'FILE_REFUSED', severity: 'warning', path, message });
      return named;
    },
  };
}

/** Lazy: most repositories have no manifest, and the schema library is large. */
async function parseManifest(text: string, kind: ManifestKind): Promise<NamedPlaces> {
  const { parseMarketplace, parsePackageManifest, parsePluginManifest } = await import('./plugin-manifests.ts');
  const parsers = { marketplace: parseMarketplace, plugin: parsePluginManifest, package: parsePackageManifest };
  return parsers[kind](text);
}
