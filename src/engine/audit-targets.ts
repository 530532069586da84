import { basename, join } from 'node:path';

import { auditSkills, type AuditedSkills, type AuditSettings, type SkillAudit } from '../install/audit-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment } from '../platform/environment.ts';
import type { Skills } from './open-skills.ts';

/** The audits of everything that a list of words means. */
export interface AuditedTargets extends Omit<AuditedSkills, 'origin'> {
  /** Undefined if there are several; each audit's path is then a whole one. */
  readonly origin: string | undefined;
}

/**
 * Audits what words name: names, ids and globs of the catalog, folders and repositories. Without a word, all skills of the
 * catalog. `open` is called if the catalog is needed.
 */
export async function auditTargets(
  words: readonly string[],
  open: () => Promise<Skills>,
  settings: AuditSettings,
): Promise<Outcome<AuditedTargets>> {
  const targets = [...new Set(words)];
  const isNarrowed = (settings.skills ?? []).length > 0 || settings.ref !== undefined;
  if (targets.length > 0 && (isNarrowed || !targets.some(isName))) return auditEach(targets, { ...settings, open });
  await using engine = await open();
  if (targets.length === 0) return await auditCatalog(engine, engine.catalog().skills, settings);
  const found: AuditedTargets[] = [];
  for (const word of targets) {
    const skills = isName(word) ? findMeant(engine, word) : [];
    const audited =
      skills.length > 0 ? await auditCatalog(engine, skills, settings) : await auditSkills(word, settings);
    if (!audited.ok) return audited;
    found.push(audited);
  }
  return { ok: true, ...unite(found) };
}

/** Anything else is a path or a URL. */
function isName(word: string): boolean {
  return !/[/\\:]|^\.{1,2}$|^~/.test(word);
}

/** The skills with this name or id, or those that a glob selects. */
function findMeant(engine: Skills, word: string): readonly Skill[] {
  const { skills } = engine.only([word]).catalog();
  const found = skills.length === 0 ? engine.find(word) : undefined;
  return found?.ok === true ? [found.skill] : skills;
}

async function auditEach(targets: readonly string[], settings: AuditSettings): Promise<Outcome<AuditedTargets>> {
  const found: AuditedTargets[] = [];
  for (const target of targets) {
    const audited = await auditSkills(target, settings);
    if (!audited.ok) return audited;
    found.push(audited);
  }
  return { ok: true, ...unite(found) };
}

/** A skill that cannot be audited is a notice if there are others. */
async function auditCatalog(
  engine: Skills,
  skills: readonly Skill[],
  settings: AuditSettings,
): Promise<Outcome<AuditedTargets>> {
  const found: AuditedTargets[] = [];
  for (const { name } of skills) {
    const audited = await engine.trust.audit(name);
    if (!audited.ok && skills.length === 1) return audited;
    const audits = audited.ok ? [{ name, path: '', ...audited.audit }] : [];
    const notices = audited.ok ? [] : [`${name} was not audited: ${audited.message}`];
    const origin = audited.ok ? audited.realDir : undefined;
    const one = { commit: undefined, notices, diagnostics: [], audits };
    if (origin === undefined || settings.run !== true) {
      found.push({ origin, ...one });
      continue;
    }
    // Lazy: hardly any audit runs something.
    const { runAudited } = await import('../install/run-audited.ts');
    const ran = await runAudited({ origin, ...one }, readEnvironment(settings));
    if (!ran.ok) return ran;
    found.push(ran);
  }
  return { ok: true, ...unite(found) };
}

function unite(found: readonly AuditedTargets[]): AuditedTargets {
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  return {
    origin: undefined,
    commit: undefined,
    notices: found.flatMap(({ notices }) => notices),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
    audits: found.flatMap(({ origin, audits }) => audits.map((audit) => toWholePath(audit, origin))),
  };
}

function toWholePath(audit: SkillAudit, origin: string | undefined): SkillAudit {
  return origin === undefined ? audit : { ...audit, path: join(origin, audit.path) };
}

/** Places for SARIF, which must not reveal paths of this machine: below the folder of each skill. */
export function toPlaces({ origin, audits }: AuditedTargets): readonly SkillAudit[] {
  return origin === undefined ? audits.map((audit) => ({ ...audit, path: basename(audit.path) })) : audits;
}
