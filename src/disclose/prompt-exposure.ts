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

export interface PromptExposure {
  readonly text: string;
  readonly tokens: number;
  /** Set if the text is a catalog. */
  readonly catalog: CatalogDisclosure | undefined;
}

/** The text that skills add to a system prompt: the preloaded ones, else a catalog if the agent can read skills. */
export function exposeSkills(skills: readonly Skill[], options: ExposureOptions = {}): PromptExposure {
  const { canRead = true, preloaded = [], countTokens = estimateTokens } = options;
  if (preloaded.length > 0) {
    const text = renderPreloaded(preloaded.map((skill) => locateInlined(skill, options)));
    return { text, tokens: countTokens(text), catalog: undefined };
  }
  if (!canRead) return { text: '', tokens: 0, catalog: undefined };
  const catalog = discloseCatalog(skills, options);
  return { text: catalog.text, tokens: catalog.tokens, catalog };
}

/** The whole texts, each in its own element; empty if there are none. */
export function renderPreloaded(preloaded: readonly InlinedSkill[]): string {
  if (preloaded.length === 0) return '';
  return ['<preloaded_skills>', ...preloaded.map(renderInlinedSkill), '</preloaded_skills>'].join('\n');
}
