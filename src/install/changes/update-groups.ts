import type { LockedSkill } from '../../model/lock.ts';
import { isCommitId } from '../../platform/repository/git-ref.ts';
import { isVersion } from '../origins/npm-address.ts';

/** Installed skills, by what an update does with them. */
export interface UpdateGroups {
  /** Those that may have newer versions, by origin. */
  readonly groups: readonly (readonly LockedSkill[])[];
  /** Those that were installed at a fixed commit or version. */
  readonly pinned: readonly LockedSkill[];
  /** Those that `hold` keeps as they are. */
  readonly held: readonly LockedSkill[];
}

export function groupForUpdate(skills: readonly LockedSkill[]): UpdateGroups {
  const held = skills.filter((skill) => skill.held === true);
  const loose = skills.filter((skill) => skill.held !== true);
  const open = loose.filter((skill) => !isPinned(skill));
  const groups = Map.groupBy(open, ({ origin: { kind, url, ref } }) => JSON.stringify([kind, url, ref]));
  return { groups: [...groups.values()], pinned: loose.filter(isPinned), held };
}

function isPinned({ origin: { kind, ref } }: LockedSkill): boolean {
  return ref !== undefined && (kind === 'npm' || kind === 'hub' ? isVersion(ref) : isCommitId(ref));
}
