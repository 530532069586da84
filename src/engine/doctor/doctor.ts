import type { EnvironmentOptions } from '../../platform/environment.ts';
import type { Check } from './check.ts';

/** Checks everything Skillplane rests on: what is there, what is missing, how to repair it. Changes nothing. */
export async function doctor(options: EnvironmentOptions = {}): Promise<readonly Check[]> {
  const { runChecks } = await import('./run-checks.ts');
  return runChecks(options);
}
