import { basename, dirname, join, resolve } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import { auditFolder } from '../audit/audit-folder.ts';
import { auditRepositoryFolder } from '../audit/audit-repository.ts';
import { locateSkill } from '../catalog/locate.ts';
import type { SkillCatalog } from '../catalog/open-catalog.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcome.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import type { Environment } from '../platform/environment.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { temporaryFolder } from '../platform/process/programs.ts';
import { openFolderRepository } from '../platform/repository/folder-repository.ts';
import { openRepository } from '../platform/repository/open-repository.ts';
import type { Repository } from '../platform/repository/repository.ts';
import { findSkills } from './origins/find-skills.ts';
import { pickWanted } from './origins/pick-skills.ts';
import { parseRepositoryUrl } from './origins/repository-url.ts';

/** An audit, and what it is of. */
export interface SkillAudit extends Audit {
  /** The skill's name, or that of the folder where it is no skill; hostile text. */
  readonly name: string;
  /** Its folder, from the origin; empty for the origin itself. */
  readonly path: string;
}

export interface AuditedSkills {
  /** A folder, or the address of a repository without its credentials. */
  readonly origin: string;
  /** Of a repository: what was looked at. */
  readonly commit: string | undefined;
  /** What the person who asked should know. */
  readonly notices: readonly string[];
  /** Why a SKILL.md is none of the skills. */
  readonly diagnostics: readonly Diagnostic[];
  readonly audits: readonly SkillAudit[];
}

export interface AuditOptions {
  /** Opens what knows the skills of this machine; called where a name is all there is. */
  readonly open: () => Promise<SkillCatalog>;
  readonly environment: Environment;
  /** Of several skills only these, by name or by folder; else all. */
  readonly skills?: readonly string[] | undefined;
  /** A branch, tag or commit of a repository. */
  readonly ref?: string | undefined;
  readonly useGitCredentials?: boolean | undefined;
}

/**
 * Looks at skills before they are trusted, and runs nothing of them: at a skill of the catalog by its name, at a folder
 * as it lies, or at a repository, of which nothing is checked out.
 */
export async function auditTarget(target: string, options: AuditOptions): Promise<Outcome<AuditedSkills>> {
  const folder = findFolder(resolve(options.environment.cwd, target));
  const isName = !/[/\\:]|^\.{1,2}$|^~/.test(target);
  if (isName && options.ref === undefined) {
    const named = await auditNamed(target, options);
    if (named.ok || folder === undefined) return named;
  }
  if (folder === undefined || options.ref !== undefined) return auditRemote(folder ?? target, options);
  return auditLocal(folder, options);
}

/** The folder without links; a path to a SKILL.md means its folder. */
function findFolder(path: string): string | undefined {
  const real = realPath(basename(path).toLowerCase() === 'skill.md' ? dirname(path) : path);
  return real !== undefined && listDirectory(real).state === 'listed' ? real : undefined;
}

async function auditNamed(name: string, options: AuditOptions): Promise<Outcome<AuditedSkills>> {
  await using catalog = await options.open();
  const found = catalog.find(name);
  if (!found.ok) return found;
  const { roots } = catalog.catalog();
  const located = locateSkill(found.skill, { roots, userId: catalog.environment.userId });
  if (!located.ok) return located;
  return await auditLocal(located.realDir, options, found.skill.name);
}

async function auditLocal(
  dir: string,
  options: AuditOptions,
  name: string = basename(dir),
): Promise<Outcome<AuditedSkills>> {
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map((entry) => entry.name) : [];
  // What is a skill itself is looked at even where nothing could list it for an installation.
  if (findSkillFile(names) !== undefined && (options.skills ?? []).length === 0) return auditSkillFolder(dir, name);
  const opened = openFolderRepository(dir);
  if (!opened.ok) return opened;
  const audit = (path: string): ReturnType<typeof auditFolder> => auditFolder(join(dir, path));
  return auditFound({ repository: opened.repository, origin: dir, name, path: undefined, audit }, options);
}

async function auditSkillFolder(dir: string, name: string): Promise<Outcome<AuditedSkills>> {
  const audited = await auditFolder(dir);
  if (!audited.ok) return audited;
  const audits = [{ name, path: '', ...audited.audit }];
  return { ok: true, origin: dir, commit: undefined, notices: [], diagnostics: [], audits };
}

async function auditRemote(target: string, options: AuditOptions): Promise<Outcome<AuditedSkills>> {
  const address = parseRepositoryUrl(target);
  if (!address.ok) return address;
  const { environment, ref, useGitCredentials } = options;
  const how = { environment, into: temporaryFolder(), ref, useGitCredentials };
  const fetched = await openRepository(address, how);
  if (!fetched.ok) return fetched;
  await using repository = fetched.repository;
  const { display: origin, name, path } = address;
  const audit = (folder: string): ReturnType<typeof auditFolder> => auditRepositoryFolder(repository, folder);
  return await auditFound({ repository, origin, name, path, audit }, options);
}

interface Ground {
  readonly repository: Repository;
  readonly origin: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly audit: (path: string) => ReturnType<typeof auditFolder>;
}

async function auditFound(ground: Ground, { skills: wanted = [] }: AuditOptions): Promise<Outcome<AuditedSkills>> {
  const { repository, origin, name, path, audit } = ground;
  const { commit, notices } = repository;
  const listed = await repository.listTree();
  if (!listed.ok) return listed;
  const read: Repository['readBlob'] = (id, maxBytes) => repository.readBlob(id, maxBytes);
  const { skills, diagnostics } = await findSkills({ entries: listed.entries, read, repositoryName: name, path });
  const picked = pickWanted(skills, wanted);
  if (!picked.ok) return picked;
  const all = skills.length > 0 ? skills : [{ name, path: path ?? '' }];
  const targets = wanted.length > 0 ? picked.picked : all;
  const audits: SkillAudit[] = [];
  for (const target of targets) {
    const audited = await audit(target.path);
    if (!audited.ok) return audited;
    audits.push({ name: target.name, path: target.path, ...audited.audit });
  }
  return { ok: true, origin, commit, notices, diagnostics, audits };
}
