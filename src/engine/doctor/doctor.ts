import { SkillStore } from '../../catalog/store.ts';
import { readEnvironment, type EnvironmentOptions } from '../../platform/environment.ts';
import { checkScan, type Check } from './check-scan.ts';

/** Checks everything Skillplane depends on: what works, what is missing, how to fix it. Changes nothing. */
export async function doctor(options: EnvironmentOptions = {}): Promise<readonly Check[]> {
  // Lazy: it reaches every part of the engine.
  const [{ checkGit, checkNode, checkRest }, { checkReach }] = await Promise.all([
    import('./check-rest.ts'),
    import('./check-reach.ts'),
  ]);
  const environment = readEnvironment(options);
  const catalog = await new SkillStore({ environment }).loadAll();
  return [
    checkNode(),
    checkGit(environment),
    ...checkScan(catalog),
    ...(await checkReach(catalog, environment)),
    ...(await checkRest(catalog, environment)),
  ];
}
