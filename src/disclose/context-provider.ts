import type { SkillLoader } from '../activate/loader.ts';
import { findSkill } from '../catalog/find.ts';
import { isModelVisible, listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import { discloseCatalog } from './catalog-prompt.ts';

export type ResourceType = 'scripts' | 'references' | 'assets';

export interface ProviderOptions {
  /** The skills as of the last look; asked at each call. */
  readonly skills: () => readonly Skill[];
  readonly loader: SkillLoader;
}

/**
 * Skills in three tiers: what there is, one skill's instructions, one of its files. Nothing here throws; what is missing,
 * or not for a model to know, is null.
 */
export class SkillContextProvider {
  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** Tier 1: the `<available_skills>` block with every skill that a model may use; empty without any. */
  getTier1Context(): string {
    return discloseCatalog(this.#options.skills(), { format: 'xml', budget: NO_LIMIT }).text;
  }

  /** Tier 2: the whole SKILL.md, read fresh; it counts as a use. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    if (skill === undefined) return null;
    const loaded = await this.#options.loader.load(skill.name);
    return loaded.ok ? loaded.raw : null;
  }

  /** Tier 3: the files of one kind, by their paths inside the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    const skill = this.getSkill(skillName);
    const listed = skill === undefined ? undefined : this.#options.loader.resources(skill.name);
    if (listed?.ok !== true) return [];
    return listed.resources.map(({ path }) => path).filter((path) => path.startsWith(`${resourceType}/`));
  }

  /** Tier 3: one file, by its path inside the skill; what is no text comes in base64. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    const read = skill === undefined ? undefined : this.#options.loader.readResource(skill.name, resourcePath);
    return read?.ok === true ? (read.text ?? read.base64) : null;
  }

  /** A skill that a model may use, by its name or id. */
  getSkill(name: string): Skill | undefined {
    const found = findSkill(this.#options.skills(), name);
    return found.ok && isModelVisible(found.skill) ? found.skill : undefined;
  }

  /** The names of the skills that a model may use. */
  getSkillNames(): string[] {
    return listVisible(this.#options.skills()).map(({ name }) => name);
  }
}

const NO_LIMIT = 2 ** 40;
