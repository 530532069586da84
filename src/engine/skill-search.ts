import { dirname } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import type { Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { breathe } from '../platform/clock.ts';
import { readOwnBytes, writeWhole } from '../platform/files.ts';
import { cacheFile, forgetOldCaches } from '../platform/remember.ts';
import { openIndexBuilder, type IndexBuilder } from '../select/index-builder.ts';
import { decodeIndex, encodeIndex } from '../select/index-file.ts';
import { SkillRegistry } from '../select/registry.ts';
import { EMPTY_INDEX, type SearchIndex } from '../select/search-index.ts';
import { readBody } from '../sources/from-file.ts';

/** Keeps the search index up to date with the catalog, in memory and in the cache folder. */
export interface SkillSearch {
  /**
   * The registry of a catalog's usable skills. Where thousands are new it knows their names and descriptions first;
   * `complete` reads the rest.
   */
  registryOf(catalog: Catalog): SkillRegistry;
  /** Reads what the registry does not know yet, a few skills at a time; `onRead` hears how many are left. */
  complete(catalog: Catalog, onRead?: (left: number) => void): Promise<void>;
  /** Keeps the index for the next process. Failing to write only costs time. */
  save(): void;
}

/** As many new skills are read at once, in some tenths of a second; between as many others may work. */
const AT_ONCE = 1_000;
const SLICE = 64;

export function openSkillSearch(agentHome: string): SkillSearch {
  const opened = new WeakMap<Catalog, { registry: SkillRegistry; readonly pending: Pending | undefined }>();
  let saved: SearchIndex | undefined;
  let index: SearchIndex | undefined;
  let subject = '';

  const open = (catalog: Catalog): { registry: SkillRegistry; readonly pending: Pending | undefined } => {
    const known = opened.get(catalog);
    if (known !== undefined) return known;
    const skills = catalog.skills.filter(({ status }) => status === 'enabled');
    subject = subjectOf(skills);
    index ??= saved = readIndex(agentHome, subject);
    const builder = openIndexBuilder(index, skills);
    const isSmall = builder.missing.length <= AT_ONCE;
    if (isSmall) for (const skill of builder.missing) builder.add(skill, readBody(skill));
    index = builder.build();
    const entry = { registry: SkillRegistry.over(skills, index), pending: isSmall ? undefined : { builder, skills } };
    opened.set(catalog, entry);
    return entry;
  };

  return {
    registryOf: (catalog) => open(catalog).registry,
    async complete(catalog, onRead) {
      const { pending } = open(catalog);
      if (pending === undefined) return;
      await readPending(pending.builder, onRead);
      index = pending.builder.build();
      opened.set(catalog, { registry: SkillRegistry.over(pending.skills, index), pending: undefined });
    },
    save() {
      if (index === undefined || index === saved) return;
      writeWhole(cacheFile(agentHome, 'search', subject), encodeIndex(index, ownerOf(subject)));
      forgetOldCaches(agentHome, 'search');
      saved = index;
    },
  };
}

interface Pending {
  readonly builder: IndexBuilder;
  readonly skills: readonly Skill[];
}

async function readPending(builder: IndexBuilder, onRead?: (left: number) => void): Promise<void> {
  for (const [at, skill] of builder.missing.entries()) {
    builder.add(skill, readBody(skill));
    if (at % SLICE !== 0) continue;
    onRead?.(builder.missing.length - at);
    await breathe();
  }
}

/** Projects with the same places of skills share an index. */
function subjectOf(skills: readonly Skill[]): string {
  return [...new Set(skills.map(({ dir }) => dirname(dir)))].sort().join('\0');
}

/** Raise the second part when what is kept of a skill changes without a release. */
function ownerOf(subject: string): string {
  return `${VERSION}-1 ${subject}`;
}

function readIndex(agentHome: string, subject: string): SearchIndex {
  const bytes = readOwnBytes(cacheFile(agentHome, 'search', subject));
  return (bytes === undefined ? undefined : decodeIndex(bytes, ownerOf(subject))) ?? EMPTY_INDEX;
}
