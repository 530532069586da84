import { join } from 'node:path';

import { pluginName } from '../config/plugin-name.ts';
import type { PluginDefinition } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { digestFolder } from '../parse/digest.ts';
import { isFolderName } from '../parse/name-rules.ts';
import { isPlainDirectory, isTaken } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { originOptions, type OriginContext } from './changes/skill-change.ts';
import type { RepositorySkill } from './origins/find-skills.ts';
import { resolveOrigin } from './origins/origin-kinds.ts';
import { findWanted } from './origins/pick-skills.ts';
import { fetchSkill, type FetchedSkill } from './staging/prepare-skill.ts';
import { withRights } from './staging/read-tree.ts';

/** A skill that the configuration lists and the lock does not. */
export interface UnlockedSkill {
  /** The skill as its address has it now. */
  readonly fetched: FetchedSkill;
  /** The files on disk, as a lock would list them; none if the folder is missing. */
  readonly onDisk: LockedSkill;
}

export async function fetchUnlocked(plugin: PluginDefinition, context: OriginContext): Promise<Outcome<UnlockedSkill>> {
  const name = pluginName(plugin);
  if (!isFolderName(name))
    return fail('INVALID_NAME', `"${name}" is not a valid name for a skill`, {
      ask: 'user',
      to: 'Correct its `name` in `plugins`.',
    });
  const present = listFolder(join(context.place.root, name));
  if (!present.ok) return present;
  const resolved = await resolveOrigin(plugin.url, { ...originOptions(context), ref: plugin.ref });
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const found = await opened.find();
  const picked = found.ok ? pickOne(found.skills, name, opened.display) : found;
  if (!picked.ok) return picked;
  const fetched = await fetchSkill(opened, { name, path: picked.skill.path }, context);
  if (!fetched.ok) return fetched;
  const { path, origin } = fetched.entry;
  const { digest, files } = present;
  const onDisk = {
    name,
    origin: { kind: 'directory', url: origin.url, ref: origin.ref },
    path,
    digest,
    files,
  } as const;
  return { ok: true, fetched, onDisk };
}

/** The origin's only skill, or the one with this name. */
function pickOne(
  skills: readonly RepositorySkill[],
  name: string,
  display: string,
): Outcome<{ readonly skill: RepositorySkill }> {
  const skill = skills.length === 1 ? skills[0] : findWanted(skills, name);
  if (skill !== undefined) return { ok: true, skill };
  const names = skills.map((other) => other.name);
  const known = names.length === 0 ? 'it has none' : `it has ${listSome(names, { most: MAX_NAMED })}`;
  return fail('SKILL_NOT_FOUND', `${display} has no skill "${name}"; ${known}`, {
    ask: 'user',
    to: 'Correct its `name` in `plugins`.',
  });
}

const MAX_NAMED = 20;

function listFolder(dir: string): Outcome<Pick<LockedSkill, 'digest' | 'files'>> {
  if (!isTaken(dir)) return { ok: true, digest: '', files: [] };
  if (!isPlainDirectory(dir))
    return fail('PATH_REFUSED', `${dir} is not a folder, so it cannot be updated`, { moveAway: dir });
  const folder = openSkillFolder(dir);
  const listed = folder.files();
  const files = listed.files.filter(isOwn);
  const digested = digestFolder({ ...folder, files: () => ({ files, refused: listed.refused.filter(isOwn) }) });
  if (!digested.ok) return { ...digested, next: { moveAway: dir } };
  return { ok: true, digest: digested.digest, files: withRights(digested.files, files) };
}

/** The folder may be a clone; git's own data is not part of the skill. */
function isOwn({ path }: { readonly path: string }): boolean {
  return path !== '.git' && !path.startsWith('.git/');
}
