import type { Skill } from '../model/skill.ts';
import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './catalog-prompt.ts';
import { renderInlinedSkill, type InlinedSkill } from './inlined-skill.ts';
import { estimateTokens } from './tokens.ts';

export interface ExposureOptions extends CatalogOptions {
  /** Can the agent read skills on its own? Without that a list is of no use to it; true. */
  readonly canRead?: boolean | undefined;
  /** Skills that are given to the agent from the start, as whole files. */
  readonly preloaded?: readonly InlinedSkill[] | undefined;
}

export interface PromptExposure {
  readonly text: string;
  readonly tokens: number;
  /** What the list says; absent where the prompt has none. */
  readonly catalog: CatalogDisclosure | undefined;
}

/** What the skills add to a system prompt: the preloaded ones, else a catalog where the agent can read skills. */
export function exposeSkills(skills: readonly Skill[], options: ExposureOptions = {}): PromptExposure {
  const { canRead = true, preloaded = [], countTokens = estimateTokens } = options;
  if (preloaded.length > 0) {
    const text = renderPreloaded(preloaded);
    return { text, tokens: countTokens(text), catalog: undefined };
  }
  if (!canRead) return { text: '', tokens: 0, catalog: undefined };
  const catalog = discloseCatalog(skills, options);
  return { text: catalog.text, tokens: catalog.tokens, catalog };
}

/** The whole texts, each in its own element; empty without any. */
export function renderPreloaded(preloaded: readonly InlinedSkill[]): string {
  if (preloaded.length === 0) return '';
  return ['<preloaded_skills>', ...preloaded.map(renderInlinedSkill), '</preloaded_skills>'].join('\n');
}
