import { dirname } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import type { Skills } from '../engine/open-skills.ts';
import { openSkillLoader } from '../engine/skill-loading.ts';
import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { readEnvironment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';
import { placeSkill, type Placement } from '../sources/placement.ts';
import type { LiveCatalog } from './visible-skills.ts';

/**
 * The skills that a tool is built over: an engine or a view of it, or a plain list as `discoverSkills`, `loadAll` and
 * `fromFile` return it. A list stays as it is; of two skills with one name, the first counts.
 */
export type SkillPool = Skills | readonly (Skill | SkillDefinition)[];

/** A catalog and the loader of its skills. */
export type LoadableCatalog = LiveCatalog & Pick<Skills, 'loader'>;

export function openPool(pool: SkillPool): LoadableCatalog {
  if ('catalog' in pool) return pool;
  const skills = [...new Map(pool.toReversed().map((skill) => [skill.name, toSkill(skill)])).values()];
  const roots = skills.map(toRoot);
  const catalog: Catalog = { skills, shadowed: [], diagnostics: [], roots };
  return {
    catalog: () => catalog,
    loader: openSkillLoader({ environment: readEnvironment(), catalog: () => catalog }),
  };
}

const GIVEN: Placement = { source: 'given', group: 'Given', level: 'user' };
const NO_STAMP: FileStamp = { mtimeMs: 0, ctimeMs: Number.NaN, size: 0, ino: 0 };

/** A definition has no state, so it counts as usable. */
function toSkill(skill: Skill | SkillDefinition): Skill {
  return 'status' in skill ? skill : placeSkill(skill, GIVEN, NO_STAMP);
}

/** The folder of a project's skill must stay where it was when the list was opened. */
function toRoot({ source, group, level, dir }: Skill): SourceRoot {
  const path = dirname(dir);
  const boundary = level === 'user' ? undefined : realPath(path);
  const rest = { priority: 0, ordinal: 0, requireDescription: false, layout: 'skills' } as const;
  return { id: source, group, level, path, boundary, ...rest };
}
