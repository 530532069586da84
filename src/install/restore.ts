import { refuseFindings } from '../audit/policy.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { isTaken } from '../platform/files/files.ts';
import { openWebReaders, type WebReaders } from '../platform/web/web-reader.ts';
import { openAuditGate } from './audit-gate.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import { compareFiles, compareWithDisk } from './changes/compare-files.ts';
import { originOptions, type OriginContext } from './changes/skill-change.ts';
import { skillDirectory } from './install-place.ts';
import type { OpenOrigin } from './origins/origin-kind.ts';
import { fetchOrigin } from './origins/origin-kinds.ts';
import { findTreePathFault } from './staging/path-faults.ts';
import { fetchSkill, stageSkill, type PrepareContext, type PreparedSkill } from './staging/prepare-skill.ts';

export interface RestoreReport {
  /** Names of skills that were missing or changed. Replaced versions can be restored with `rollback`. */
  readonly restored: readonly string[];
  /** Names of skills that already matched the lock. */
  readonly present: readonly string[];
}

/** Installs exactly the commits and files that the lock lists, or nothing. */
export async function restoreSkills(
  locked: readonly LockedSkill[],
  context: OriginContext,
): Promise<Outcome<RestoreReport>> {
  const fault = locked.map(findEntryFault).find((found) => found !== undefined);
  if (fault !== undefined) return fault;
  const isPresent = (skill: LockedSkill): boolean => {
    const dir = skillDirectory(context.place, skill.name, skill);
    return isTaken(dir) && compareWithDisk(skill, dir).length === 0;
  };
  const present = locked.filter(isPresent).map(({ name }) => name);
  const missing = locked.filter(({ name }) => !present.includes(name));
  if (missing.length === 0) return { ok: true, restored: [], present };
  const skills: PreparedSkill[] = [];
  try {
    const gate = openAuditGate(context, context.options.allow);
    const prepared = await prepareLocked(missing, skills, { ...context, gate });
    const accepted = prepared.ok ? await gate.accept(skills) : prepared;
    const changes = skills.map(({ entry, dir }) => ({ name: entry.name, before: entry, after: { entry, dir } }));
    const changed = accepted.ok ? await changeSkills(changes, context) : accepted;
    return changed.ok ? { ok: true, restored: missing.map(({ name }) => name), present } : changed;
  } finally {
    discardStaged(skills, context);
  }
}

function findEntryFault({ name, path }: LockedSkill): Failure | undefined {
  const fault = path === '' ? undefined : findTreePathFault(path);
  return fault === undefined ? undefined : fail('PATH_REFUSED', `lock file: ${name}: ${fault}`);
}

type RestoreContext = OriginContext & PrepareContext;

/** So many origins are fetched at a time: each skill of an index has its own, and a request for each takes its time. */
const AT_ONCE = 8;

/** Prepares skills with their entries in the lock, and adds them to `prepared`. Stops at the first that cannot be restored. */
async function prepareLocked(
  locked: readonly LockedSkill[],
  prepared: PreparedSkill[],
  context: RestoreContext,
): Promise<Outcome> {
  const groups = [...Map.groupBy(locked, ({ origin }) => JSON.stringify(origin)).values()];
  using readers = openWebReaders();
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const batch = groups.slice(at, at + AT_ONCE);
    const done = await Promise.all(batch.map((group) => prepareGroup(group, readers, context)));
    prepared.push(...done.flatMap(({ skills }) => skills));
    const failure = done.find((group) => group.failure !== undefined)?.failure;
    if (failure !== undefined) return failure;
  }
  return { ok: true };
}

interface PreparedGroup {
  readonly skills: readonly PreparedSkill[];
  /** Why the rest of the group was not prepared. */
  readonly failure?: Failure;
}

async function prepareGroup(
  group: readonly LockedSkill[],
  readers: WebReaders,
  context: RestoreContext,
): Promise<PreparedGroup> {
  const skills: PreparedSkill[] = [];
  const [first] = group;
  if (first === undefined) return { skills };
  const fetched = await fetchOrigin(first.origin, { ...originOptions(context), readers });
  if (!fetched.ok) return { skills, failure: fetched };
  await using opened = fetched.opened;
  opened.expect?.(group.map(({ path }) => path));
  for (const locked of group) {
    const prepared = await prepareExactly(locked, opened, context);
    if (!prepared.ok) return { skills, failure: prepared };
    skills.push(prepared);
    if (prepared.refused.length > 0) return { skills, failure: refuseFindings(locked.name, prepared.refused) };
  }
  return { skills };
}

/** Prepares a skill whose files are those that the lock lists, or fails. */
async function prepareExactly(
  locked: LockedSkill,
  opened: OpenOrigin,
  context: RestoreContext,
): Promise<Outcome<PreparedSkill>> {
  const fetched = await fetchSkill(opened, locked, context);
  if (!fetched.ok) return fetched;
  const { name, origin, digest, files } = locked;
  if (fetched.entry.digest === digest && compareFiles(files, fetched.entry.files).length === 0)
    return stageSkill({ ...fetched, entry: locked }, context);
  return fail(
    'INSTALL_FAILED',
    `"${name}": ${origin.url} no longer has the files in the lock file; nothing was installed`,
  );
}
