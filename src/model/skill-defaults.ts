import type { SkillDefinition } from './skill.ts';

/** The values in the record of a skill that does not set these fields. */
export const DEFAULT_VERSION = '1.0.0';
export const DEFAULT_DOMAIN = 'development';

/** Which of the two hold a default; shared, since most skills set neither. */
export function markDefaults(
  given: Partial<Record<'version' | 'domain', string | undefined>>,
): Pick<SkillDefinition, 'defaults'> {
  if (given.version === undefined) return given.domain === undefined ? BOTH_DEFAULT : VERSION_DEFAULT;
  return given.domain === undefined ? DOMAIN_DEFAULT : NO_DEFAULT;
}

const BOTH_DEFAULT: Pick<SkillDefinition, 'defaults'> = { defaults: ['version', 'domain'] };
const VERSION_DEFAULT: Pick<SkillDefinition, 'defaults'> = { defaults: ['version'] };
const DOMAIN_DEFAULT: Pick<SkillDefinition, 'defaults'> = { defaults: ['domain'] };
const NO_DEFAULT: Pick<SkillDefinition, 'defaults'> = {};
