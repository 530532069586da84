import type { SkillLoader } from '../activate/loader.ts';
import { readResource, type ResourceContent } from '../activate/resources.ts';
import { formatSkillUrl, parseSkillUrl } from '../activate/skill-url.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import { isModelVisible, listVisible } from '../catalog/view.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { Usage } from '../usage/usage.ts';
import { MANIFEST_NAME, openPublisher, pathOnDisk, type PublishedFile, type PublishedSkill } from './publisher.ts';

/** A file or folder directly inside a folder of a skill. */
export interface LibraryEntry {
  readonly uri: string;
  readonly name: string;
  /** Undefined for a folder. */
  readonly size: number | undefined;
}

/**
 * The skills that a model may know of, as files behind `skill://` URIs that other programs list and read. A URI that
 * could lead elsewhere is refused before any file is opened.
 */
export interface SkillLibrary {
  /** Sorted by name; names are unique. */
  skills(): readonly Skill[];
  /** The URI of a skill's SKILL.md. */
  uriOf(skill: Skill): string;
  /** Fails with the reason if MCP's Skills extension cannot carry the skill. */
  publish(skill: Skill): Outcome<PublishedSkill>;
  /** Fails with the findings if the skill is withheld. */
  admit(skill: Skill): Promise<Outcome>;
  /** The skill whose SKILL.md has exactly this URI. */
  find(uri: string): Skill | undefined;
  /** Reads a listed file, unless its skill is withheld. Reading a SKILL.md counts as a use of the skill. */
  read(uri: string): Promise<Outcome<ResourceContent>>;
  /** The entries of a skill's folder or a folder below it; undefined if the URI is not a folder. */
  directory(uri: string): readonly LibraryEntry[] | undefined;
}

export interface LibraryParts {
  readonly catalog: () => Catalog;
  readonly loader: SkillLoader;
  /** Decides whether the files of a skill may be read. */
  readonly trust: { admit(located: LocatedSkill): Promise<Outcome> };
  /** Records that a skill was loaded. */
  readonly usage: Pick<Usage, 'record'>;
}

export function openSkillLibrary(skills: LibraryParts): SkillLibrary {
  const publisher = openPublisher(({ name }) => skills.loader.locate(name));
  const listed = (): readonly Skill[] =>
    [...listVisible(skills.catalog().skills)].sort((a, b) => compareText(a.name, b.name));
  const locate = (uri: string): { readonly skill: Skill; readonly path: string | undefined } | undefined => {
    const parsed = parseSkillUrl(uri);
    const skill = parsed.ok ? skills.catalog().skills.find(({ name }) => name === parsed.name) : undefined;
    return parsed.ok && skill !== undefined && isModelVisible(skill) ? { skill, path: parsed.path } : undefined;
  };
  return {
    skills: listed,
    uriOf: manifestUri,
    publish: (skill) => publisher.publish(skill),
    async admit({ name }) {
      const located = skills.loader.locate(name);
      return located.ok ? skills.trust.admit(located) : located;
    },
    find(uri) {
      const place = locate(uri);
      return place !== undefined && manifestUri(place.skill) === uri ? place.skill : undefined;
    },
    async read(uri) {
      const place = locate(uri);
      const file = place && publisher.files(place.skill).find(({ path }) => path === place.path);
      if (place === undefined || file === undefined) return UNKNOWN;
      const located = skills.loader.locate(place.skill.name);
      if (!located.ok) return UNKNOWN;
      const admitted = await skills.trust.admit(located);
      if (!admitted.ok) return admitted;
      const read = readResource(located, pathOnDisk(place.skill, file.path));
      if (!read.ok) return UNKNOWN;
      if (file.path === MANIFEST_NAME) await skills.usage.record([{ skill: place.skill.name, kind: 'loaded' }]);
      return { ...read, url: file.uri };
    },
    directory(uri) {
      const place = locate(uri);
      const entries = place && listChildren(place.skill.name, place.path, publisher.files(place.skill));
      return entries?.length === 0 ? undefined : entries;
    },
  };
}

/** The URI under which a skill's SKILL.md is published. */
function manifestUri({ name }: Pick<Skill, 'name'>): string {
  return formatSkillUrl(name, MANIFEST_NAME);
}

const UNKNOWN = fail('RESOURCE_NOT_FOUND', 'this URI is not a file of a skill');

function listChildren(
  name: string,
  folder: string | undefined,
  files: readonly PublishedFile[],
): readonly LibraryEntry[] {
  const prefix = folder === undefined ? '' : `${folder}/`;
  const entries = new Map<string, LibraryEntry>();
  for (const { path, uri, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const [child = '', ...deeper] = path.slice(prefix.length).split('/');
    const isFile = deeper.length === 0;
    entries.set(child, {
      uri: isFile ? uri : formatSkillUrl(name, `${prefix}${child}`),
      name: child,
      size: isFile ? size : undefined,
    });
  }
  return [...entries.values()].sort((a, b) => compareText(a.uri, b.uri));
}
