import { SkillStore } from '../../catalog/store.ts';
import { readEnvironment, type EnvironmentOptions } from '../../platform/environment.ts';
import type { Check } from './check.ts';

/** Checks everything Skillplane rests on: what is there, what is missing, how to repair it. Changes nothing. */
export async function doctor(options: EnvironmentOptions = {}): Promise<readonly Check[]> {
  // Lazy: they reach every part of the engine.
  const [machine, skills] = await Promise.all([import('./check-machine.ts'), import('./check-skills.ts')]);
  const environment = readEnvironment(options);
  const catalog = await new SkillStore({ environment }).loadAll();
  const { reading } = catalog;
  return [
    machine.checkNode(),
    machine.checkGit(environment),
    ...machine.checkConfig(reading),
    ...skills.checkSources(catalog),
    ...skills.checkSkills(catalog),
    ...skills.checkPlugins(reading),
    ...skills.checkCopies(catalog),
    ...skills.checkCommandFiles(catalog, environment),
    ...skills.checkPublishing(catalog, environment),
    ...machine.checkHosts(environment),
    await machine.checkSandbox(reading),
    ...(await machine.checkEmbeddings(environment, reading)),
    machine.checkCache(environment),
    machine.checkUsage(environment, reading),
  ];
}
