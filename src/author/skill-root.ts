import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { uniqueName } from '../platform/clock.ts';
import { listDirectory } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';
import { kindAt, makeFolderInside, removeFolder } from '../platform/files/write-inside.ts';

/** A directory of skills that is written to; a project's is bounded by the project. */
export type WritableRoot = Pick<SourceRoot, 'path'> & Partial<Pick<SourceRoot, 'boundary'>>;

/** Runs `work` on the root's real path while nobody else writes skills there. */
export async function withRoot<T>(
  { path, boundary }: WritableRoot,
  work: (realRoot: string) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const made = makeFolderInside(path, boundary);
  if (!made.ok) return made;
  const { realDir } = made;
  return withLock(join(realDir, LOCK), async () => {
    for (const leftover of namesIn(realDir).filter((name) => UNFINISHED.test(name)))
      removeFolder(join(realDir, leftover));
    return work(realDir);
  });
}

const LOCK = '.skillplane-writing';
/** Only who holds the lock makes such folders: one that is there already is a killed process's. */
const UNFINISHED = /^\.skillplane-.+\.(?:new|old)$/;

/** Where a folder is made ready before it gets its name, or is put when it loses it. */
export function besides(realRoot: string, state: 'new' | 'old'): string {
  return join(realRoot, `.skillplane-${uniqueName()}.${state}`);
}

/** A skill's folder: absent, or there with its SKILL.md, which may be spelled otherwise. */
export type SkillPlace =
  | { readonly state: 'absent'; readonly dir: string }
  | { readonly state: 'present'; readonly dir: string; readonly fileName: string };

/** Looks for a skill's folder. Links are not followed, and what is no skill stands in the way. */
export function findPlace(realRoot: string, id: string): Outcome<{ readonly place: SkillPlace }> {
  const dir = join(realRoot, id);
  const kind = kindAt(dir);
  if (kind === 'missing') {
    const alike = namesIn(realRoot).find((name) => foldName(name) === foldName(id));
    if (alike !== undefined) return taken(join(realRoot, alike), 'differs by its spelling alone');
    return { ok: true, place: { state: 'absent', dir } };
  }
  if (kind === 'link') return refused(dir, 'is a link');
  if (kind !== 'directory') return taken(dir, 'is no folder');
  const fileName = findSkillFile(namesIn(dir));
  if (fileName === undefined) return taken(dir, 'is there already and holds no SKILL.md');
  const file = join(dir, fileName);
  if (kindAt(file) !== 'file') return refused(file, 'is a link, or no file');
  return { ok: true, place: { state: 'present', dir, fileName } };
}

function namesIn(dir: string): readonly string[] {
  const listing = listDirectory(dir);
  return listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
}

function taken(path: string, why: string): Failure {
  return fail('ALREADY_EXISTS', `${path} ${why}; choose another name, or move it away`);
}

function refused(path: string, why: string): Failure {
  return fail('PATH_REFUSED', `${path} ${why}; it is not written through`);
}
