import { openTrust } from '../catalog/trust.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';

/** May a skill run what it brings? Its folder is read only where somebody has trusted it before. */
export function openTrustLookup({
  environment,
}: {
  readonly environment: Pick<Environment, 'agentHome'>;
}): (skill: Skill) => boolean {
  const trust = openTrust(environment.agentHome);
  return (skill) => trust.judge(skill).ok;
}
