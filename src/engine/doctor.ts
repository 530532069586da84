import type { EnvironmentOptions } from '../platform/environment.ts';
import type { Check } from './doctor-checks.ts';

/** Checks everything Skillplane rests on: what is there, what is missing, how to repair it. Changes nothing. */
export async function doctor(options: EnvironmentOptions = {}): Promise<readonly Check[]> {
  const { runChecks } = await import('./doctor-checks.ts');
  return runChecks(options);
}
