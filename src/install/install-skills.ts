import { refuseFindings } from '../audit/policy.ts';
import { summariseAudit } from '../audit/summary.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { isTaken } from '../platform/files/files.ts';
import { openAuditGate } from './audit-gate.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import { compareWithDisk } from './changes/compare-files.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { skillDirectory } from './install-place.ts';
import {
  toSkipped,
  type InstallDecisions,
  type InstalledSkill,
  type InstallPreview,
  type InstallReport,
  type InstallOptions,
  type SkippedSkill,
} from './install-request.ts';
import type { RepositorySkills } from './origins/find-skills.ts';
import type { OpenOrigin } from './origins/origin-kind.ts';
import { resolveOrigin } from './origins/origin-kinds.ts';
import { pickSkills } from './origins/pick-skills.ts';
import { nameSkills, refuseName, type NamedSkill, type PickedSkill } from './staging/name-skills.ts';
import { prepareSkill, type PrepareContext, type PreparedSkill } from './staging/prepare-skill.ts';

/** Installs skills from an origin in one change: fetch, find, pick, then the steps of `installPicked`. */
export async function installSkills(
  request: InstallOptions,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const { url, ref, useGitCredentials, signal, allow } = request;
  const { environment, place, work } = context;
  const { onProgress: report, pick, rename } = decisions;
  // Nothing is fetched for a name that cannot be used, unless another one can be asked for.
  const refused = request.name === undefined || rename !== undefined ? undefined : refuseName(request.name);
  if (refused !== undefined) return refused;
  report?.({ phase: 'fetch', percent: 0 });
  const resolved = await resolveOrigin(url, {
    environment,
    place,
    into: work.dir,
    ref,
    useGitCredentials,
    signal,
    onProgress: report && (({ percent }) => report({ phase: 'fetch', percent })),
  });
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const found = await opened.find();
  if (!found.ok) return found;
  if (found.skills.length === 0) return explainNone(opened.display, found.diagnostics);
  const wanted = [...(request.skills ?? []), ...(opened.skill === undefined ? [] : [opened.skill])];
  const picked = await pickSkills(found.skills, { wanted, all: request.all, ask: pick });
  if (!picked.ok) return picked;
  const skills = picked.picked.map((skill) => ({ ...skill, origin: opened }));
  const gate = openAuditGate(context, allow);
  return await installPicked(skills, describeOrigin(opened, found), { ...context, gate, request, decisions });
}

export type OriginFacts = Omit<InstallPreview, 'skills' | 'skipped'>;

interface InstallContext extends PrepareContext {
  readonly decisions: InstallDecisions;
  readonly request: Pick<InstallOptions, 'name' | 'replace' | 'all' | 'force' | 'signal'>;
}

/** Installs skills, each with its own origin: name, prepare, compare, ask, put in place. */
export async function installPicked(
  picked: readonly PickedSkill[],
  facts: OriginFacts,
  context: InstallContext,
): Promise<Outcome<InstallReport>> {
  const { request, decisions } = context;
  const isLenient = request.all === true;
  const named = await nameSkills(picked, { ...context, ...request, rename: decisions.rename, isLenient });
  if (!named.ok) return named;
  const prepared = await prepareAll(named.skills, context);
  if (!prepared.ok) return prepared;
  let left: readonly PreparedSkill[] = prepared.skills;
  try {
    const { fresh, present, changed } = compareInstalled(prepared.skills, context);
    const [conflict] = changed;
    if (conflict !== undefined && !isLenient) return fail(conflict.code, conflict.message, conflict.next);
    const skipped = [...named.skipped, ...prepared.skipped, ...changed];
    if (fresh.length === 0 && present.length > 0) return { ok: true, ...facts, skipped, installed: [], present };
    const confirmed = await confirmInstall(fresh, { ...facts, skipped }, context);
    if (!confirmed.ok) return confirmed;
    const installed = await putInPlace(confirmed.skills, context);
    if (!installed.ok) return installed;
    const inPlace = new Set(confirmed.skills.map(({ dir }) => dir));
    left = left.filter(({ dir }) => !inPlace.has(dir));
    return { ok: true, ...facts, skipped: [...skipped, ...confirmed.refused], installed: installed.skills, present };
  } finally {
    discardStaged(left, context);
  }
}

const MAX_NAMED = 5;

export function explainNone(display: string, diagnostics: readonly Diagnostic[]): Failure {
  if (diagnostics.length === 0) return fail('SKILL_NOT_FOUND', `no skills in ${display}: no folder has a SKILL.md`);
  const reasons = diagnostics.map(({ path, message }) => `${path}: ${message}`);
  const shown = listSome(reasons, { most: MAX_NAMED, separator: '; ' });
  return fail('SKILL_NOT_FOUND', `no skills in ${display}; ${shown}`);
}

function describeOrigin(
  { display, choice, files, notices }: OpenOrigin,
  { skills, diagnostics }: RepositorySkills,
): OriginFacts {
  const known = new Set(skills.map(({ file }) => file));
  const others = diagnostics.filter(({ path }) => !known.has(path));
  return { from: display, choice, commit: files.commit, notices, diagnostics: others };
}

