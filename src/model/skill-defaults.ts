import type { SkillDefinition } from './skill.ts';

/** The values in the record of a skill that does not set these fields. */
export const DEFAULT_VERSION = '1.0.0';
export const DEFAULT_DOMAIN = 'development';

/** Which of the two hold a default; shared, since most skills set neither. */
export function listDefaults(version: string | undefined, domain: string | undefined): SkillDefinition['defaults'] {
  if (version === undefined) return domain === undefined ? BOTH : VERSION_ONLY;
  return domain === undefined ? DOMAIN_ONLY : undefined;
}

const BOTH: SkillDefinition['defaults'] = ['version', 'domain'];
const VERSION_ONLY: SkillDefinition['defaults'] = ['version'];
const DOMAIN_ONLY: SkillDefinition['defaults'] = ['domain'];
