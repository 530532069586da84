import { join } from 'node:path';

import { pluginName } from '../../config/plugin-name.ts';
import type { PluginDefinition } from '../../model/config.ts';
import { listSome } from '../../model/list-some.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { digestFolder } from '../../parse/digest.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { isPlainDirectory, isTaken } from '../../platform/files/files.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { openAuditGate } from '../audit-gate.ts';
import type { RepositorySkill } from '../origins/find-skills.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import { resolveOrigin } from '../origins/origin-kinds.ts';
import { findWanted } from '../origins/pick-skills.ts';
import { toSkipped } from '../staging/name-skills.ts';
import { fetchSkill, stageSkill } from '../staging/stage-skill.ts';
import { withRights } from '../staging/stage-tree.ts';
import {
  judgeVersion,
  originOptions,
  type OriginContext,
  type SkillUpdate,
  type UpdateCheck,
} from './check-updates.ts';
import { compareFiles, diffVersions } from './compare-files.ts';

/**
 * Prepares to adopt skills that the configuration lists and the lock does not: each becomes an update from what is on disk
 * to what its address has now, and gets its entry in the lock with it.
 */
export async function checkAdoptions(
  plugins: readonly PluginDefinition[],
  context: OriginContext,
): Promise<Pick<UpdateCheck, 'updates' | 'failed'>> {
  const updates: SkillUpdate[] = [];
  const failed: UpdateCheck['failed'][number][] = [];
  for (const plugin of plugins) {
    const checked = await checkAdoption(plugin, context);
    if (checked.ok) updates.push(checked.update);
    else failed.push(toSkipped(pluginName(plugin), checked));
  }
  return { updates, failed };
}

async function checkAdoption(
  plugin: PluginDefinition,
  context: OriginContext,
): Promise<Outcome<{ readonly update: SkillUpdate }>> {
  const name = pluginName(plugin);
  if (!isFolderName(name))
    return fail('INVALID_NAME', `"${name}" is not a valid name for a skill`, 'Correct its `name` in `plugins`.');
  const dir = join(context.place.root, name);
  const present = describeFolder(dir);
  if (!present.ok) return present;
  const resolved = await resolveOrigin(plugin.url, { ...originOptions(context), ref: plugin.ref });
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const found = await opened.find();
  if (!found.ok) return found;
  const picked = pickOne(found.skills, name, opened);
  if (!picked.ok) return picked;
  const { path } = picked.skill;
  const { place, state, sync } = context;
  const needsDescription = place.scope === 'project';
  const fetched = await fetchSkill(opened, { name, path, into: state.newPath(), needsDescription });
  if (!fetched.ok) return fetched;
  const gate = openAuditGate(context, context.options.allow);
  const judged = await judgeVersion(fetched, { dir, digest: present.digest }, gate);
  if (!judged.ok) return judged;
  const after = stageSkill(fetched, sync);
  if (!after.ok) return after;
  const { url, ref } = after.entry.origin;
  const before: LockedSkill = {
    name,
    origin: { kind: 'directory', url, ref },
    path,
    digest: present.digest,
    files: present.files,
  };
  const changes = compareFiles(before.files, after.entry.files);
  const diff = (): string => diffVersions(dir, after.dir, changes);
  const { addedFindings, refused, rules } = judged;
  const facts = { changes, localChanges: [], addedFindings, refused, rules };
  return { ok: true, update: { name, before, after, isAdopted: true, ...facts, diff } };
}

/** The only skill of the address, else the one of this name. */
function pickOne(
  skills: readonly RepositorySkill[],
  name: string,
  { display }: OpenOrigin,
): Outcome<{ readonly skill: RepositorySkill }> {
  const skill = skills.length === 1 ? skills[0] : findWanted(skills, name);
  if (skill !== undefined) return { ok: true, skill };
  const names = skills.map((other) => other.name);
  const known = names.length === 0 ? 'it has none' : `it has ${listSome(names, { most: MAX_NAMED })}`;
  return fail('SKILL_NOT_FOUND', `${display} has no skill "${name}"; ${known}`, 'Correct its `name` in `plugins`.');
}

const MAX_NAMED = 20;

/** Lists the files on disk as a lock would; empty if the folder is missing. */
function describeFolder(dir: string): Outcome<Pick<LockedSkill, 'digest' | 'files'>> {
  if (!isTaken(dir)) return { ok: true, digest: '', files: [] };
  if (!isPlainDirectory(dir))
    return fail('PATH_REFUSED', `${dir} is not a folder, so it cannot be updated`, 'Move it away.');
  const folder = openSkillFolder(dir);
  const listed = folder.files();
  const files = listed.files.filter(isOwn);
  const digested = digestFolder({ ...folder, files: () => ({ files, refused: listed.refused.filter(isOwn) }) });
  if (!digested.ok) return { ...digested, hint: 'Move it away, or remove what is not a regular file.' };
  return { ok: true, digest: digested.digest, files: withRights(digested.files, files) };
}

/** The folder may be a clone; git's own data is not part of the skill. */
function isOwn({ path }: { readonly path: string }): boolean {
  return path !== '.git' && !path.startsWith('.git/');
}
