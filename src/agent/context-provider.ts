import { findSkill } from '../catalog/find.ts';
import { isModelVisible, listVisible } from '../catalog/view.ts';
import { discloseCatalog } from '../disclose/catalog-prompt.ts';
import { harmlessLine } from '../disclose/harmless.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Failure } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { openPool, type SkillPool } from './skill-pool.ts';

export type ResourceType = 'scripts' | 'references' | 'assets';

/**
 * Shows skills in three tiers: the catalog, the instructions of one skill, one of its files. Nothing here throws; a skill
 * or file that is missing or hidden from models is null. The text of a skill that is withheld is the list of findings.
 */
export class SkillContextProvider {
  readonly #skills: Pick<Skills, 'catalog' | 'serving'>;

  private constructor(skills: Pick<Skills, 'catalog' | 'serving'>) {
    this.#skills = skills;
  }

  /** A provider over an engine or a view of it, whose current skills it shows, or over a list of skills. */
  static over(pool: SkillPool): SkillContextProvider {
    return new SkillContextProvider(openPool('SkillContextProvider.over(skills)', pool));
  }

  /** Tier 1: the `<available_skills>` block with every skill that a model may use; empty if there is none. */
  getTier1Context(): string {
    return discloseCatalog(this.#skills.catalog().skills, { format: 'xml', budget: NO_LIMIT }).text;
  }

  /** Tier 2: the current SKILL.md, complete. Recorded as a use. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    if (skill === undefined) return null;
    const loaded = await this.#skills.serving.load(skill.name);
    return loaded.ok ? loaded.raw : explainWithheld(loaded);
  }

  /** Tier 3: the paths of all files of one kind, relative to the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    const skill = this.getSkill(skillName);
    const listed = skill === undefined ? undefined : this.#skills.serving.resources(skill.name);
    if (listed?.ok !== true) return [];
    return listed.resources.map(({ path }) => path).filter((path) => path.startsWith(`${resourceType}/`));
  }

  /** Tier 3: one file, by its path relative to the skill; base64 if it is not text. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    const skill = this.getSkill(skillName);
    if (skill === undefined) return null;
    const read = await this.#skills.serving.readResource(skill.name, resourcePath);
    return read.ok ? (read.text ?? read.base64) : explainWithheld(read);
  }

  /** A skill that a model may use, by its name or id. */
  getSkill(name: string): Skill | undefined {
    const found = findSkill(this.#skills.catalog().skills, name);
    return found.ok && isModelVisible(found.skill) ? found.skill : undefined;
  }

  /** The names of the skills that a model may use. */
  getSkillNames(): string[] {
    return listVisible(this.#skills.catalog().skills).map(({ name }) => name);
  }
}

const NO_LIMIT = 2 ** 40;

function explainWithheld({ code, message }: Failure): string | null {
  return code === 'AUDIT_REFUSED' ? `${harmlessLine(message)}. Only the user may allow it.` : null;
}
