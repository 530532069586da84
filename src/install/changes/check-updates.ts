import { basename, join } from 'node:path';

import { compareAudits } from '../../audit/compare-audits.ts';
import { prepareRules } from '../../audit/reading/examine-text.ts';
import type { AuditFinding } from '../../audit/report.ts';
import type { DiagnosticCode } from '../../model/diagnostic.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { isSameChoice, type Origin } from '../../model/origin.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import type { FetchOptions } from '../../platform/repository/git-address.ts';
import { openAuditGate, type AuditGate } from '../audit-gate.ts';
import type { OpenOrigin, OriginOptions } from '../origins/origin-kind.ts';
import { newestOrigin } from '../origins/origin-kinds.ts';
import { toSkipped } from '../staging/name-skills.ts';
import {
  auditFetched,
  fetchSkill,
  readSkillFolder,
  stageSkill,
  type FetchedSkill,
  type StagedSkill,
} from '../staging/stage-skill.ts';
import { compareFiles, compareWithDisk, diffVersions, type FileChange } from './compare-files.ts';
import type { ChangeContext } from './skill-change.ts';
import { groupForUpdate } from './update-groups.ts';

/** A newer version of an installed skill: staged and checked, but not yet installed. */
export interface SkillUpdate {
  readonly name: string;
  readonly before: LockedSkill;
  readonly after: StagedSkill;
  /** Only the configuration lists the skill, so `before` is what is on disk. With the update it gets its lock entry. */
  readonly isAdopted: boolean;
  /** Files that differ between the two versions. */
  readonly changes: readonly FileChange[];
  /** Files that were changed on disk since the installation; an update replaces them. */
  readonly localChanges: readonly FileChange[];
  /** Audit findings of the new version that the installed one does not have, the worst first. */
  readonly addedFindings: readonly AuditFinding[];
  /** Findings that `auditFailOn` refuses unless a person accepts them. */
  readonly refused: readonly AuditFinding[];
  /** Ids of all rules with findings that bad, accepted ones included. */
  readonly rules: readonly string[];
  /** Everything the update changes on disk, line by line. */
  readonly diff: () => string;
}

export interface UpdateCheck {
  readonly updates: readonly SkillUpdate[];
  /** Names of skills without a newer version. */
  readonly current: readonly string[];
  /** Names of skills that were installed at a fixed commit. */
  readonly pinned: readonly string[];
  /** Names of skills that `hold` keeps as they are. */
  readonly held: readonly string[];
  readonly failed: readonly (Omit<Failure, 'ok'> & { readonly name: string })[];
}

export interface CheckOptions extends Pick<FetchOptions, 'useGitCredentials' | 'signal' | 'timeoutMs'> {
  /** Ids or names of audit rules whose findings are accepted, although `auditFailOn` refuses them. */
  readonly allow?: readonly string[] | undefined;
}

/** Checks which skills have a newer version. Each origin is fetched once, however many skills it holds. */
export async function checkUpdates(skills: readonly LockedSkill[], context: OriginContext): Promise<UpdateCheck> {
  const { groups, pinned, held } = groupForUpdate(skills);
  const checks: Checked[] = [];
  for (const group of groups) checks.push(...(await checkGroup(group, context)));
  return {
    updates: checks.flatMap((check) => ('update' in check ? [check.update] : [])),
    current: checks.flatMap((check) => ('current' in check ? [check.current] : [])),
    pinned: pinned.map(({ name }) => name),
    held: held.map(({ name }) => name),
    failed: checks.flatMap((check) => ('failed' in check ? [check.failed] : [])),
  };
}

type Checked =
  | { readonly update: SkillUpdate }
  | { readonly current: string }
  | { readonly failed: UpdateCheck['failed'][number] };

async function checkGroup(group: readonly LockedSkill[], context: OriginContext): Promise<readonly Checked[]> {
  const [first] = group;
  if (first === undefined) return [];
  const isOpening = first.origin === context.first?.origin;
  const newest = await (isOpening ? context.first.opening : newestOrigin(first.origin, originOptions(context)));
  if (!newest.ok) return group.map(({ name }) => ({ failed: toSkipped(name, newest) }));
  await using opened = newest.opened;
  const checks: Checked[] = [];
  const gate = openAuditGate(context, context.options.allow);
  opened.expect?.(group.filter((skill) => !isUnchanged(skill, opened)).map(({ path }) => path));
  for (const skill of group) {
    const checked = await checkSkill(skill, opened, { ...context, gate });
    checks.push('ok' in checked ? { failed: toSkipped(skill.name, checked) } : checked);
  }
  return checks;
}

