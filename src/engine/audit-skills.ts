import type { Outcome } from '../model/outcome.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import type { AuditedSkills, AuditOptions } from './audit.ts';
import { openCatalog } from './open-catalog.ts';

export type { AuditedSkills, AuditFinding, AuditSeverity, SkillAudit } from './audit.ts';

export interface AuditSettings extends EnvironmentOptions, Omit<AuditOptions, 'open' | 'environment'> {}

/**
 * Looks at what skills would bring before they are trusted, and runs nothing of them: a skill by its name, a folder, or
 * a repository in any form that people write it in. It is advice: finding nothing proves nothing.
 */
export async function auditSkills(target: string, settings: AuditSettings = {}): Promise<Outcome<AuditedSkills>> {
  // Whoever only reads skills does not pay for the rules.
  const { auditTarget } = await import('./audit.ts');
  const environment = readEnvironment(settings);
  return auditTarget(target, { ...settings, environment, open: () => openCatalog(settings) });
}
