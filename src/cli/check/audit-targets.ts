import { basename, join } from 'node:path';

import { auditSkills, type AuditedSkills, type AuditSettings, type SkillAudit } from '../../audit.ts';
import type { Skill, Skills } from '../../index.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';

/** The audits of everything that the arguments mean. */
export interface AuditedTargets extends Omit<AuditedSkills, 'origin'> {
  /** Undefined if there are several; each audit's path is then a whole one. */
  readonly origin: string | undefined;
}

/**
 * Audits the skills that the arguments name: names, ids and globs of the catalog, folders and repositories. Without
 * arguments, all skills of the catalog.
 */
export async function auditTargets(invocation: Invocation): Promise<Outcome<AuditedTargets>> {
  const { cwd, env, options } = invocation;
  const args = [...new Set(invocation.args)];
  const settings = {
    cwd,
    env,
    skills: options.all('skill'),
    ref: options.text('ref'),
    useGitCredentials: options.has('useGitCredentials'),
  };
  const isNarrowed = settings.skills.length > 0 || settings.ref !== undefined;
  if (args.length === 0 && (isNarrowed || settings.useGitCredentials))
    throw new WrongUsage('--skill, --ref and --use-git-credentials need a folder or repository to audit');
  if (args.length > 0 && (isNarrowed || !args.some(isName))) return auditEach(args, invocation, settings);
  await using engine = await openEngine(invocation);
  if (args.length === 0) return await auditCatalog(engine, engine.catalog().skills);
  const found: AuditedTargets[] = [];
  for (const word of args) {
    const skills = isName(word) ? findMeant(engine, word) : [];
    const audited = skills.length > 0 ? await auditCatalog(engine, skills) : await auditSkills(word, settings);
    if (!audited.ok) return audited;
    found.push(audited);
  }
  return { ok: true, ...unite(found) };
}

/** Anything else is a path or an address. */
function isName(word: string): boolean {
  return !/[/\\:]|^\.{1,2}$|^~/.test(word);
}

/** The skills with this name or id, or those that a glob selects. */
function findMeant(engine: Skills, word: string): readonly Skill[] {
  const { skills } = engine.only([word]).catalog();
  const found = skills.length === 0 ? engine.find(word) : undefined;
  return found?.ok === true ? [found.skill] : skills;
}

async function auditEach(
  targets: readonly string[],
  invocation: Invocation,
  settings: AuditSettings,
): Promise<Outcome<AuditedTargets>> {
  const found: AuditedTargets[] = [];
  for (const target of targets) {
    const audited = await auditSkills(target, { ...settings, open: () => openEngine(invocation) });
    if (!audited.ok) return audited;
    found.push(audited);
  }
  return { ok: true, ...unite(found) };
}

/** A skill that cannot be audited is a notice if there are others. */
async function auditCatalog(engine: Skills, skills: readonly Skill[]): Promise<Outcome<AuditedTargets>> {
  const found: AuditedTargets[] = [];
  for (const { name } of skills) {
    const audited = await engine.trust.audit(name);
    if (!audited.ok && skills.length === 1) return audited;
    const audits = audited.ok ? [{ name, path: '', ...audited.audit }] : [];
    const notices = audited.ok ? [] : [`${name} was not audited: ${audited.message}`];
    const origin = audited.ok ? audited.realDir : undefined;
    found.push({ origin, commit: undefined, notices, diagnostics: [], audits });
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
