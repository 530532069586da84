import { SkillStore } from '../../catalog/store.ts';
import { readEnvironment, type EnvironmentOptions } from '../../platform/environment.ts';
import {
  checkCache,
  checkConfig,
  checkEmbeddings,
  checkGit,
  checkHosts,
  checkNode,
  checkSandbox,
  checkUsage,
} from './check-machine.ts';
import {
  checkCommandFiles,
  checkCopies,
  checkPlugins,
  checkPublishing,
  checkSkills,
  checkSources,
} from './check-skills.ts';
import type { Check } from './check.ts';

export async function runChecks(options: EnvironmentOptions): Promise<readonly Check[]> {
  const environment = readEnvironment(options);
  const catalog = await new SkillStore({ environment }).loadAll();
  const { reading } = catalog;
  return [
    checkNode(),
    checkGit(environment),
    ...checkConfig(reading),
    ...checkSources(catalog),
    ...checkSkills(catalog),
    ...checkPlugins(reading),
    ...checkCopies(catalog),
    ...checkCommandFiles(catalog, environment),
    ...checkPublishing(catalog, environment),
    ...checkHosts(environment),
    await checkSandbox(reading),
    ...(await checkEmbeddings(environment, reading)),
    checkCache(environment),
    checkUsage(environment, reading),
  ];
}
