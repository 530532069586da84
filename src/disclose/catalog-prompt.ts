import { listVisible } from '../catalog/view.ts';
import type { CatalogFormatName } from '../model/catalog-format.ts';
import type { Skill } from '../model/skill.ts';
import { toCatalogEntry } from './catalog-entry.ts';
import type { CatalogSheet, Depth } from './catalog-sheet.ts';
import { fitCatalog } from './fit-catalog.ts';
import { CATALOG_FORMATS } from './formats/all-formats.ts';
import type { CatalogFormat } from './formats/catalog-format.ts';
import type { PathOptions } from './formats/inlined-skill.ts';
import { plainIndexFormat } from './formats/markdown.ts';
import { orderByNeed, type NeedOptions } from './keeping-order.ts';
import { renderBreadcrumb, renderPointer, type Tier } from './tiers.ts';
import {
  CHARACTERS_PER_TOKEN,
  estimateTokens,
  fitTokens,
  readBudget,
  type BudgetOptions,
  type TokenCounter,
} from './tokens.ts';

export interface CatalogOptions extends NeedOptions, BudgetOptions, PathOptions {
  /** `index` by default: for agents that load skills by name. `xml` also has paths, for agents that read files. */
  readonly format?: CatalogFormatName | undefined;
  /** By default, four characters are one token. */
  readonly countTokens?: TokenCounter | undefined;
  /** Start the format `index` with guidance on using skills. Default: true. */
  readonly guide?: boolean | undefined;
}

/** The catalog a model is shown. Each skill's name is either in `shown` or in `omitted`. */
export interface CatalogDisclosure {
  /** `breadcrumb` or `none` if the budget has no room for a single name. */
  readonly tier: Extract<Tier, 'none' | 'breadcrumb' | 'catalog'>;
  readonly format: CatalogFormatName;
  readonly text: string;
  /** The tokens of the text; never more than the budget. */
  readonly tokens: number;
  readonly budget: number;
  readonly shown: readonly string[];
  /** Shown with part of the description. */
  readonly shortened: readonly string[];
  /** Shown by name only. */
  readonly named: readonly string[];
  /** Not named; the text says how many there are. */
  readonly omitted: readonly string[];
  /** How many characters of the text are about each skill that is shown, by name. */
  readonly lengths: Readonly<Record<string, number>>;
}

/**
 * Writes the catalog of the skills that a model may use, within a budget. Pinned skills come first; both groups are
 * sorted by name, whatever the order of `skills`. How much a skill is needed decides how much of it is shown, not where,
 * so that the text changes little from call to call.
 */
export function discloseCatalog(skills: readonly Skill[], options: CatalogOptions = {}): CatalogDisclosure {
  const { format = 'index', guide = true, countTokens, hidePaths } = options;
  const budget = readBudget(options);
  const visible = listVisible(skills);
  const renderer = format === 'index' && !guide ? plainIndexFormat : CATALOG_FORMATS[format];
  const entries = visible.map((skill) => toCatalogEntry(skill, { isBrief: renderer.isBrief, hidePaths }));
  const list = { entries, ...orderByNeed(visible, options) };
  const fit = (capacity: number): Draft => toDraft(fitCatalog(list, renderer, capacity), renderer, capacity);
  const { text, depths, lengths, tier } =
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
    lengths: Object.fromEntries(
      visible.flatMap(({ name }, at) => (depths[at] === 'omitted' ? [] : [[name, lengths[at] ?? 0]])),
    ),
  };
}

interface Draft {
  readonly tier: CatalogDisclosure['tier'];
  readonly text: string;
  readonly depths: readonly Depth[];
  readonly lengths: readonly number[];
}

function toDraft(sheet: CatalogSheet, { guide }: CatalogFormat, capacity: number): Draft {
  const depths = sheet.depths();
  const text = sheet.render();
  const lengths = sheet.lengths();
  if (text !== '') return { tier: 'catalog', text, depths, lengths };
  const breadcrumbs = [...(guide === undefined ? [] : [renderPointer(depths.length)]), renderBreadcrumb(depths.length)];
  const breadcrumb = breadcrumbs.find((one) => one.length <= capacity) ?? '';
  return { tier: breadcrumb === '' ? 'none' : 'breadcrumb', text: breadcrumb, depths, lengths };
}