function isUnchanged({ origin, path }: LockedSkill, { originOf }: OpenOrigin): boolean {
  const chosen = originOf(path);
  return chosen.ok && isSameChoice(origin, chosen.origin);
}

export interface OriginContext extends ChangeContext {
  readonly options: CheckOptions;
  /** The origin whose newest version is being opened already. */
  readonly first?: FirstOrigin | undefined;
}

export interface FirstOrigin {
  readonly origin: Origin;
  readonly opening: ReturnType<typeof newestOrigin>;
}

/** How the origins of installed skills are opened. The rules of the audit are read while the first one is fetched. */
export function originOptions({ environment, place, state, options }: OriginContext): OriginOptions {
  return { ...options, environment, place, into: state.dir, onFetching: prepareRules };
}

interface GateContext extends ChangeContext {
  readonly gate: AuditGate;
}

async function checkSkill(
  before: LockedSkill,
  opened: OpenOrigin,
  { place, state, sync, gate }: GateContext,
): Promise<Exclude<Checked, { failed: unknown }> | Failure> {
  const { name, path } = before;
  if (isUnchanged(before, opened)) return { current: name };
  const fetched = await fetchSkill(opened, {
    name,
    path,
    into: state.newPath(),
    needsDescription: place.scope === 'project',
  });
  if (!fetched.ok) return fetched.code === 'SKILL_NOT_FOUND' ? goneFailure(before) : fetched;
  const changes = compareFiles(before.files, fetched.entry.files);
  // Only other parts of the origin changed.
  if (changes.length === 0) return { current: name };
  const dir = join(place.root, name);
  const judged = await judgeVersion(fetched, { dir, digest: before.digest }, gate);
  if (!judged.ok) return judged;
  const after = stageSkill(fetched, sync);
  if (!after.ok) return after;
  const localChanges = compareWithDisk(before, dir);
  const diff = (): string => {
    const touched = [...changes, ...localChanges].filter(
      ({ path: one }, at, all) => all.findIndex((other) => other.path === one) === at,
    );
    return diffVersions(dir, after.dir, touched);
  };
  const { addedFindings, refused, rules } = judged;
  const facts = { changes, localChanges, addedFindings, refused, rules };
  return { update: { name, before, after, isAdopted: false, ...facts, diff } };
}

/** Audits a new version, and refuses it if it gives no valid name and description while the installed one does. */
export async function judgeVersion(
  fetched: FetchedSkill,
  installed: { readonly dir: string; readonly digest: string },
  gate: AuditGate,
): Promise<Outcome<Pick<SkillUpdate, 'addedFindings' | 'refused' | 'rules'>>> {
  const { entry, skill } = fetched;
  const lost = findLosses(installed.dir, skill);
  if (lost.length > 0)
    return fail('PARSE_FAILED', `${entry.name}: the new version is not installed: ${lost.join('; ')}`);
  const audit = await auditFetched(fetched);
  const added = await compareAudits(installed.dir, audit);
  const verdict = gate.judge(entry, audit.findings);
  if (!verdict.ok) return verdict;
  const { rules } = verdict;
  if (verdict.refused.length === 0) return { ok: true, addedFindings: added, refused: [], rules };
  const accepted = gate.find(installed.digest);
  if (!accepted.ok) return accepted;
  // Findings that were accepted in the installed version need no second yes.
  const refused = verdict.refused.filter((one) => added.includes(one) || !accepted.rules.includes(one.rule));
  return { ok: true, addedFindings: added, refused, rules };
}

/** Why the new version lacks a valid name or description; nothing if the installed one lacks it, too. */
function findLosses(installed: string, skill: SkillDefinition): readonly string[] {
  const faults = findIdentityFaults(skill);
  if (faults.length === 0) return [];
  const read = readSkillFolder(installed);
  return read.ok && findIdentityFaults(read.skill).length === 0 ? faults : [];
}

const IDENTITY_FAULTS: ReadonlySet<DiagnosticCode> = new Set([
  'FRONTMATTER_MISSING',
  'FRONTMATTER_NOT_CLOSED',
  'INVALID_NAME',
  'DESCRIPTION_MISSING',
]);

function findIdentityFaults({ file, isNamed, diagnostics }: SkillDefinition): readonly string[] {
  const faults = diagnostics.filter(({ code }) => IDENTITY_FAULTS.has(code)).map(({ message }) => message);
  const all = isNamed ? faults : [...faults, 'it has no name'];
  return all.map((fault) => `${basename(file)}: ${fault}`);
}

function goneFailure({ name, origin, path }: LockedSkill): Failure {
  return fail('SKILL_NOT_FOUND', `${origin.url} no longer has ${path || 'any files'}; "${name}" stays as it is`);
}
