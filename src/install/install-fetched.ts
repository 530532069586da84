import { join } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { quoteWord } from '../model/shell-word.ts';
import { isTaken } from '../platform/files/files.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import { compareWithDisk } from './changes/compare-files.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { confirmInstall, needsAudit } from './confirm-install.ts';
import type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallReport,
  InstallRequest,
} from './install-request.ts';
import type { RepositorySkills } from './origins/find-skills.ts';
import type { OpenOrigin } from './origins/origin-kind.ts';
import { pickSkills } from './origins/pick-skills.ts';
import { nameSkills, type KnownNames, type NamedSkill, type SkippedSkill } from './staging/name-skills.ts';
import { stageAll } from './staging/stage-all.ts';
import type { StagedSkill } from './staging/stage-skill.ts';

export interface InstallContext extends ChangeContext {
  readonly decisions: InstallDecisions;
  /** The names that are taken, if they were read while the origin was fetched. */
  readonly names?: Outcome<KnownNames> | undefined;
}

/** Installs skills from an open origin: find, pick, name, stage, ask, put in place. */
export async function installFetched(
  opened: OpenOrigin,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstallReport>> {
  const { decisions, place } = context;
  const found = await opened.find();
  if (!found.ok) return found;
  if (found.skills.length === 0) return explainNone(opened, found.diagnostics);
  const isLenient = request.all === true;
  const wanted = [...(request.skills ?? []), ...(opened.skill === undefined ? [] : [opened.skill])];
  const picked = await pickSkills(found.skills, { wanted, all: request.all, ask: decisions.pick });
  if (!picked.ok) return picked;
  const { name, replace, signal, allow } = request;
  const named = await nameSkills(picked.picked, {
    ...context,
    url: opened.url,
    name,
    replace,
    rename: decisions.rename,
    isLenient,
  });
  if (!named.ok) return named;
  const staged = await stageAll(named.skills, {
    ...context,
    opened,
    isAudited: needsAudit(context),
    isLenient,
    signal,
  });
  if (!staged.ok) return staged;
  const { fresh, present, changed } = compareInstalled(staged.skills, named.skills, { place, force: request.force });
  if (changed.length > 0 && !isLenient) discardStaged(staged.skills, context);
  const [conflict] = changed;
  if (conflict !== undefined && !isLenient) return fail(conflict.code, conflict.message, conflict.hint);
  const skipped = [...named.skipped, ...staged.skipped, ...changed];
  const facts = { ...describeOrigin(opened, found), skipped };
  let left = staged.skills;
  try {
    if (fresh.length === 0 && present.length > 0) return { ok: true, ...facts, installed: [], present };
    const confirmed = await confirmInstall(fresh, facts, { ...context, audits: staged.audits, allow, isLenient });
    if (!confirmed.ok) return confirmed;
    const wantedNames = new Set(confirmed.skills.map(({ entry }) => entry.name));
    const installed = await putInPlace(
      fresh.filter(({ entry }) => wantedNames.has(entry.name)),
      context,
    );
    if (!installed.ok) return installed;
    left = left.filter(({ entry }) => !wantedNames.has(entry.name));
    if (context.names?.ok === true) context.names.conflicts.save();
    return { ok: true, ...facts, skipped: [...skipped, ...confirmed.refused], installed: installed.skills, present };
  } finally {
    discardStaged(left, context);
  }
}

const MAX_NAMED = 5;

function explainNone({ display }: OpenOrigin, diagnostics: readonly Diagnostic[]): Failure {
  if (diagnostics.length === 0)
    return fail('SKILL_NOT_FOUND', `${display} holds no skill: no folder in the usual places has a SKILL.md`);
  const reasons = diagnostics.map(({ path, message }) => `${path}: ${message}`);
  const shown = listSome(reasons, { most: MAX_NAMED, separator: '; ' });
  return fail('SKILL_NOT_FOUND', `${display} holds no skill; ${shown}`);
}

/** A staged skill, and the lock's entry that it replaces. */
interface FreshSkill extends StagedSkill {
  readonly before: LockedSkill | undefined;
}

interface InstalledComparison {
  readonly fresh: readonly FreshSkill[];
  /** Installed already, with the same files. */
  readonly present: readonly string[];
  /** Installed already, with other files. */
  readonly changed: readonly SkippedSkill[];
}

/** Tells what is new from what is installed already. With `force`, everything counts as new. */
function compareInstalled(
  staged: readonly StagedSkill[],
  named: readonly NamedSkill[],
  { place, force = false }: Pick<ChangeContext, 'place'> & Pick<InstallRequest, 'force'>,
): InstalledComparison {
  const fresh: FreshSkill[] = [];
  const present: string[] = [];
  const changed: SkippedSkill[] = [];
  for (const skill of staged) {
    const { name, digest } = skill.entry;
    const before = named.find((one) => one.name === name)?.before;
    const dir = join(place.root, name);
    if (before === undefined || force) fresh.push({ ...skill, before });
    else if (before.digest === digest && isTaken(dir) && compareWithDisk(before, dir).length === 0) present.push(name);
    else changed.push({ name, ...isDifferent(name, dir) });
  }
  return { fresh, present, changed };
}

function isDifferent(name: string, dir: string): Omit<SkippedSkill, 'name'> {
  const word = quoteWord(name);
  return {
    code: 'ALREADY_EXISTS',
    message: `"${name}" is already installed in ${dir}, with other files`,
    hint: `Update it with \`update ${word}\`, replace it with \`force\`, or give the new one another name with \`name\`.`,
  };
}

function describeOrigin(
  { display, choice, files, notices }: OpenOrigin,
  { skills, diagnostics }: RepositorySkills,
): Pick<InstallPreview, 'from' | 'choice' | 'commit' | 'notices' | 'diagnostics'> {
  const known = new Set(skills.map(({ file }) => file));
  const others = diagnostics.filter(({ path }) => !known.has(path));
  return { from: display, choice, commit: files.commit, notices, diagnostics: others };
}

async function putInPlace(
  staged: readonly FreshSkill[],
  context: InstallContext,
): Promise<Outcome<{ readonly skills: readonly InstalledSkill[] }>> {
  context.decisions.onProgress?.({ phase: 'write', percent: 100 });
  const changes = staged.map(({ dir, entry, before }) => ({ name: entry.name, before, after: { entry, dir } }));
  const changed = await changeSkills(changes, context);
  if (!changed.ok) return changed;
  const { root } = context.place;
  return {
    ok: true,
    skills: staged.map(({ entry: { name, digest } }) => ({ name, path: join(root, name), digest })),
  };
}
