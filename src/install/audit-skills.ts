import { basename, dirname, resolve } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import { locateSkill } from '../catalog/locate.ts';
import { openStore, type SkillStore } from '../catalog/store.ts';
import { ENVIRONMENT_KINDS } from '../config/settings.ts';
import { aBoolean, aFunction, aString, checkCall, optionsOf, strings } from '../model/check-arguments.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcome.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { temporaryFolder } from '../platform/process/programs.ts';
import type { Repository } from '../platform/repository/repository.ts';
import type { RepositorySkills } from './origins/find-skills.ts';

/** The audit of one skill. */
export interface SkillAudit extends Audit {
  /** The skill's name, or the folder's if it holds no skill. Hostile text. */
  readonly name: string;
  /** Its folder, relative to the origin; empty for the origin itself. */
  readonly path: string;
}

export interface AuditedSkills {
  /** A folder, or the address of a repository without credentials. */
  readonly origin: string;
  /** The commit that was audited; undefined for a folder. */
  readonly commit: string | undefined;
  /** Remarks about the repository for the person who asked. */
  readonly notices: readonly string[];
  /** Every SKILL.md that could not be read as a skill, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
  readonly audits: readonly SkillAudit[];
}

export interface AuditSettings extends EnvironmentOptions {
  /** Opens the catalog in which a name is looked up; by default, that of this machine and project. */
  readonly open?: () => Promise<Pick<SkillStore, 'environment' | 'catalog' | 'find'> & AsyncDisposable>;
  /** If there are several skills, audit only these (names or folders); by default, all. */
  readonly skills?: readonly string[] | undefined;
  /** A branch, tag or commit of a repository. */
  readonly ref?: string | undefined;
  readonly useGitCredentials?: boolean | undefined;
  /**
   * Also run a folder's scripts in the strongest sandbox, with planted secrets and a fake internet that only records.
   * Refused without such a sandbox.
   */
  readonly run?: boolean | undefined;
}

const SETTINGS = optionsOf<AuditSettings>({
  ...ENVIRONMENT_KINDS,
  open: aFunction,
  skills: strings,
  ref: aString,
  useGitCredentials: aBoolean,
  run: aBoolean,
});

/**
 * Audits skills before anyone trusts them. The target is a skill's name, a folder, or the address of a repository.
 * Nothing of a skill is run unless `run` is set, and nothing of a repository is checked out. The result is advice: finding nothing proves
 * nothing.
 */
export async function auditSkills(target: string, settings: AuditSettings = {}): Promise<Outcome<AuditedSkills>> {
  checkCall('auditSkills(target, settings?)', { target: [target, aString], settings: [settings, SETTINGS] });
  const audited = await auditTarget(target, settings);
  if (!audited.ok || settings.run !== true) return audited;
  // Lazy: few audits run scripts.
  const { runAudited } = await import('./run-audited.ts');
  return runAudited(audited, readEnvironment(settings));
}

async function auditTarget(target: string, settings: AuditSettings): Promise<Outcome<AuditedSkills>> {
  const folder = findFolder(resolve(readEnvironment(settings).cwd, target));
  const isName = !/[/\\:]|^\.{1,2}$|^~/.test(target);
  if (isName && settings.ref === undefined) {
    const named = await auditNamed(target, settings);
    if (named.ok || folder === undefined) return named;
  }
  if (folder === undefined || settings.ref !== undefined) return auditRemote(folder ?? target, settings);
  return auditLocal(folder, settings);
}

/** The folder's real path; a path to a SKILL.md means its folder. */
function findFolder(path: string): string | undefined {
  const real = realPath(basename(path).toLowerCase() === 'skill.md' ? dirname(path) : path);
  return real !== undefined && listDirectory(real).state === 'listed' ? real : undefined;
}

async function auditNamed(name: string, settings: AuditSettings): Promise<Outcome<AuditedSkills>> {
  await using store = await (settings.open ?? (() => openStore(settings)))();
  const found = store.find(name);
  if (!found.ok) return found;
  const { roots } = store.catalog();
  const located = locateSkill(found.skill, { roots, userId: store.environment.userId });
  if (!located.ok) return located;
  return await auditLocal(located.realDir, settings, found.skill.name);
}

async function auditLocal(
  dir: string,
  settings: AuditSettings,
  name: string = basename(dir),
): Promise<Outcome<AuditedSkills>> {
  const { openFolderRepository, openWholeFolder } = await import('../platform/repository/folder-repository.ts');
  const files = openWholeFolder(dir);
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map((entry) => entry.name) : [];
  // A skill's own folder is audited even if it could not be listed for an installation.
  if (findSkillFile(names) !== undefined && (settings.skills ?? []).length === 0)
    return auditFound({ origin: dir, files, notices: [], skills: [{ name, path: '' }], diagnostics: [] });
  const opened = openFolderRepository(dir);
  if (!opened.ok) return opened;
  const { findInRepository } = await import('./origins/find-skills.ts');
  const found = await findInRepository(opened.repository, { name });
  return found.ok ? auditPicked({ origin: dir, files, notices: [], ...found }, settings.skills) : found;
}

async function auditRemote(target: string, settings: AuditSettings): Promise<Outcome<AuditedSkills>> {
  // Lazy: installed skills are audited without git.
  const { resolveOrigin } = await import('./origins/origin-kinds.ts');
  const { ref, useGitCredentials, skills = [] } = settings;
  const environment = readEnvironment(settings);
  const resolved = await resolveOrigin(target, { environment, into: temporaryFolder(), ref, useGitCredentials });
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const { display: origin, skill, files, notices } = opened;
  const found = await opened.find();
  if (!found.ok) return found;
  return await auditPicked({ origin, files, notices, ...found }, skill === undefined ? skills : [...skills, skill]);
}

interface Found {
  readonly origin: string;
  readonly files: Repository;
  readonly notices: readonly string[];
  readonly skills: readonly Pick<SkillAudit, 'name' | 'path'>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Audits the wanted skills, or all; everything there is, if there are no skills. */
async function auditPicked(
  found: Omit<Found, 'skills'> & RepositorySkills,
  wanted: readonly string[] = [],
): Promise<Outcome<AuditedSkills>> {
  const { origin, skills } = found;
  if (wanted.length === 0)
    return auditFound(skills.length > 0 ? found : { ...found, skills: [{ name: basename(origin), path: '' }] });
  const { pickWanted } = await import('./origins/pick-skills.ts');
  const picked = pickWanted(skills, wanted);
  return picked.ok ? auditFound({ ...found, skills: picked.picked }) : picked;
}

async function auditFound({ origin, files, notices, skills, diagnostics }: Found): Promise<Outcome<AuditedSkills>> {
  // Lazy: the names of rules are needed more often than the rules.
  const { auditRepository } = await import('../audit/audit-repository.ts');
  const audits: SkillAudit[] = [];
  for (const { name, path } of skills) {
    const audited = await auditRepository(files, path);
    if (!audited.ok) return audited;
    audits.push({ name, path, ...audited.audit });
  }
  return { ok: true, origin, commit: files.commit, notices, diagnostics, audits };
}
