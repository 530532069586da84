import { basename, join } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { moveTo } from '../platform/files/folders.ts';
import { readInside } from '../platform/files/inside.ts';
import { temporaryPath } from '../platform/files/leftovers.ts';
import { removeTree } from '../platform/files/remove-tree.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { findPlace, withRoot, type PresentPlace, type WritableRoot } from './skill-root.ts';
import type { WriteSkillOptions } from './write-skill.ts';

export interface RemoveSkillOptions {
  readonly source: WritableRoot;
  /** Also removes other files in the folder; by default they make it fail. */
  readonly withFiles?: boolean | undefined;
  /** Refuses to remove the skill by returning a failure. */
  readonly judge?: WriteSkillOptions['judge'];
}

/**
 * Removes a skill's folder. The folder is renamed in one step and then deleted, so a killed process leaves either the
 * whole skill or none of it.
 */
export function removeSkill(
  id: string,
  { source, withFiles = false, judge }: RemoveSkillOptions,
): Promise<Outcome<{ readonly id: string; readonly path: string }>> {
  return withRoot(source, (realRoot, { check }) => {
    const found = findPlace(realRoot, id);
    if (!found.ok) return found;
    const { place } = found;
    const path = join(source.path, id);
    if (place.state === 'absent') return fail('SKILL_NOT_FOUND', `no skill called "${id}" in ${source.path}`);
    const refusal = judge === undefined ? undefined : judgeFile(place, path, judge);
    if (refusal !== undefined) return refusal;
    const others = listOthers(place.dir, place.fileName);
    if (others.length > 0 && !withFiles) {
      const shown = `${others.slice(0, SHOWN_FILES).join(', ')}${others.length > SHOWN_FILES ? ', …' : ''}`;
      return fail('PATH_REFUSED', `${path} also contains ${shown}`, { ask: 'user', to: 'Remove these files first.' });
    }
    const aside = temporaryPath(realRoot, 'tmp');
    const held = check();
    const moved = held.ok ? moveTo(place.dir, aside) : held;
    if (!moved.ok) return moved;
    removeTree(aside);
    return { ok: true, id: basename(place.dir), path: join(path, place.fileName) };
  });
}

/** A file whose fields cannot be read cannot be judged, so it stays. */
function judgeFile(
  { dir, fileName }: PresentPlace,
  path: string,
  judge: (existing: SkillDefinition) => Failure | undefined,
): Failure | undefined {
  const file = join(path, fileName);
  const read = readInside(dir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES });
  const parsed = read.ok ? parseSkill(read.bytes, { dir, file }) : read;
  return parsed.ok ? judge(parsed.skill) : parsed;
}

const SHOWN_FILES = 5;
/** Left behind by a process that was killed while writing. */
const OURS = /^\.skillplane-[^/]*\.tmp$/;

function listOthers(dir: string, fileName: string): readonly string[] {
  const { files, refused } = openSkillFolder(dir).files();
  const paths = [...files, ...refused].map(({ path }) => path);
  return paths.filter((path) => path !== fileName && !OURS.test(path));
}
