import { listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import type { MatchReason } from '../select/trigger-match.ts';
import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './catalog-prompt.ts';
import { chooseTier, chooseUnmatched, type TierChoice, type TierOptions } from './choose-tier.ts';
import { CATALOG_FORMATS } from './formats/all-formats.ts';
import { renderInlinedSkill, type InlinedSkill } from './formats/inlined-skill.ts';
import { renderBreadcrumb, renderRest, type Tier } from './tiers.ts';
import { estimateTokens, readBudget } from './tokens.ts';

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

function discloseList(choice: TierChoice, skills: readonly Skill[], options: MessageOptions): MessageDisclosure {
  const { countTokens = estimateTokens } = options;
  const visible = listVisible(skills);
  if (choice.tier === 'catalog') {
    const catalog = discloseListed(choice.listed, visible, options);
    const { tier, text, tokens } = catalog;
    return { tier, why: choice.why, text, tokens, skills: [], unread: [], catalog };
  }
  const text = choice.tier === 'breadcrumb' ? renderBreadcrumb(visible.length) : '';
  const tokens = text === '' ? 0 : countTokens(text);
  return { tier: choice.tier, why: choice.why, text, tokens, skills: [], unread: [], catalog: undefined };
}

/** A catalog of some skills, and a breadcrumb that counts the others. The budget holds for both. */
function discloseListed(
  listed: readonly Skill[],
  visible: readonly Skill[],
  { format = 'markdown', ...options }: MessageOptions,
): CatalogDisclosure {
  const isListed = new Set(listed);
  const others = visible.filter((skill) => !isListed.has(skill)).map(({ name }) => name);
  if (others.length === 0) return discloseCatalog(listed, { ...options, format });
  const budget = readBudget(options);
  const { countTokens } = options;
  const withRest = (text: string): string => CATALOG_FORMATS[format].addNote(text, renderRest(others.length));
  const room =
    countTokens === undefined
      ? { budget: budget - estimateTokens(withRest('')) }
      : { budget, countTokens: (text: string) => countTokens(withRest(text)) };
  const catalog = discloseCatalog(listed, { ...options, format, ...room });
  if (catalog.tier !== 'catalog') return nameNone(visible, { ...options, format });
  const text = withRest(catalog.text);
  const tokens = (countTokens ?? estimateTokens)(text);
  return { ...catalog, text, tokens, budget, omitted: [...catalog.omitted, ...others] };
}

/** Counts all skills, if the budget has room for that. */
function nameNone(
  visible: readonly Skill[],
  { format, countTokens = estimateTokens, ...options }: CatalogOptions & Pick<CatalogDisclosure, 'format'>,
): CatalogDisclosure {
  const budget = readBudget(options);
  const breadcrumb = renderBreadcrumb(visible.length);
  const tokens = countTokens(breadcrumb);
  const fits = tokens <= budget;
  return {
    tier: fits ? 'breadcrumb' : 'none',
    format,
    text: fits ? breadcrumb : '',
    tokens: fits ? tokens : 0,
    budget,
    shown: [],
    shortened: [],
    named: [],
    omitted: visible.map(({ name }) => name),
  };
}

function renderInstructions(skills: readonly InlinedSkill[], outOf: number = skills.length): string {
  const parts = ['## Relevant Skill Documentation', ...skills.map(renderInlinedSkill)];
  if (outOf > skills.length)
    parts.push(`*Showing ${skills.length} of ${outOf} skills. Ask about specific skills for more details.*`);
  return parts.join('\n\n');
}
