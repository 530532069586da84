import { discloseCatalog, type CatalogDisclosure, type CatalogOptions } from '../disclose/catalog-prompt.ts';
import { discloseMessage, type MessageDisclosure } from '../disclose/message-disclosure.ts';
import { exposeSkills, type ExposureOptions, type PromptExposure } from '../disclose/prompt-exposure.ts';
import { compareSnapshots, takeSnapshot, type CatalogDelta, type CatalogSnapshot } from '../disclose/snapshot.ts';
import {
  chooseForSection,
  SECTION_OPTIONS,
  systemPromptSection,
  toOptions,
  type SectionOptions,
} from '../disclose/system-prompt-section.ts';
import { estimateTokens } from '../disclose/tokens.ts';
import { CATALOG_FORMAT_NAMES } from '../model/catalog-format.ts';
import {
  checkCall,
  aNumber,
  aBoolean,
  aFunction,
  aListOf,
  anObject,
  aWordOf,
  optionsOf,
  aString,
  type OptionKinds,
} from '../model/check-arguments.ts';
import type { Skill } from '../model/skill.ts';
import type { SkillServing } from './skill-loading.ts';
import { MATCH_KINDS, type SkillMatcher, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillSearch } from './skill-search.ts';

/** Options for callers; the engine itself adds matches, relevance and last use. */
type Wishes<T> = Omit<T, 'matches' | 'relevance' | 'lastUsed'>;

export interface DiscloseOptions extends Wishes<CatalogOptions>, SkillMatchOptions {
  /** Whether loaded instructions count as a use. Default: true. */
  readonly recordUse?: boolean | undefined;
}

export interface PromptOptions extends Wishes<ExposureOptions> {
  /** The user's message, if known; skills relevant to it are shown first. */
  readonly message?: string | undefined;
}

const CATALOG_KINDS: OptionKinds<Wishes<CatalogOptions>> = {
  format: aWordOf(CATALOG_FORMAT_NAMES),
  countTokens: aFunction,
  budget: aNumber,
  contextWindow: aNumber,
  hidePaths: aBoolean,
  guide: aBoolean,
};
const CATALOG_OPTIONS = optionsOf<Wishes<CatalogOptions>>(CATALOG_KINDS);
const DISCLOSE_OPTIONS = optionsOf<DiscloseOptions>({ ...CATALOG_KINDS, ...MATCH_KINDS, recordUse: aBoolean });
const PROMPT_OPTIONS = optionsOf<PromptOptions>({
  ...CATALOG_KINDS,
  canRead: aBoolean,
  preloaded: aListOf('a list of skills with `name` and `text`', anObject),
  message: aString,
});

export interface PromptSection {
  /** Null without skills. */
  readonly text: string | null;
  readonly tokens: number;
  readonly shown: readonly string[];
  /** Skills that the text only counts. */
  readonly omitted: readonly string[];
}

/** The text that a model is shown for a message, and the skills that the message activated. */
export type DisclosedMessage = MessageDisclosure & SkillMatches;

/** Shows a model no more of the skills than it needs. */
export interface SkillDisclosure {
  /** Returns what a user's message needs: instructions, the skill list, a breadcrumb, or nothing. */
  disclose(message: string, options?: DiscloseOptions): Promise<DisclosedMessage>;
  /** The text about skills for a system prompt, within a budget. */
  prompt(options?: PromptOptions): Promise<PromptExposure>;
  /** A list of pinned and recently used skills, and the number of the others. A number sets `topN`. */
  promptSection(options?: number | SectionOptions): Promise<PromptSection>;
  /** The catalog as it is now, to be kept unchanged in a prompt. */
  snapshot(options?: Wishes<CatalogOptions>): Promise<CatalogSnapshot>;
  /** Lists the changes since a snapshot, with a text that tells the model. */
  delta(since: CatalogSnapshot): CatalogDelta;
}

export interface DisclosureParts {
  readonly scope: SkillScope;
  readonly search: SkillSearch;
  readonly match: SkillMatcher;
  /** Records nothing. */
  readonly silentServing: SkillServing;
}

export function openSkillDisclosure(parts: DisclosureParts): SkillDisclosure {
  const { scope, search, match, silentServing } = parts;
  const { catalog, usage } = scope;
  const lastUsed = (): Promise<ReadonlyMap<string, number>> => usage.lastUsed(catalog().skills.map(({ name }) => name));
  const relevanceTo = async (message: string): Promise<ReadonlyMap<Skill, number>> => {
    const relevance = await search.relevanceTo(scope.scan(), message, await usage.preferredFor(message));
    return new Map([...relevance].map(([skill, { score }]) => [skill, score]));
  };
  const show = async (options: Wishes<CatalogOptions>): Promise<CatalogDisclosure> =>
    discloseCatalog(catalog().skills, { ...options, lastUsed: await lastUsed() });
  return {
    async disclose(message, given = {}) {
      checkCall('disclose(message, options?)', {
        message: [message, aString],
        options: [given, DISCLOSE_OPTIONS],
      });
      const { recordUse = true, recordMatch, maxSkills, paths, ...options } = given;
      const matched = await match(message, { maxSkills, paths, recordMatch });
      const disclosed = await discloseMessage(message, catalog().skills, {
        ...options,
        // `match` already applied the maximum, its own default included.
        maxSkills: matched.matches.length,
        matches: matched.matches,
        relevance: await relevanceTo(message),
        lastUsed: await lastUsed(),
        readInstructions: async ({ name }) => {
          const loaded = await silentServing.load(name);
          return loaded.ok ? { text: loaded.body, files: loaded.resources.map(({ path }) => path) } : undefined;
        },
      });
      if (recordUse) await usage.record(disclosed.skills.map(({ name }) => ({ skill: name, kind: 'loaded' })));
      return { ...disclosed, ...matched };
    },
    async prompt(given = {}) {
      checkCall('prompt(options?)', { options: [given, PROMPT_OPTIONS] });
      const { message, ...options } = given;
      const { matches } = message === undefined ? { matches: [] } : await match(message);
      const relevance = message === undefined ? undefined : await relevanceTo(message);
      return exposeSkills(catalog().skills, { ...options, matches, relevance, lastUsed: await lastUsed() });
    },
    async promptSection(options = {}) {
      checkCall('promptSection(options?)', { options: [options, SECTION_OPTIONS] });
      const { skills } = catalog();
      const used = await lastUsed();
      const ranked = await usage.rank(skills.map(({ name, stamp }) => ({ name, changedAt: stamp.mtimeMs })));
      const names = ranked.filter((name) => used.has(name));
      const text = systemPromptSection(skills, names, options);
      const { pinned, lastUsed: last, recent, others } = chooseForSection(skills, names, toOptions(options).topN);
      return {
        text,
        tokens: estimateTokens(text ?? ''),
        shown: [...pinned, ...last, ...recent].map(({ name }) => name),
        omitted: others.map(({ name }) => name),
      };
    },
    async snapshot(options = {}) {
      checkCall('snapshot(options?)', { options: [options, CATALOG_OPTIONS] });
      return takeSnapshot(catalog().skills, (await show(options)).text);
    },
    delta: (since) => compareSnapshots(since, takeSnapshot(catalog().skills, '')),
  };
}
