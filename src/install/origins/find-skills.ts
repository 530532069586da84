import type { Diagnostic, DiagnosticCode, Severity } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { Outcome } from '../../model/outcome.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import type { Repository, TreeEntry } from '../../platform/repository/repository.ts';
import { openFolderTree, type FolderTree } from './folder-tree.ts';
import { findPlaces, type ReadEntry, type RepositoryPlace, type SkillLayout } from './skill-places.ts';

/** A skill of a repository that could be installed. */
export interface RepositorySkill {
  /**
   * The frontmatter's `name`, or else the folder's; `plugin:name` if several plugins contain a skill of that name.
   * Hostile until checked against the name rules.
   */
  readonly name: string;
  /** Its folder, relative to the repository's root; empty for the root itself. */
  readonly path: string;
  /** Its SKILL.md, relative to the repository's root. */
  readonly file: string;
  readonly description: string;
  /** The plugin that contains it, according to a marketplace or plugin manifest. */
  readonly plugin?: string | undefined;
  /** True outside the usual skill folders. */
  readonly isElsewhere?: boolean | undefined;
}

export interface RepositorySkills {
  /** In the order of the layouts that were searched, then by path; those outside the usual places come last. */
  readonly skills: readonly RepositorySkill[];
  /** Every SKILL.md that gives no skill, and every flaw of those that do; paths are relative to the root. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Where to look in a repository. */
export interface SearchedFolder {
  /** The name of a skill at the root that does not name itself. */
  readonly name: string;
  /** Search only this folder, as if it were the root. */
  readonly path?: string | undefined;
  /** By default, that of a repository. */
  readonly layout?: SkillLayout | undefined;
}

/** Finds the skills of a repository, which may be none. */
export async function findInRepository(
  repository: Repository,
  where: SearchedFolder,
): Promise<Outcome<RepositorySkills>> {
  const listed = await repository.listTree();
  if (!listed.ok) return listed;
  const { entries } = listed;
  const read: ReadEntry = (id, maxBytes) => repository.readBlob(id, maxBytes);
  return { ok: true, ...(await findSkills({ ...where, entries, read })) };
}

export interface FindOptions extends SearchedFolder {
  readonly entries: readonly TreeEntry[];
  readonly read: ReadEntry;
}

/** How many skills of one repository are read. */
export const MAX_FOUND_SKILLS = 2_000;

/** Finds all skills: first where the usual layouts and the manifests of the repository put them, then in other folders. */
export async function findSkills(options: FindOptions): Promise<RepositorySkills> {
  const { entries, read, name: repositoryName, path = '', layout = 'repository' } = options;
  const tree = openFolderTree(entries);
  const { places, diagnostics } = await findPlaces(tree, read, { root: path, layout });
  const { outer, inner } = separate(places);
  const all: RepositorySkill[] = [];
  const found: Diagnostic[] = [...diagnostics, ...inner];
  // Every package is wrapped in a folder of the same name.
  const rootPath = layout === 'package' ? path : '';
  const context = { tree, read, repositoryName, rootPath };
  for (const place of outer.slice(0, MAX_FOUND_SKILLS)) {
    const parsed = await parsePlace(place, context);
    found.push(...parsed.diagnostics);
    if (parsed.skill !== undefined) all.push(parsed.skill);
  }
  const skills = new Map<string, RepositorySkill>();
  for (const skill of qualifyNames(all)) {
    const twin = skills.get(skill.name);
    if (twin === undefined) skills.set(skill.name, skill);
    else {
      const severity = skill.isElsewhere === true ? 'info' : 'warning';
      const message = `${twin.file} has the same name and comes first`;
      found.push(report({ code: 'SHADOWED', path: skill.file, severity }, message));
    }
  }
  if (tree.unseen > 0)
    found.push(report({ code: 'SCAN_LIMIT', path }, `${tree.unseen} files are nested too deep and were not read`));
  if (outer.length > MAX_FOUND_SKILLS)
    found.push(
      report(
        { code: 'SCAN_LIMIT', path },
        `there are ${outer.length} skills; only the first ${MAX_FOUND_SKILLS} are read`,
      ),
    );
  return { skills: [...skills.values()], diagnostics: found };
}

/** Names skills `plugin:skill` if different plugins bring skills of the same name. */
function qualifyNames(skills: readonly RepositorySkill[]): readonly RepositorySkill[] {
  const plugins = new Map<string, Set<string | undefined>>();
  for (const { name, plugin } of skills) plugins.set(name, (plugins.get(name) ?? new Set()).add(plugin));
  return skills.map((skill) => {
    const isShared = (plugins.get(skill.name)?.size ?? 0) > 1;
    return isShared && skill.plugin !== undefined ? { ...skill, name: `${skill.plugin}:${skill.name}` } : skill;
  });
}

/** A skill inside another skill's folder belongs to that skill. */
function separate(places: readonly RepositoryPlace[]): {
  readonly outer: readonly RepositoryPlace[];
  readonly inner: readonly Diagnostic[];
} {
  const folders = new Set(places.map(({ path }) => path));
  const holderOf = (path: string): string | undefined => foldersAbove(path).find((above) => folders.has(above));
  const inner = places.flatMap(({ path, file }) => {
    const holder = holderOf(path);
    const where = holder === '' ? 'the root' : holder;
    return holder === undefined
      ? []
      : [report({ code: 'MISPLACED_SKILL', path: file, severity: 'info' }, `it is part of the skill in ${where}`)];
  });
  return { outer: places.filter(({ path }) => holderOf(path) === undefined), inner };
}

/** For `a/b/c`: the root, `a`, `a/b`. */
function foldersAbove(path: string): readonly string[] {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, at) => segments.slice(0, at).join('/'));
}

