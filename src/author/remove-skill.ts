import { basename, join } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { moveTo, removeFolder } from '../platform/files/write-inside.ts';
import { besides, findPlace, withRoot, type WritableRoot } from './skill-root.ts';

export interface RemoveSkillOptions {
  readonly source: WritableRoot;
  /** Also where the folder holds more than its SKILL.md; false. */
  readonly withFiles?: boolean | undefined;
}

/**
 * Removes a skill's folder: it loses its name in one step and is deleted then, so that a process that is killed leaves
 * all of the skill or none. Other files than the SKILL.md are not taken along unless that is asked for.
 */
export function removeSkill(
  id: string,
  { source, withFiles = false }: RemoveSkillOptions,
): Promise<Outcome<{ readonly id: string; readonly path: string }>> {
  return withRoot(source, (realRoot) => {
    const found = findPlace(realRoot, id);
    if (!found.ok) return found;
    const { place } = found;
    const path = join(source.path, id);
    if (place.state === 'absent') return fail('SKILL_NOT_FOUND', `there is no skill "${id}" in ${source.path}`);
    const others = listOthers(place.dir, place.fileName);
    if (others.length > 0 && !withFiles) {
      const shown = `${others.slice(0, SHOWN_FILES).join(', ')}${others.length > SHOWN_FILES ? ', …' : ''}`;
      return fail('PATH_REFUSED', `${path} also holds ${shown}; remove the folder yourself if they are not needed`);
    }
    const aside = besides(realRoot, 'old');
    const moved = moveTo(place.dir, aside);
    if (!moved.ok) return moved;
    removeFolder(aside);
    return { ok: true, id: basename(place.dir), path: join(path, place.fileName) };
  });
}

const SHOWN_FILES = 5;
/** What a process that was killed while writing left behind. */
const OURS = /^\.skillplane-[^/]*\.tmp$/;

function listOthers(dir: string, fileName: string): readonly string[] {
  const { files, refused } = openSkillFolder(dir).files();
  const paths = [...files, ...refused].map(({ path }) => path);
  return paths.filter((path) => path !== fileName && !OURS.test(path));
}