/** A prepared skill, and the skills it replaces or hides. */
type FreshSkill = PreparedSkill & Pick<NamedSkill, 'before' | 'conflict'>;

/** Prepares every skill. On failure, nothing remains. */
async function prepareAll(
  named: readonly NamedSkill[],
  context: InstallContext,
): Promise<Outcome<{ readonly skills: readonly FreshSkill[]; readonly skipped: readonly SkippedSkill[] }>> {
  const { decisions, request } = context;
  const skills: FreshSkill[] = [];
  const skipped: SkippedSkill[] = [];
  const giveUp = (why: Failure): Failure => {
    discardStaged(skills, context);
    return why;
  };
  for (const [origin, group] of Map.groupBy(named, ({ found }) => found.origin))
    origin.expect?.(group.map(({ found }) => found.path));
  for (const [at, { name, found, before, conflict }] of named.entries()) {
    decisions.onProgress?.({ phase: 'check', percent: Math.round((100 * at) / named.length) });
    if (request.signal?.aborted === true) return giveUp(CANCELLED);
    const prepared = await prepareSkill(found.origin, { name, path: found.path }, context);
    if (prepared.ok) skills.push({ ...prepared, before, conflict });
    else if (request.all === true) skipped.push(toSkipped(name, prepared));
    else return giveUp(prepared);
  }
  return { ok: true, skills, skipped };
}

export const CANCELLED: Failure = fail('INSTALL_FAILED', 'cancelled; nothing was installed');

interface InstalledComparison {
  readonly fresh: readonly FreshSkill[];
  /** Installed already, with the same files. */
  readonly present: readonly string[];
  /** Installed already, with other files. */
  readonly changed: readonly SkippedSkill[];
}

/** Separates new skills from installed ones. With `force`, all are new. */
function compareInstalled(prepared: readonly FreshSkill[], { place, request }: InstallContext): InstalledComparison {
  const fresh: FreshSkill[] = [];
  const present: string[] = [];
  const changed: SkippedSkill[] = [];
  for (const skill of prepared) {
    const { before, entry } = skill;
    const { name, digest } = entry;
    const dir = skillDirectory(place, name, before);
    if (before === undefined || request.force === true) fresh.push(skill);
    else if (before.digest === digest && isTaken(dir) && compareWithDisk(before, dir).length === 0) present.push(name);
    else changed.push({ name, ...isDifferent(name, dir) });
  }
  return { fresh, present, changed };
}

function isDifferent(name: string, dir: string): Omit<SkippedSkill, 'name'> {
  return {
    code: 'ALREADY_EXISTS',
    message: `"${name}" is already installed in ${dir}, with other files`,
    next: {
      either: [
        { do: 'update', skill: name },
        { give: 'force', aim: 'replace it' },
        { give: 'name', aim: 'give the new one another name' },
      ],
    },
  };
}

/**
 * Shows prepared skills with their audits and asks. A yes accepts all findings. Without a question, `auditFailOn` decides.
 * Accepted findings are remembered with the digest of the skill.
 */
async function confirmInstall(
  prepared: readonly FreshSkill[],
  facts: Omit<InstallPreview, 'skills'>,
  { decisions: { confirm, onPreview }, gate, request }: InstallContext,
): Promise<Outcome<{ readonly skills: readonly FreshSkill[]; readonly refused: readonly SkippedSkill[] }>> {
  const [skipped] = facts.skipped;
  if (prepared.length === 0) return skipped === undefined ? NOTHING : fail(skipped.code, skipped.message, skipped.next);
  const skills = prepared.map((skill) => ({ ...skill, audit: summariseAudit(skill.audit, { lines: 3 }) }));
  // Only `true` is a yes: callers without types may return anything.
  const answer: unknown =
    confirm === undefined ? onPreview?.({ ...facts, skills }) : await confirm({ ...facts, skills });
  if (confirm !== undefined && answer !== true) return NOTHING;
  const isRefused = ({ refused }: PreparedSkill): boolean => confirm === undefined && refused.length > 0;
  const refused = prepared.filter(isRefused).map(({ entry: { name }, refused: findings }) => ({
    name,
    failure: refuseFindings(name, findings),
  }));
  const [first] = refused;
  if (first !== undefined && (request.all !== true || refused.length === prepared.length)) return first.failure;
  const accepted = prepared.filter((skill) => !isRefused(skill));
  const remembered = await gate.accept(accepted);
  if (!remembered.ok) return remembered;
  return { ok: true, skills: accepted, refused: refused.map(({ name, failure }) => toSkipped(name, failure)) };
}

const NOTHING: Failure = fail('INSTALL_FAILED', 'nothing was installed');

async function putInPlace(
  prepared: readonly FreshSkill[],
  context: InstallContext,
): Promise<Outcome<{ readonly skills: readonly InstalledSkill[] }>> {
  context.decisions.onProgress?.({ phase: 'write', percent: 100 });
  const changes = prepared.map(({ dir, entry, before }) => ({ name: entry.name, before, after: { entry, dir } }));
  const changed = await changeSkills(changes, context);
  if (!changed.ok) return changed;
  return {
    ok: true,
    skills: prepared.map(({ before, entry: { name, digest } }) => {
      return { name, path: skillDirectory(context.place, name, before), digest };
    }),
  };
}
