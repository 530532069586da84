import type { Skill } from '../model/skill.ts';
import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './catalog-prompt.ts';
import { locateInlined, renderInlinedSkill, type InlinedSkill } from './formats/inlined-skill.ts';
import { estimateTokens } from './tokens.ts';

export interface ExposureOptions extends CatalogOptions {
  /** Whether the agent can read skills; if not, a catalog is of no use to it. True by default. */
  readonly canRead?: boolean | undefined;
  /** Skills to put into the prompt as whole files. */
  readonly preloaded?: readonly InlinedSkill[] | undefined;
}

/** The text, and the skills that it shows and leaves out. Its tier is `instructions` if it holds whole skills. */
export type PromptExposure = Omit<CatalogDisclosure, 'tier'> & {
  readonly tier: CatalogDisclosure['tier'] | 'instructions';
};

/** Skill text for a system prompt: the preloaded skills, or else a list if the agent can load skills. */
export function exposeSkills(skills: readonly Skill[], options: ExposureOptions = {}): PromptExposure {
  const { canRead = true, preloaded = [], countTokens = estimateTokens } = options;
  if (preloaded.length > 0) {
    const text = renderPreloaded(preloaded.map((skill) => locateInlined(skill, options)));
    const shown = preloaded.map(({ name }) => name);
    return { ...discloseCatalog([], options), tier: 'instructions', text, tokens: countTokens(text), shown };
  }
  return discloseCatalog(canRead ? skills : [], options);
}

const ALREADY = 'These skills are loaded already: follow them where they apply, and do not load them again.';

/** The whole texts, each in its own element; empty if there are none. */
export function renderPreloaded(preloaded: readonly InlinedSkill[]): string {
  if (preloaded.length === 0) return '';
  return [ALREADY, '<preloaded_skills>', ...preloaded.map(renderInlinedSkill), '</preloaded_skills>'].join('\n');
}
