import { SkillLoader } from '../activate/loader.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { locateSkill } from '../catalog/locate.ts';
import { findInCatalog } from '../catalog/off-sources.ts';
import type { Environment } from '../platform/environment.ts';
import type { Usage } from '../usage/usage.ts';

/** The parts of the engine that loading needs. */
export interface OpenedSkills {
  readonly environment: Pick<Environment, 'userId'>;
  readonly catalog: () => Catalog;
  /** Default: loading is not recorded. */
  readonly usage?: Pick<Usage, 'record'>;
}

/** Loads skills from the current catalog and records each load. */
export function openSkillLoader({ environment: { userId }, catalog, usage }: OpenedSkills): SkillLoader {
  return new SkillLoader({
    find: (name) => findInCatalog(catalog(), name),
    locate: (skill) => locateSkill(skill, { roots: catalog().roots, userId }),
    record: async ({ name }) => usage?.record([{ skill: name, kind: 'loaded' }]),
  });
}
