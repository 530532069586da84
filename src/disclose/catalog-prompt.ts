import { listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import { fitCatalog } from './budget.ts';
import { toCatalogEntry } from './catalog-entry.ts';
import type { CatalogSheet, Depth } from './catalog-sheet.ts';
import { fitTokens } from './fit-tokens.ts';
import { CATALOG_FORMATS, type CatalogFormatName } from './formats.ts';
import { orderByNeed, type NeedOptions } from './keeping-order.ts';
import { renderBreadcrumb, type Tier } from './tiers.ts';
import { CHARACTERS_PER_TOKEN, estimateTokens, readBudget, type BudgetOptions, type TokenCounter } from './tokens.ts';

export interface CatalogOptions extends NeedOptions, BudgetOptions {
  /** `xml` unless said otherwise. */
  readonly format?: CatalogFormatName | undefined;
  /** Four characters a token unless said otherwise. */
  readonly countTokens?: TokenCounter | undefined;
}

/** What a model is told of the skills there are. Each skill is, by its name, either in `shown` or in `omitted`. */
export interface CatalogDisclosure {
  /** `breadcrumb` or `none` where the budget has no room for a single name. */
  readonly tier: Extract<Tier, 'none' | 'breadcrumb' | 'catalog'>;
  readonly format: CatalogFormatName;
  readonly text: string;
  /** Of the text; never more than the budget. */
  readonly tokens: number;
  readonly budget: number;
  readonly shown: readonly string[];
  /** Those shown with a part of their description. */
  readonly shortened: readonly string[];
  /** Those shown by their name alone. */
  readonly named: readonly string[];
  /** Those not even named; the text says how many they are. */
  readonly omitted: readonly string[];
}

/**
 * The catalog of the skills that a model may use, within a budget. Pinned skills come first, all by name: the need for
 * a skill decides how much of it is shown, not where, so that the text changes little. The order of `skills` is of no
 * account.
 */
export function discloseCatalog(skills: readonly Skill[], options: CatalogOptions = {}): CatalogDisclosure {
  const { format = 'xml', countTokens } = options;
  const budget = readBudget(options);
  const visible = listVisible(skills);
  const renderer = CATALOG_FORMATS[format];
  const entries = visible.map((skill) => toCatalogEntry(skill, renderer.isBrief));
  const list = { entries, ...orderByNeed(visible, options) };
  const fit = (capacity: number): Draft => toDraft(fitCatalog(list, renderer, capacity), capacity);
  const { text, depths, tier } =
    countTokens === undefined ? fit(CHARACTERS_PER_TOKEN * budget) : fitTokens(fit, budget, countTokens);
  const namesAt = (...wanted: readonly Depth[]): readonly string[] =>
    visible.filter((_, at) => wanted.includes(depths[at] ?? 'omitted')).map(({ name }) => name);
  return {
    tier,
    format,
    text,
    tokens: text === '' ? 0 : (countTokens ?? estimateTokens)(text),
    budget,
    shown: namesAt('whole', 'shortened', 'named'),
    shortened: namesAt('shortened'),
    named: namesAt('named'),
    omitted: namesAt('omitted'),
  };
}

interface Draft {
  readonly tier: CatalogDisclosure['tier'];
  readonly text: string;
  readonly depths: readonly Depth[];
}

function toDraft(sheet: CatalogSheet, capacity: number): Draft {
  const depths = sheet.depths();
  const text = sheet.render();
  if (text !== '') return { tier: 'catalog', text, depths };
  const breadcrumb = renderBreadcrumb(depths.length);
  if (breadcrumb === '' || breadcrumb.length > capacity) return { tier: 'none', text: '', depths };
  return { tier: 'breadcrumb', text: breadcrumb, depths };
}
