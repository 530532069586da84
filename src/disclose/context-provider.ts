import type { LoadedSkill } from '../activate/loader.ts';
import type { ResourceContent, ResourceList } from '../activate/resources.ts';
import { findSkill } from '../catalog/find.ts';
import { isModelVisible, listVisible } from '../catalog/view.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { discloseCatalog } from './catalog-prompt.ts';
import { harmlessLine } from './harmless.ts';

export type ResourceType = 'scripts' | 'references' | 'assets';

/** Reads skills: `skills.serving`, or a `SkillLoader`, which withholds nothing. */
export interface SkillReader {
  load(name: string): Promise<Outcome<LoadedSkill>>;
  resources(name: string): Outcome<ResourceList>;
  readResource(name: string, path: string): Outcome<ResourceContent> | Promise<Outcome<ResourceContent>>;
}

export interface ProviderOptions {
  /** The current skills; called each time. */
  readonly skills: () => readonly Skill[];
  readonly loader: SkillReader;
}

/**
 * Shows skills in three tiers: the catalog, the instructions of one skill, one of its files. Nothing here throws; a skill
 * or file that is missing or hidden from models is null. The text of a skill that is withheld is the list of findings.
 */
export class SkillContextProvider {
  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** Tier 1: the `<available_skills>` block with every skill that a model may use; empty if there is none. */
  getTier1Context(): string {
    return discloseCatalog(this.#options.skills(), { format: 'xml', budget: NO_LIMIT }).text;
  }

  /** Tier 2: the whole SKILL.md as it is now. This counts as a use. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    if (skill === undefined) return null;
    const loaded = await this.#options.loader.load(skill.name);
    return loaded.ok ? loaded.raw : explainWithheld(loaded);
  }

  /** Tier 3: the paths of all files of one kind, relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    const skill = this.getSkill(skillName);
    const listed = skill === undefined ? undefined : this.#options.loader.resources(skill.name);
    if (listed?.ok !== true) return [];
    return listed.resources.map(({ path }) => path).filter((path) => path.startsWith(`${resourceType}/`));
  }

  /** Tier 3: one file, by its path relative to the skill; base64 if it is not text. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    if (skill === undefined) return null;
    const read = await this.#options.loader.readResource(skill.name, resourcePath);
    return read.ok ? (read.text ?? read.base64) : explainWithheld(read);
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

function explainWithheld({ code, message }: Failure): string | null {
  return code === 'AUDIT_REFUSED' ? `${harmlessLine(message)}. Only the user may allow it.` : null;
}
