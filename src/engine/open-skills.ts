import type { SkillLoader } from '../activate/loader.ts';
import type { Outcome } from '../model/outcome.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import type { SearchFilters, SearchResult, SkillRegistry } from '../select/registry.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import type { Usage } from '../usage/usage.ts';
import { openCatalog, type SkillCatalog } from './open-catalog.ts';
import { openSkillDisclosure, type SkillDisclosure } from './skill-disclosure.ts';
import { openSkillLoader } from './skill-loading.ts';
import { openSkillMatch, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import { openSkillScripts, type SkillScripts } from './skill-scripts.ts';
import { openSkillSearch } from './skill-search.ts';
import { openSkillTools, type SkillTools } from './skill-tools.ts';
import { openSkillTrust, type SkillTrust } from './skill-trust.ts';
import { openSkillUsage, reportSkillUsage, type UsageQuery } from './skill-usage.ts';
import { openSkillWriting, type SkillWriting } from './skill-writing.ts';

/** All of Skillplane over one person's and project's skills. */
export interface Skills extends SkillCatalog {
  /** The usable skills that serve a query best, each with its reasons. */
  search(query: string, filters?: SearchFilters, limit?: number): readonly SearchResult[];
  /** What finds the usable skills as of the last look; what it is asked is not remembered as usage. */
  registry(): SkillRegistry;
  /**
   * Reads the instructions of all skills for searching. Without it a first search over thousands of new skills knows
   * their names and descriptions alone, so that nobody waits. `onRead` hears how many are left.
   */
  completeSearch(onRead?: (left: number) => void): Promise<void>;
  /** The skills that a message activates by their triggers, or by files that it touches, each with its reasons. */
  match(message: string, options?: SkillMatchOptions): Promise<SkillMatches>;
  /** Shows a model no more of the skills than it needs. */
  readonly disclosure: SkillDisclosure;
  /** Gives out instructions and files of skills. */
  readonly loader: SkillLoader;
  /** Decides which skills may run what they bring. */
  readonly trust: SkillTrust;
  readonly scripts: SkillScripts;
  readonly tools: SkillTools;
  /** Writes and removes skills in the user's own directory or the project's. */
  readonly writing: SkillWriting;
  /** What was used, when and by whom. */
  readonly usage: Usage;
  /** What everybody used in a period, and what nobody did; undefined where no history is kept. */
  usageReport(query?: UsageQuery): Promise<Outcome<{ readonly report: UsageReport | undefined }>>;
}

/** Opens everything together: finds and reads every skill of this machine and project. */
export async function openSkills(options: EnvironmentOptions = {}): Promise<Skills> {
  const opened = await openCatalog(options);
  const { environment, catalog } = opened;
  const search = openSkillSearch(environment.agentHome);
  const usage = openSkillUsage(environment);
  const match = openSkillMatch({ search, usage });
  const loader = openSkillLoader({ environment, catalog, usage });
  const silentLoader = openSkillLoader({ environment, catalog });
  const trust = openSkillTrust({ environment, catalog });
  const scripts = openSkillScripts({ environment, loader, trust, usage });
  const tools = openSkillTools({ catalog, loader, trust, usage });
  return {
    ...opened,
    search(query, filters, limit) {
      const results = search.registryOf(catalog()).search(query, filters, limit);
      if (query.trim() !== '') void usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
      return results;
    },
    registry: () => search.registryOf(catalog()),
    completeSearch: (onRead) => search.complete(catalog(), onRead),
    match: (message, matchOptions) => match(catalog(), message, matchOptions),
    disclosure: openSkillDisclosure({ catalog, search, usage, match, loader, silentLoader }),
    loader,
    trust,
    scripts,
    tools,
    writing: openSkillWriting(opened),
    usage,
    usageReport: (query = {}) => reportSkillUsage(usage, catalog(), query),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      search.save();
      await scripts.close();
      await tools.close();
      await usage.close();
    },
  };
}
