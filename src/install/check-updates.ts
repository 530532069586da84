import { basename } from 'node:path';

import type { AuditFinding } from '../audit/report.ts';
import type { DiagnosticCode } from '../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import { isPinned, isSameChoice } from '../model/origin.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { compareFiles, compareWithDisk, diffVersions, type FileChange } from './changes/compare-files.ts';
import { originOptions, type OriginContext } from './changes/skill-change.ts';
import { fetchUnlocked } from './fetch-unlocked.ts';
import { skillDirectory } from './install-place.ts';
import type { InstallRecord } from './install-record.ts';
import { toSkipped, type SkippedSkill } from './install-request.ts';
import type { OpenOrigin } from './origins/origin-kind.ts';
import { newestOrigin } from './origins/origin-kinds.ts';
import {
  fetchSkill,
  stageSkill,
  type FetchedSkill,
  type PrepareContext,
  type StagedSkill,
} from './staging/prepare-skill.ts';

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
  readonly failed: readonly SkippedSkill[];
}

/**
 * Prepares newer versions of installed skills. Each origin is fetched once for all its skills. A skill that is only in
 * the configuration is treated as outdated.
 */
export async function checkUpdates(records: readonly InstallRecord[], context: CheckContext): Promise<UpdateCheck> {
  const locked = records.flatMap((record) => record.locked ?? []);
  const loose = locked.filter(({ held }) => held !== true);
  const origins = Map.groupBy(
    loose.filter(({ origin }) => !isPinned(origin)),
    ({ origin: { kind, url, ref } }) => JSON.stringify([kind, url, ref]),
  );
  const checks: Checked[] = [];
  for (const group of origins.values()) checks.push(...(await checkGroup(group, context)));
  for (const { name, tracked, locked: entry } of records) {
    if (entry !== undefined || tracked === undefined) continue;
    const listed = await fetchUnlocked(tracked, context);
    const update = listed.ok
      ? await stageUpdate(listed.fetched, listed.onDisk, { ...context, isAdopted: true })
      : listed;
    checks.push(update.ok ? update : { failed: toSkipped(name, update) });
  }
  return {
    updates: checks.flatMap((check) => ('update' in check ? [check.update] : [])),
    current: checks.flatMap((check) => ('current' in check ? [check.current] : [])),
    pinned: loose.filter(({ origin }) => isPinned(origin)).map(({ name }) => name),
    held: locked.filter(({ held }) => held === true).map(({ name }) => name),
    failed: checks.flatMap((check) => ('failed' in check ? [check.failed] : [])),
  };
}

type CheckContext = OriginContext & PrepareContext;

type Checked = { readonly update: SkillUpdate } | { readonly current: string } | { readonly failed: SkippedSkill };

async function checkGroup(group: readonly LockedSkill[], context: CheckContext): Promise<readonly Checked[]> {
  const [first] = group;
  if (first === undefined) return [];
  const newest = await newestOrigin(first.origin, originOptions(context));
  if (!newest.ok) return group.map(({ name }) => ({ failed: toSkipped(name, newest) }));
  await using opened = newest.opened;
  opened.expect?.(group.filter((skill) => !isUnchanged(skill, opened)).map(({ path }) => path));
  const checks: Checked[] = [];
  for (const skill of group) {
    const checked = await checkSkill(skill, opened, context);
    checks.push(checked.ok ? checked : { failed: toSkipped(skill.name, checked) });
  }
  return checks;
}

function isUnchanged({ origin, path }: LockedSkill, { originOf }: OpenOrigin): boolean {
  const chosen = originOf(path);
  return chosen.ok && isSameChoice(origin, chosen.origin);
}

async function checkSkill(before: LockedSkill, opened: OpenOrigin, context: CheckContext): Promise<Outcome<Checked>> {
  const { name } = before;
  if (isUnchanged(before, opened)) return { ok: true, current: name };
  const fetched = await fetchSkill(opened, before, context);
  if (!fetched.ok) return fetched.code === 'SKILL_NOT_FOUND' ? goneFailure(before) : fetched;
  // The skill itself did not change.
  if (compareFiles(before.files, fetched.entry.files).length === 0) return { ok: true, current: name };
  return stageUpdate(fetched, before, { ...context, isAdopted: false });
}

function goneFailure({ name, origin, path }: LockedSkill): Failure {
  return fail('SKILL_NOT_FOUND', `${origin.url} no longer has ${path || 'any files'}; "${name}" stays as it is`);
}

/** Stages a new version, unless it gives no valid name and description while the installed one does. */
async function stageUpdate(
  fetched: FetchedSkill,
  before: LockedSkill,
  context: CheckContext & Pick<SkillUpdate, 'isAdopted'>,
): Promise<Outcome<{ readonly update: SkillUpdate }>> {
  const { name } = before;
  const dir = skillDirectory(context.place, name, before);
  const lost = findLosses(dir, fetched.skill);
  if (lost.length > 0) return fail('PARSE_FAILED', `${name}: the new version is not installed: ${lost.join('; ')}`);
  const after = await stageSkill(fetched, context, { dir, digest: before.digest });
  if (!after.ok) return after;
  const { addedFindings, refused, rules } = after;
  const { isAdopted } = context;
  const changes = compareFiles(before.files, after.entry.files);
  const localChanges = isAdopted ? [] : compareWithDisk(before, dir);
  const changed = new Set(changes.map(({ path }) => path));
  const touched = [...changes, ...localChanges.filter(({ path }) => !changed.has(path))];
  const diff = (): string => diffVersions(dir, after.dir, touched);
  const facts = { changes, localChanges, addedFindings, refused, rules, diff };
  return { ok: true, update: { name, before, after, isAdopted, ...facts } };
}

/** Why the new version lacks a valid name or description; nothing if the installed one lacks it, too. */
function findLosses(dir: string, skill: SkillDefinition): readonly string[] {
  const faults = findIdentityFaults(skill);
  if (faults.length === 0) return [];
  const installed = readSkillFolder(dir);
  return installed !== undefined && findIdentityFaults(installed).length === 0 ? faults : [];
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

/** The skill in a folder on disk, if it has a valid one. */
function readSkillFolder(dir: string): SkillDefinition | undefined {
  const folder = openSkillFolder(dir);
  const file = findSkillFile(folder.names());
  const content = file === undefined ? undefined : folder.read(file, MAX_SKILL_FILE_BYTES);
  if (file === undefined || content?.ok !== true) return undefined;
  const parsed = parseSkill(content.bytes, { dir, file });
  return parsed.ok ? parsed.skill : undefined;
}