interface ParseContext {
  readonly tree: FolderTree;
  readonly read: ReadEntry;
  readonly repositoryName: string;
  /** A skill in this folder is called like the repository if it does not name itself. */
  readonly rootPath: string;
}

interface ParsedPlace {
  readonly skill?: RepositorySkill;
  readonly diagnostics: readonly Diagnostic[];
}

async function parsePlace(
  { path, file, plugin, isElsewhere }: RepositoryPlace,
  { tree, read, repositoryName, rootPath }: ParseContext,
): Promise<ParsedPlace> {
  const entry = tree.find(file);
  if (entry?.kind !== 'file') {
    const code = entry?.kind === 'link' ? 'LINK_REFUSED' : 'FILE_REFUSED';
    return {
      diagnostics: [report({ code, path: file, severity: 'error' }, 'it is not a regular file')],
    };
  }
  const content = await read(entry.id, MAX_SKILL_FILE_BYTES);
  if (!content.ok)
    return { diagnostics: [report({ code: 'FILE_UNREADABLE', path: file, severity: 'error' }, content.message)] };
  const parsed = parseSkill(content.bytes, { dir: path === rootPath ? repositoryName : path, file });
  if (!parsed.ok) return { diagnostics: parsed.diagnostics };
  const { name, description, diagnostics } = parsed.skill;
  // A clone's folder can have any name; the installed folder gets the skill's name.
  const own = path === rootPath ? diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH') : diagnostics;
  const where = { ...(plugin === undefined ? {} : { plugin }), ...(isElsewhere ? { isElsewhere } : {}) };
  return { skill: { name, path, file, description, ...where }, diagnostics: own };
}

interface Flaw {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly severity?: Severity;
}

function report({ code, path, severity = 'warning' }: Flaw, message: string): Diagnostic {
  return { code, severity, path, message };
}

/** A name for a skill that does not name itself, from the last part of an address. */
export function suggestName(last: string): string {
  const name = last
    .replace(/\.git$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return name.replaceAll(/^-|-$/g, '').slice(0, 64) || 'skill';
}
