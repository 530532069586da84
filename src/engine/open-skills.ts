import type { LoadOptions, SkillLoader, SkillLoadOutcome } from '../activate/loader.ts';
import type { SkillWriting } from '../author/skill-writing.ts';
import { openCatalog, type SkillCatalog } from '../catalog/open-catalog.ts';
import type { Outcome } from '../model/outcome.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import type { SkillSearchResult } from '../select/registry.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import type { Usage } from '../usage/usage.ts';
import { openWritingLater } from './lazy-writing.ts';
import { openSkillDisclosure, type PromptOptions, type SkillDisclosure } from './skill-disclosure.ts';
import { openSkillLoader } from './skill-loading.ts';
import { openSkillMatch, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import { openSkillScripts, type SkillScripts } from './skill-scripts.ts';
import { openSkillSearch, type SkillQuery } from './skill-search.ts';
import { openSkillToolsets, type SkillToolsets } from './skill-toolsets.ts';
import { openSkillTrust, type SkillTrust } from './skill-trust.ts';
import { openSkillUsage, reportSkillUsage, type UsageQuery } from './skill-usage.ts';

/** All of Skillplane over the skills of one person and project. */
export interface Skills extends SkillCatalog {
  /** The skills that serve a query best, best first, each with its reasons. */
  search(query: SkillQuery): Promise<readonly SkillSearchResult[]>;
  /** The skills that a message activates by their triggers, or by the files it touches, each with its reasons. */
  match(message: string, options?: SkillMatchOptions): Promise<SkillMatches>;
  /** The text about skills for a system prompt; empty if there are none. `disclosure.prompt` also says what it cost. */
  prompt(options?: PromptOptions): Promise<string>;
  /** A skill's instructions and the list of its files. */
  load(name: string, options?: LoadOptions): Promise<SkillLoadOutcome>;
  /** Shows a model no more of the skills than it needs. */
  readonly disclosure: SkillDisclosure;
  /** Reads instructions and files of skills. */
  readonly loader: SkillLoader;
  /** Decides which skills may run what they bring. */
  readonly trust: SkillTrust;
  /** Runs scripts of trusted skills. */
  readonly scripts: SkillScripts;
  /** Tools that trusted skills bring. */
  readonly toolsets: SkillToolsets;
  /** Writes and removes skills in the user's own directory or the project's. */
  readonly writing: SkillWriting;
  /** What was used, when and by whom. */
  readonly usage: Usage;
  /** Usage over a period, unused skills included; undefined if no history is kept. */
  usageReport(query?: UsageQuery): Promise<Outcome<{ readonly report: UsageReport | undefined }>>;
}

/** Finds and reads every skill of this machine and project, and opens everything that can be done with them. */
export async function openSkills(options: EnvironmentOptions = {}): Promise<Skills> {
  const opened = await openCatalog(options);
  const { environment, catalog } = opened;
  const usage = openSkillUsage(environment);
  const search = openSkillSearch(environment.agentHome, usage);
  const match = openSkillMatch({ search, usage, environment });
  const loader = openSkillLoader({ environment, catalog, usage });
  const silentLoader = openSkillLoader({ environment, catalog });
  const trust = openSkillTrust({ environment, catalog });
  const scripts = openSkillScripts({ environment, loader, trust, usage });
  const toolsets = openSkillToolsets({ catalog, loader, trust, usage });
  const disclosure = openSkillDisclosure({ catalog, search, usage, match, loader, silentLoader });
  return {
    ...opened,
    search: (query) => search.search(catalog(), query),
    match: (message, matchOptions) => match(catalog(), message, matchOptions),
    prompt: async (promptOptions) => (await disclosure.prompt(promptOptions)).text,
    load: (name, loadOptions) => loader.load(name, loadOptions),
    disclosure,
    loader,
    trust,
    scripts,
    toolsets,
    writing: openWritingLater(opened),
    usage,
    usageReport: (query = {}) => reportSkillUsage(usage, catalog(), query),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      search.save();
      await scripts.close();
      await toolsets.close();
      await usage.close();
    },
  };
}
