import { listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import type { MatchReason } from '../select/trigger-match.ts';
import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from './catalog-prompt.ts';
import { chooseTier, chooseUnmatched, type TierChoice, type TierOptions } from './choose-tier.ts';
import { fitInstructions } from './fit-instructions.ts';
import { CATALOG_FORMATS } from './formats/all-formats.ts';
import { locateInlined, type InlinedSkill } from './formats/inlined-skill.ts';
import { renderBreadcrumb, renderRest, type Tier } from './tiers.ts';
import { estimateTokens, readBudget } from './tokens.ts';

export interface MessageOptions extends TierOptions, CatalogOptions {
  /** The instructions and files of a skill; undefined if they cannot be read. */
  readonly readInstructions: (skill: Skill) => Promise<Pick<InlinedSkill, 'text' | 'files'> | undefined>;
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
  /** Skills whose instructions have no room in the budget; the text tells the model to load them. */
  readonly named: readonly string[];
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
  const read = await Promise.all(
    choice.chosen.map(async (chosen) => ({ ...chosen, content: await options.readInstructions(chosen.skill) })),
  );
  const unread = read.filter(({ content }) => content === undefined).map(({ skill }) => skill.name);
  const readable = read.flatMap(({ skill: { name, dir }, reasons, content }) =>
    content === undefined ? [] : { reasons, ...locateInlined({ name, dir, ...content }, options) },
  );
  if (readable.length === 0) return { ...discloseList(chooseUnmatched(listVisible(skills)), skills, options), unread };
  const { why, outOf } = choice;
  // The share of a context window is meant for catalogs: only a given budget limits instructions.
  const fitted = fitInstructions(readable, { budget: options.budget, countTokens: options.countTokens, outOf });
  if (fitted === undefined) return { ...discloseList({ tier: 'breadcrumb', why }, skills, options), unread };
  const named = readable.slice(fitted.whole).map(({ name }) => name);
  const shown = readable.slice(0, fitted.whole).map(({ name, reasons }) => ({ name, reasons }));
  const { text, tokens } = fitted;
  return { tier: 'instructions', why, text, tokens, skills: shown, named, unread, catalog: undefined };
}

function discloseList(choice: TierChoice, skills: readonly Skill[], options: MessageOptions): MessageDisclosure {
  const visible = listVisible(skills);
  if (choice.tier === 'catalog') {
    const catalog = discloseListed(choice.listed, visible, options);
    const { tier, text, tokens } = catalog;
    return { tier, why: choice.why, text, tokens, skills: [], named: [], unread: [], catalog };
  }
  if (choice.tier === 'breadcrumb') {
    const { tier, text, tokens } = nameNone(visible, { ...options, format: 'markdown' });
    return { tier, why: choice.why, text, tokens, skills: [], named: [], unread: [], catalog: undefined };
  }
  return { tier: 'none', why: choice.why, text: '', tokens: 0, skills: [], named: [], unread: [], catalog: undefined };
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
    lengths: {},
  };
}
