import { openCatalog, type SkillCatalog } from '../catalog/open-catalog.ts';
import type { AuditedSkills, AuditOptions } from '../install/audit-target.ts';
import type { Outcome } from '../model/outcome.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';

export interface AuditSettings extends EnvironmentOptions, Omit<AuditOptions, 'open' | 'environment'> {
  /** Opens the skills in which a name is looked up; those of this machine and project. */
  readonly open?: () => Promise<SkillCatalog>;
}

/**
 * Looks at what skills would bring before they are trusted: a skill by its name, a folder, or a repository in any form
 * that people write it in. Runs nothing of them. The result is advice: no findings do not prove that a skill is safe.
 */
export async function auditSkills(target: string, settings: AuditSettings = {}): Promise<Outcome<AuditedSkills>> {
  // Lazy: callers that only read skills should not pay for the rules.
  const { auditTarget } = await import('../install/audit-target.ts');
  const { open = () => openCatalog(settings), ...options } = settings;
  return auditTarget(target, { ...options, environment: readEnvironment(settings), open });
}
