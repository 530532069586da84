import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../../parse/well-known-index.ts';

/** A skill in a well-known index of version 0.2.0. */
export interface IndexEntry {
  readonly name: string;
  readonly description: string;
  /** A SKILL.md alone, or an archive. */
  readonly type: 'skill-md' | 'archive';
  /** Relative to the address of the index, or whole. */
  readonly url: string;
  /** `sha256:…` of the bytes at the address. */
  readonly digest: string;
  readonly version?: string | undefined;
}

/** Path of an index, relative to a site or a folder of it. */
export const INDEX_FILE: (typeof INDEX_PATHS)[0] = INDEX_PATHS[0];

/** The text of a well-known index of version 0.2.0, by which other programs find and verify skills. */
export function renderIndex(entries: readonly IndexEntry[]): string {
  const skills = entries.map(({ name, description, type, url, digest, version }) => ({
    name,
    description,
    type,
    url,
    digest,
    ...(version !== undefined && { version }),
  }));
  return `${JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills }, undefined, 2)}\n`;
}
