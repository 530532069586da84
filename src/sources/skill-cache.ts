import { freezeDeep } from '../model/freeze.ts';
import { parseOwnJson } from '../model/json.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readOwnBytes } from '../platform/files/files.ts';
import { replaceFile } from '../platform/files/replace-file.ts';

/** A SKILL.md as it was read. A broken skill is one, too. */
export interface ReadSkill {
  readonly skill: Skill;
  /** The length of its frontmatter if that had to be repaired, else 0; see `ROOT_REPAIRS`. */
  readonly repaired: number;
}

/** The skills that were read in one source root, by the path of their file. */
export type ReadSkills = ReadonlyMap<string, ReadSkill>;

/** Raise the second part if parsing gives other records without a release. */
const CACHE_VERSION = `${VERSION}-21`;

/** The skills that an earlier process read in this root. A file that is damaged or of another version counts as missing. */
export function loadSkillCache(agentHome: string, root: SourceRoot): ReadSkills {
  const content = parseOwnJson(readOwnBytes(fileOf(agentHome, root))?.toString() ?? '');
  const isOurs = typeof content === 'object' && content !== null && 'owner' in content && 'read' in content;
  if (!isOurs || content.owner !== ownerOf(root) || !Array.isArray(content.read)) return new Map();
  // The same version of this code wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const read = content.read as readonly ReadSkill[];
  return new Map(read.map((one) => [one.skill.file, freezeDeep(one)]));
}

/** Saves them for the next process. A failure to write only costs time. */
export function saveSkillCache(agentHome: string, root: SourceRoot, read: ReadSkills): void {
  const content = JSON.stringify({ owner: ownerOf(root), read: [...read.values()] });
  replaceFile(fileOf(agentHome, root), content, { isPrivate: true, isLosable: true });
}

function fileOf(agentHome: string, root: SourceRoot): string {
  return cacheFile(agentHome, 'skills', subjectOf(root));
}

function ownerOf(root: SourceRoot): string {
  return `${CACHE_VERSION} ${subjectOf(root)}`;
}

/** Everything about a root that its records depend on. */
function subjectOf({ path, id, group, level, only }: SourceRoot): string {
  return JSON.stringify([path, id, group, level, only]);
}
