import { join } from 'node:path';

import { refuseFindings } from '../../audit/policy.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { isTaken } from '../../platform/files/files.ts';
import { openWebReaders } from '../../platform/web/web-reader.ts';
import { openAuditGate, type AuditGate } from '../audit-gate.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import { fetchOrigin } from '../origins/origin-kinds.ts';
import { findTreePathFault } from '../staging/path-faults.ts';
import { auditFetched, fetchSkill, stageSkill, type FetchedSkill } from '../staging/stage-skill.ts';
import { changeSkills, discardStaged } from './change-skills.ts';
import { originOptions, type OriginContext } from './check-updates.ts';
import { compareFiles, compareWithDisk } from './compare-files.ts';
import type { SkillChange } from './skill-change.ts';

export interface RestoreReport {
  /** Names of skills that were missing or changed. Replaced versions can be restored with `rollback`. */
  readonly restored: readonly string[];
  /** Names of skills that already matched the lock. */
  readonly present: readonly string[];
}

/** Installs exactly the commits and files that the lock lists, or nothing. */
export async function restoreSkills(
  skills: readonly LockedSkill[],
  context: OriginContext,
): Promise<Outcome<RestoreReport>> {
  const fault = skills.map(findEntryFault).find((found) => found !== undefined);
  if (fault !== undefined) return fault;
  const isPresent = (skill: LockedSkill): boolean => {
    const dir = join(context.place.root, skill.name);
    return isTaken(dir) && compareWithDisk(skill, dir).length === 0;
  };
  const present = skills.filter(isPresent).map(({ name }) => name);
  const missing = skills.filter(({ name }) => !present.includes(name));
  const staged = await stageLocked(missing, context);
  if (!staged.ok) return staged;
  const changed = missing.length === 0 ? staged : await changeSkills(staged.changes, context);
  discardStaged(stagedVersions(staged.changes), context);
  return changed.ok ? { ok: true, restored: missing.map(({ name }) => name), present } : changed;
}

function findEntryFault({ name, path }: LockedSkill): Outcome<never> | undefined {
  const fault = path === '' ? undefined : findTreePathFault(path);
  return fault === undefined ? undefined : fail('PATH_REFUSED', `the lock: ${name}: ${fault}`);
}

/** So many origins are fetched at a time. */
const AT_ONCE = 8;

/** Stages every skill, or none. Skills of an index have an origin each, and a request each takes its time. */
async function stageLocked(
  skills: readonly LockedSkill[],
  context: OriginContext,
): Promise<Outcome<{ readonly changes: readonly SkillChange[] }>> {
  const groups = Object.values(Object.groupBy(skills, ({ origin }) => JSON.stringify(origin)));
  const waiting = groups.flatMap((group = [], at) => group.slice(0, 1).map(({ origin }) => ({ at, group, origin })));
  const staged: GroupChanges[] = [];
  using readers = openWebReaders();
  const gate = openAuditGate(context, context.options.allow);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { at, group, origin } = next;
      const fetched = await fetchOrigin(origin, { ...originOptions(context), readers });
      const changes: SkillChange[] = [];
      const done = fetched.ok ? await stageFrom(group, fetched.opened, { ...context, gate, changes }) : fetched;
      if (!done.ok) waiting.length = 0;
      staged.push({ at, changes, failure: done.ok ? undefined : done });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Origins are begun in order, so that the first failure is the same every time.
  const inOrder = staged.toSorted((a, b) => a.at - b.at);
  const changes = inOrder.flatMap((group) => group.changes);
  const failure = inOrder.find((group) => group.failure !== undefined)?.failure;
  if (failure === undefined) return { ok: true, changes };
  discardStaged(stagedVersions(changes), context);
  return failure;
}

interface GroupChanges {
  readonly at: number;
  readonly changes: readonly SkillChange[];
  readonly failure: Failure | undefined;
}

function stagedVersions(changes: readonly SkillChange[]): readonly { readonly dir: string }[] {
  return changes.flatMap(({ after }) => (after === undefined ? [] : [after]));
}

interface GroupContext extends OriginContext {
  readonly gate: AuditGate;
  readonly changes: SkillChange[];
}

async function stageFrom(
  group: readonly LockedSkill[],
  origin: OpenOrigin,
  { state, sync, place, changes, gate }: GroupContext,
): Promise<Outcome> {
  await using opened = origin;
  opened.expect?.(group.map(({ path }) => path));
  for (const locked of group) {
    const { name, path } = locked;
    const needsDescription = place.scope === 'project';
    const fetched = await fetchSkill(opened, { name, path, into: state.newPath(), needsDescription });
    if (!fetched.ok) return fetched;
    const { entry } = fetched;
    if (entry.digest !== locked.digest || compareFiles(locked.files, entry.files).length > 0)
      return fail(
        'INSTALL_FAILED',
        `"${name}": ${locked.origin.url} no longer has the files that the lock lists; nothing was installed`,
      );
    const passed = gate.isClosed ? await passGate(fetched, gate) : fetched;
    const staged = passed.ok ? stageSkill(fetched, sync) : passed;
    if (!staged.ok) return staged;
    changes.push({ name, before: locked, after: { entry: locked, dir: staged.dir } });
  }
  return { ok: true };
}

/** Audits a skill; fails if `auditFailOn` refuses it. Rules that were allowed are remembered. */
async function passGate(fetched: FetchedSkill, gate: AuditGate): Promise<Outcome> {
  const { entry } = fetched;
  const verdict = gate.judge(entry, (await auditFetched(fetched)).findings);
  if (!verdict.ok) return verdict;
  const { refused, rules } = verdict;
  const { name, digest } = entry;
  return refused.length > 0 ? refuseFindings(name, refused) : gate.remember([{ name, digest, rules }]);
}
