import { listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import type { MatchReason } from '../select/trigger-match.ts';
import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './catalog-prompt.ts';
import { chooseTier, chooseUnmatched, type TierChoice, type TierOptions } from './choose-tier.ts';
import { renderInlinedSkill, type InlinedSkill } from './formats/inlined-skill.ts';
import { renderBreadcrumb, type Tier } from './tiers.ts';
import { estimateTokens } from './tokens.ts';

export interface MessageOptions extends TierOptions, CatalogOptions {
  /** The instructions of a skill; undefined if they cannot be read. */
  readonly readInstructions: (skill: Skill) => Promise<string | undefined>;
}

/** The text about skills that goes with a user's message. */
export interface MessageDisclosure {
  readonly tier: Exclude<Tier, 'resource'>;
  /** Why this tier, for people. */
  readonly why: string;
  readonly text: string;
  readonly tokens: number;
  /** The skills whose instructions are in the text, and why each was activated. */
  readonly skills: readonly { readonly name: string; readonly reasons: readonly MatchReason[] }[];
  /** Skills whose instructions could not be read. */
  readonly unread: readonly string[];
  /** Set if the text is a catalog. */
  readonly catalog: CatalogDisclosure | undefined;
}

/** Shows as much of the skills as a user's message needs: instructions, a catalog, a breadcrumb, or nothing. */
export async function discloseMessage(
  message: string,
  skills: readonly Skill[],
  options: MessageOptions,
): Promise<MessageDisclosure> {
  const choice = chooseTier(message, skills, options);
  if (choice.tier !== 'instructions') return discloseList(choice, skills, options);
  const { countTokens = estimateTokens, readInstructions } = options;
  const read = await Promise.all(
    choice.chosen.map(async ({ skill, reasons }) => ({ skill, reasons, text: await readInstructions(skill) })),
  );
  const unread = read.filter(({ text }) => text === undefined).map(({ skill }) => skill.name);
  const shown = read.flatMap(({ skill: { name }, reasons, text }) =>
    text === undefined ? [] : { name, reasons, text },
  );
  if (shown.length === 0) return { ...discloseList(chooseUnmatched(listVisible(skills)), skills, options), unread };
  const text = renderInstructions(shown, choice.outOf);
  return {
    tier: choice.tier,
    why: choice.why,
    text,
    tokens: countTokens(text),
    skills: shown.map(({ name, reasons }) => ({ name, reasons })),
    unread,
    catalog: undefined,
  };
}

function discloseList({ tier, why }: TierChoice, skills: readonly Skill[], options: MessageOptions): MessageDisclosure {
  const { format = 'markdown', countTokens = estimateTokens } = options;
  if (tier === 'catalog') {
    const catalog = discloseCatalog(skills, { ...options, format });
    return { tier: catalog.tier, why, text: catalog.text, tokens: catalog.tokens, skills: [], unread: [], catalog };
  }
  const text = tier === 'breadcrumb' ? renderBreadcrumb(listVisible(skills).length) : '';
  return { tier, why, text, tokens: text === '' ? 0 : countTokens(text), skills: [], unread: [], catalog: undefined };
}

function renderInstructions(skills: readonly InlinedSkill[], outOf: number = skills.length): string {
  const parts = ['## Relevant Skill Documentation', ...skills.map(renderInlinedSkill)];
  if (outOf > skills.length)
    parts.push(`*Showing ${skills.length} of ${outOf} skills. Ask about specific skills for more details.*`);
  return parts.join('\n\n');
}
