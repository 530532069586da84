import { SkillLoader } from '../activate/loader.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { locateSkill } from '../catalog/locate.ts';
import type { Environment } from '../platform/environment.ts';
import type { Usage } from '../usage/usage.ts';

/** What loading needs to know of the skills that were opened. */
export interface OpenedSkills {
  readonly environment: Pick<Environment, 'userId'>;
  readonly catalog: () => Catalog;
  /** Without it nothing is recorded. */
  readonly usage?: Pick<Usage, 'record'>;
}

/** Loads skills of the catalog as it is at the time, and records that they were loaded. */
export function openSkillLoader({ environment: { userId }, catalog, usage }: OpenedSkills): SkillLoader {
  return new SkillLoader({
    find: (name) => findSkill(catalog().skills, name),
    locate: (skill) => locateSkill(skill, { roots: catalog().roots, userId }),
    record: async ({ name }) => usage?.record([{ skill: name, kind: 'loaded' }]),
  });
}
