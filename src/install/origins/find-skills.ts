import type { Diagnostic, DiagnosticCode, Severity } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import type { TreeEntry } from '../../platform/repository/repository.ts';
import { openFolderTree, type FolderTree } from './folder-tree.ts';
import { findPlaces, type Place, type ReadEntry } from './skill-places.ts';

/** A skill of a repository that could be installed. */
export interface FoundSkill {
  /** The frontmatter's `name`, else the folder's; hostile until it is checked by the rules for names. */
  readonly name: string;
  /** Its folder, from the repository's root; empty for the root itself. */
  readonly path: string;
  /** Its SKILL.md, from the repository's root. */
  readonly file: string;
  readonly description: string;
}

export interface FoundSkills {
  /** In the order of the places where skills are looked for, then by path. */
  readonly skills: readonly FoundSkill[];
  /** Every SKILL.md that is none of them, with the reason; paths are from the repository's root. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface FindOptions {
  readonly entries: readonly TreeEntry[];
  readonly read: ReadEntry;
  /** What a skill at the root is called if it does not say so itself. */
  readonly repositoryName: string;
  /** Only below this folder, which then counts as the root. */
  readonly path?: string | undefined;
}

/** How many skills one repository is believed to have. */
export const MAX_FOUND_SKILLS = 2_000;

/** Where the skills of a repository are, by the usual layouts and by its manifests, and which of them are skills. */
export async function findSkills({ entries, read, repositoryName, path = '' }: FindOptions): Promise<FoundSkills> {
  const tree = openFolderTree(entries);
  const { places, diagnostics } = await findPlaces(tree, read, path);
  const { outer, inner } = separate(places);
  const skills = new Map<string, FoundSkill>();
  const found: Diagnostic[] = [...diagnostics, ...inner];
  for (const place of outer.slice(0, MAX_FOUND_SKILLS)) {
    const parsed = await parsePlace(place, { tree, read, repositoryName });
    found.push(...parsed.diagnostics);
    const { skill } = parsed;
    const twin = skill === undefined ? undefined : skills.get(skill.name);
    if (skill !== undefined && twin === undefined) skills.set(skill.name, skill);
    if (skill !== undefined && twin !== undefined)
      found.push(report({ code: 'SHADOWED', path: skill.file }, `${twin.file} has the same name and comes first`));
  }
  if (tree.unseen > 0)
    found.push(report({ code: 'SCAN_LIMIT', path }, `${tree.unseen} files lie too deep to be looked at`));
  if (outer.length > MAX_FOUND_SKILLS)
    found.push(
      report({ code: 'SCAN_LIMIT', path }, `there are ${outer.length} skills; ${MAX_FOUND_SKILLS} are looked at`),
    );
  return { skills: [...skills.values()], diagnostics: [...found, ...findMisplaced(tree, outer, path)] };
}

/** A skill inside the folder of another is a part of that one. */
function separate(places: readonly Place[]): {
  readonly outer: readonly Place[];
  readonly inner: readonly Diagnostic[];
} {
  const folders = new Set(places.map(({ path }) => path));
  const holderOf = (path: string): string | undefined => foldersAbove(path).find((above) => folders.has(above));
  const inner = places.flatMap(({ path, file }) => {
    const holder = holderOf(path);
    const where = holder === '' ? 'the root' : holder;
    return holder === undefined
      ? []
      : [report({ code: 'MISPLACED_SKILL', path: file, severity: 'info' }, `it is a part of the skill in ${where}`)];
  });
  return { outer: places.filter(({ path }) => holderOf(path) === undefined), inner };
}

/** Of `a/b/c`: the root, `a`, `a/b`. */
function foldersAbove(path: string): readonly string[] {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, at) => segments.slice(0, at).join('/'));
}

interface ParseContext {
  readonly tree: FolderTree;
  readonly read: ReadEntry;
  readonly repositoryName: string;
}

interface ParsedPlace {
  readonly skill?: FoundSkill;
  readonly diagnostics: readonly Diagnostic[];
}

async function parsePlace({ path, file }: Place, { tree, read, repositoryName }: ParseContext): Promise<ParsedPlace> {
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
  const parsed = parseSkill(content.bytes, { dir: path === '' ? repositoryName : path, file });
  if (!parsed.ok) return { diagnostics: parsed.diagnostics };
  const { name, description, diagnostics } = parsed.skill;
  // The folder of a clone is called anything; where it is installed, it is called like the skill.
  const own = path === '' ? diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH') : diagnostics;
  return { skill: { name, path, file, description }, diagnostics: own };
}

const MAX_MISPLACED = 20;

/** Whoever wants one of these names its folder. */
function findMisplaced(tree: FolderTree, places: readonly Place[], root: string): readonly Diagnostic[] {
  const known = new Set(places.map(({ path }) => path));
  const isKnown = (folder: string): boolean => [...foldersAbove(folder), folder].some((above) => known.has(above));
  const files = tree
    .folders()
    .filter((folder) => (root === '' || folder === root || folder.startsWith(`${root}/`)) && !isKnown(folder))
    .flatMap((folder) => {
      const name = findSkillFile(tree.names(folder));
      return name === undefined ? [] : [folder === '' ? name : `${folder}/${name}`];
    });
  const message = 'it does not lie where skills are looked for; name its folder to install it';
  const reports = files
    .slice(0, MAX_MISPLACED)
    .map((file) => report({ code: 'MISPLACED_SKILL', path: file, severity: 'info' }, message));
  const more = files.length - reports.length;
  return more > 0
    ? [...reports, report({ code: 'SCAN_LIMIT', path: root, severity: 'info' }, `and ${more} more like this`)]
    : reports;
}

interface Flaw {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly severity?: Severity;
}

function report({ code, path, severity = 'warning' }: Flaw, message: string): Diagnostic {
  return { code, severity, path, message };
}
