import { SkillLoader, type LoadedSkill } from '../activate/loader.ts';
import type { ResourceContent, ResourceList } from '../activate/resources.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { locateSkill } from '../catalog/locate.ts';
import { findInCatalog } from '../catalog/off-sources.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Environment } from '../platform/environment.ts';
import type { Usage } from '../usage/usage.ts';
import type { Admission, ServingGate } from './serving-gate.ts';

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

/**
 * Reads skills for models. A skill with findings that `auditFailOn` refuses is withheld unless it is trusted or allowed: the
 * failure, `AUDIT_REFUSED`, names the findings.
 */
export interface SkillServing {
  /** A skill's instructions and the list of its files. `caution` tells a model what to ask its user about first. */
  load(name: string): Promise<Outcome<LoadedSkill & Admission>>;
  /** Every file of a skill except SKILL.md, names and sizes only; also of blocked skills. */
  resources(name: string): Outcome<ResourceList>;
  /** One file of a skill, by its path relative to the skill. */
  readResource(name: string, path: string): Promise<Outcome<ResourceContent>>;
}

export function openSkillServing(loader: SkillLoader, gate: Pick<ServingGate, 'admit'>): SkillServing {
  /** A skill that cannot be located is left to the loader, which says why. */
  const admit = async (name: string): Promise<Outcome<Admission>> => {
    const located = loader.locate(name);
    return located.ok ? gate.admit(located) : { ok: true };
  };
  return {
    async load(name) {
      const admitted = await admit(name);
      if (!admitted.ok) return admitted;
      const loaded = await loader.load(name);
      return loaded.ok && admitted.caution !== undefined ? { ...loaded, caution: admitted.caution } : loaded;
    },
    resources: (name) => loader.resources(name),
    async readResource(name, path) {
      const admitted = await admit(name);
      return admitted.ok ? loader.readResource(name, path) : admitted;
    },
  };
}
