import { dirname } from 'node:path';

import { SkillLoader } from '../activate/loader.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { locateSkill, type LocatedSkill } from '../catalog/locate.ts';
import { openTrust } from '../catalog/trust.ts';
import { readConfig } from '../config/read-config.ts';
import { openAuditVerdicts } from '../engine/audit-verdicts.ts';
import type { Skills } from '../engine/open-skills.ts';
import { openSkillServing } from '../engine/skill-loading.ts';
import { openSkillTrust } from '../engine/skill-trust.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill, SkillDefinition } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { readEnvironment, type Environment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';
import { placeSkill, type Placement } from '../sources/place-skill.ts';
import type { LiveCatalog } from './visible-skills.ts';

/**
 * The skills that a tool is built over: an engine or a view of it, or a plain list as `discoverSkills`, `loadAll` and
 * `fromFile` return it. A list stays as it is; of two skills with one name, the first counts.
 */
export type SkillPool = Skills | readonly (Skill | SkillDefinition)[];

/** A catalog whose skills models may read. */
export type LoadableCatalog = LiveCatalog & Pick<Skills, 'serving'>;

export function openPool(pool: SkillPool): LoadableCatalog {
  if ('catalog' in pool) return pool;
  const skills = [...new Map(pool.toReversed().map((skill) => [skill.name, toSkill(skill)])).values()];
  const environment = readEnvironment();
  const reading = readConfig(environment);
  const catalog: Catalog = { skills, shadowed: [], diagnostics: [], roots: skills.map(toRoot), reading };
  const locate = openLocator(catalog, environment);
  const loader = new SkillLoader({ find: (name) => findSkill(skills, name), locate });
  const verdicts = openAuditVerdicts(environment.agentHome);
  const trust = openSkillTrust({
    trust: openTrust(environment.agentHome),
    environment,
    config: () => reading,
    catalog: () => catalog,
    verdicts,
  });
  return { catalog: () => catalog, serving: openSkillServing(loader, trust) };
}

const GIVEN: Placement = { source: 'given', group: 'Given', level: 'user' };

/** A definition has no state, so it counts as usable. */
function toSkill(skill: Skill | SkillDefinition): Skill {
  return 'status' in skill ? skill : placeSkill(skill, GIVEN);
}

function toRoot({ source, group, level, dir }: Skill): SourceRoot {
  const rest = { priority: 0, ordinal: 0, requireDescription: false, layout: 'skills', boundary: undefined } as const;
  return { id: source, group, level, path: dirname(dir), ...rest };
}

/** A user may move folders behind links. The folders of others must stay where they were when the list was opened. */
function openLocator(
  { roots }: Catalog,
  { userId }: Pick<Environment, 'userId'>,
): (skill: Skill) => Outcome<LocatedSkill> {
  const fixed = roots.filter(({ level }) => level !== 'user').map(({ path }) => path);
  const before = new Map([...new Set(fixed)].map((path) => [path, realPath(path)]));
  return (skill) => {
    const path = dirname(skill.dir);
    return before.has(path) && realPath(path) !== before.get(path)
      ? fail('PATH_REFUSED', `the folder of the skill "${skill.name}" is no longer where it was`)
      : locateSkill(skill, { roots, userId });
  };
}
