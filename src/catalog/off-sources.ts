import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { isFile, listDirectory } from '../platform/files/files.ts';
import type { ScannedSkills } from '../sources/command-files.ts';
import { resolveSources } from '../sources/resolve.ts';
import { sourceTable } from '../sources/table.ts';
import type { Catalog } from './catalog.ts';
import { findSkill } from './find.ts';

/** A known skill folder whose source is off by default. */
export interface OffSource {
  readonly source: string;
  readonly path: string;
  /** Names of the folders in it that have a SKILL.md. */
  readonly skills: readonly string[];
}

/** The folders of other agents whose skills are not used because their source is off by default. */
export function findOffSources({ environment, catalog }: ScannedSkills): readonly OffSource[] {
  const { config } = catalog().reading;
  // Sources that the configuration turns off are not wanted.
  const { off } = resolveSources({ ...config, disabledSources: [] }, environment);
  return off
    .map((root) => ({ source: root.id, path: root.path, skills: listSkillFolders(root) }))
    .filter(({ skills }) => skills.length > 0);
}

/** Finds a skill in the catalog. If it is only in a folder that is turned off, the failure says so. */
export function findInCatalog({ skills, off = [] }: Catalog, name: string): Outcome<{ readonly skill: Skill }> {
  const found = findSkill(skills, name);
  return found.ok ? found : (explainOff(name, off) ?? found);
}

/** Says which of these folders contains a skill, and how to turn the folder on; undefined if none does. */
export function explainOff(name: string, off: readonly SourceRoot[]): Failure | undefined {
  for (const root of off) {
    const folder = listSkillFolders(root).find((known) => foldName(known) === foldName(name));
    if (folder === undefined) continue;
    const isDefault = sourceTable.some((row) => row.id === root.id && row.isDefault);
    return fail(
      'SKILL_NOT_FOUND',
      `"${folder}" is in ${root.path}, but that folder is turned off (${root.id})`,
      isDefault
        ? { ask: 'user', to: 'Remove it from `disabledSources`; see which file with `skillplane config list`.' }
        : { set: 'enabledSources', add: root.id },
    );
  }
  return undefined;
}

function listSkillFolders({ path, layout }: SourceRoot): readonly string[] {
  const listing = layout === 'skills' ? listDirectory(path) : undefined;
  if (listing?.state !== 'listed') return [];
  return listing.entries.map(({ name }) => name).filter((name) => isFile(join(path, name, 'SKILL.md')));
}
