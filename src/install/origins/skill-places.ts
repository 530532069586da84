import type { Diagnostic } from '../../model/diagnostic.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { joinPath, type FolderTree } from './folder-tree.ts';
import type { NamedPlaces } from './plugin-manifests.ts';

/** Reads an entry of a listing by its id. */
export type ReadEntry = (id: string, maxBytes: number) => Promise<Outcome<{ readonly bytes: Uint8Array }>>;

/** A folder with a SKILL.md. */
export interface RepositoryPlace {
  readonly path: string;
  readonly file: string;
}

export interface FoundPlaces {
  /** Without duplicates, in the order of the layouts. */
  readonly places: readonly RepositoryPlace[];
  readonly diagnostics: readonly Diagnostic[];
}

const MARKETPLACE = '.claude-plugin/marketplace.json';
const PLUGIN_MANIFESTS = ['plugin.json', '.claude-plugin/plugin.json'];
/** Larger files are not read as manifests. */
const MAX_MANIFEST_BYTES: number = 256 * 1024;
/** How many manifests of one repository are read. */
const MAX_MANIFESTS = 200;

/** Finds the folders with a SKILL.md in the usual layouts below `root`, and where the manifests there point. */
export async function findPlaces(tree: FolderTree, read: ReadEntry, root: string): Promise<FoundPlaces> {
  const manifests = openManifests(tree, read);
  const { plugins } = await manifests.read(joinPath(root, MARKETPLACE), 'marketplace');
  const own = await findNamed(tree, manifests, root);
  const sold: string[] = [];
  for (const { path, skills } of plugins) {
    const plugin = joinPath(root, path);
    const named = skills?.flatMap((skill) => orChildren(tree, joinPath(plugin, skill)));
    sold.push(...(named ?? [...findUsual(tree, plugin), ...(await findNamed(tree, manifests, plugin))]));
  }
  const folders = new Set([...findUsual(tree, root), ...own, ...sold, ...findElsewhere(tree, root)]);
  const places = [...folders].flatMap((path) => {
    const name = findSkillFile(tree.names(path));
    return name === undefined ? [] : [{ path, file: joinPath(path, name) }];
  });
  return { places, diagnostics: [...manifests.diagnostics, ...findLinks(tree, root)] };
}

/** The root itself, as a skill, and `skills/*`. */
function findUsual(tree: FolderTree, root: string): readonly string[] {
  return [root, ...tree.subfolders(joinPath(root, 'skills'))];
}

function findElsewhere(tree: FolderTree, root: string): readonly string[] {
  const isShown = (folder: string): boolean => !folder.slice(folder.lastIndexOf('/') + 1).startsWith('.');
  return [
    ...tree.subfolders(joinPath(root, 'plugins')).flatMap((plugin) => tree.subfolders(joinPath(plugin, 'skills'))),
    ...tree.subfolders(root).filter(isShown),
    ...tree.subfolders(joinPath(root, '.claude/skills')),
    ...tree.subfolders(joinPath(root, '.agents/skills')),
  ];
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

async function findNamed(tree: FolderTree, manifests: Manifests, plugin: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const manifest of PLUGIN_MANIFESTS) {
    const { skills } = await manifests.read(joinPath(plugin, manifest), 'plugin');
    found.push(...skills.flatMap((skill) => orChildren(tree, joinPath(plugin, skill))));
  }
  return found;
}

/** A manifest may name a skill or a folder of skills. */
function orChildren(tree: FolderTree, folder: string): readonly string[] {
  return findSkillFile(tree.names(folder)) === undefined ? tree.subfolders(folder) : [folder];
}

interface Manifests {
  read(path: string, kind: 'marketplace' | 'plugin'): Promise<NamedPlaces>;
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
async function parseManifest(text: string, kind: 'marketplace' | 'plugin'): Promise<NamedPlaces> {
  const { parseMarketplace, parsePluginManifest } = await import('./plugin-manifests.ts');
  return kind === 'marketplace' ? parseMarketplace(text) : parsePluginManifest(text);
}
