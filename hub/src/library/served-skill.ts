import type { Skill } from 'skillplane';
import { placeSkill } from 'skillplane/internal';

import { newestOf, byVersion } from '../store/served.ts';
import type { ListedRow, Manifest, SkillKey, Tag } from '../store/versions.ts';

/** A version that readers may see; a yanked one is only for those who have it. */
export interface ServedVersion {
  readonly id: number;
  readonly version: string;
  readonly digest: string;
  readonly archive: string;
  readonly state: 'published' | 'yanked';
  readonly reason: string | null;
  readonly publishedBy: string;
  readonly publishedAt: string;
}

/** A skill with all versions that readers may see. */
export interface ServedSkill {
  readonly scope: string;
  readonly name: string;
  /** The newest first. */
  readonly versions: readonly ServedVersion[];
  readonly tags: Readonly<Record<string, string>>;
  /** The version that is found and loaded unless another one is asked for; undefined if all are yanked. */
  readonly latest: ServedVersion | undefined;
  /** The latest version as searching and listing take it; undefined if there is none. */
  readonly skill: Skill | undefined;
}

export function keyOf({ scope, name }: { readonly scope: string; readonly name: string }): string {
  return `@${scope}/${name}`;
}

/** The version that is tagged so, else the newest; undefined if all are yanked. */
export function chooseLatest(versions: readonly ListedRow[], tags: readonly Tag[]): ListedRow | undefined {
  const number = tags.find(({ tag }) => tag === 'latest')?.version;
  return versions.find(({ version, state }) => state === 'published' && version === number) ?? newestOf(versions);
}

export interface ServedRows {
  readonly versions: readonly ListedRow[];
  readonly tags: readonly Tag[];
  readonly latest: ListedRow | undefined;
  readonly manifest: Manifest | undefined;
}

/** Puts the served versions of one skill together. */
export function toServedSkill(
  { scope, name }: SkillKey,
  { versions, tags, latest, manifest }: ServedRows,
): ServedSkill {
  const served = new Map(versions.toSorted((a, b) => byVersion(b, a)).map((row) => [row, toServedVersion(row)]));
  const isServed = new Set(versions.filter(({ state }) => state === 'published').map(({ version }) => version));
  return {
    scope,
    name,
    versions: [...served.values()],
    tags: Object.fromEntries(
      tags.filter(({ version }) => isServed.has(version)).map(({ tag, version }) => [tag, version]),
    ),
    latest: latest && served.get(latest),
    skill: latest && manifest && toSkill({ scope, name }, latest, manifest),
  };
}

function toServedVersion({
  id,
  version,
  digest,
  archive,
  state,
  reason,
  publishedBy,
  publishedAt,
}: ListedRow): ServedVersion {
  return {
    id,
    version,
    digest,
    archive,
    state: state === 'yanked' ? 'yanked' : 'published',
    reason,
    publishedBy,
    publishedAt,
  };
}

/** Versions never change, so the id of a version is stamp enough. */
export function toSkill(
  skill: SkillKey,
  { id, version }: Pick<ServedVersion, 'id' | 'version'>,
  manifest: Manifest,
): Skill {
  const key = keyOf(skill);
  return placeSkill(
    { ...manifest, version, id: key, dir: key, file: fileOf(skill), diagnostics: [] },
    { source: `@${skill.scope}`, group: `@${skill.scope}`, level: 'project' },
    { mtimeMs: id, ctimeMs: 0, size: 0, ino: 0 },
  );
}

/** The file by which an index knows a skill. */
function fileOf(skill: SkillKey): string {
  return `${keyOf(skill)}/SKILL.md`;
}

/** The manifest that `toSkill` makes the same skill of. */
export function toManifest(skill: Skill): Manifest {
  const { dir: _, file: __, diagnostics: ___, source: ____, group, level, stamp, ...rest } = skill;
  const { enabled, available, status, reasons, unavailableReason, shadows, shadowedBy, ...manifest } = rest;
  return manifest;
}
