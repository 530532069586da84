import { placeSkill, type Skill } from 'skillplane';

import { newestOf, byVersion } from '../store/served.ts';
import type { Tag, Version } from '../store/versions.ts';

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

/** Puts the served versions of one skill together; undefined if there are none. */
export function toServedSkill(versions: readonly Version[], tags: readonly Tag[]): ServedSkill | undefined {
  const [first] = versions;
  if (first === undefined) return undefined;
  const { scope, name } = first;
  const tagged = versions.find(
    ({ version, state }) =>
      state === 'published' && tags.some((one) => one.tag === 'latest' && one.version === version),
  );
  const latest = tagged ?? newestOf(versions);
  const isServed = new Set(versions.filter(({ state }) => state === 'published').map(({ version }) => version));
  return {
    scope,
    name,
    versions: versions.toSorted((a, b) => byVersion(b, a)).map(toServedVersion),
    tags: Object.fromEntries(
      tags.filter(({ version }) => isServed.has(version)).map(({ tag, version }) => [tag, version]),
    ),
    latest: latest && toServedVersion(latest),
    skill: latest && toSkill(latest),
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
}: Version): ServedVersion {
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
function toSkill(version: Version): Skill {
  const { id, scope, manifest } = version;
  const key = keyOf(version);
  return placeSkill(
    { ...manifest, version: version.version, id: key, dir: key, file: `${key}/SKILL.md`, diagnostics: [] },
    { source: `@${scope}`, group: `@${scope}`, level: 'project' },
    { mtimeMs: id, ctimeMs: 0, size: 0, ino: 0 },
  );
}
