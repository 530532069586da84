import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { listDirectory } from '../platform/files/files.ts';
import { kindAt, makeFolderInside } from '../platform/files/folders.ts';
import { sweepLeftovers } from '../platform/files/leftovers.ts';
import { withLock, type HeldLock } from '../platform/files/lock.ts';

/** A skills folder to write to. A project's folder must be inside the project. */
export type WritableRoot = Pick<SourceRoot, 'path'> & Partial<Pick<SourceRoot, 'boundary'>>;

/** Runs `work` on the root's real path while holding its lock. */
export async function withRoot<T>(
  { path, boundary }: WritableRoot,
  work: (realRoot: string, held: HeldLock) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const made = makeFolderInside(path, { boundary, isPrivate: boundary === undefined });
  if (!made.ok) return made;
  const { realDir } = made;
  return withLock(join(realDir, LOCK), async (held) => {
    sweepLeftovers([realDir]);
    return work(realDir, held);
  });
}

const LOCK = '.skillplane-writing';

/** The folder of a skill: absent, or present with the actual spelling of its SKILL.md. */
export type WritablePlace =
  | { readonly state: 'absent'; readonly dir: string }
  | { readonly state: 'present'; readonly dir: string; readonly fileName: string };

export type PresentPlace = Extract<WritablePlace, { readonly state: 'present' }>;

/** Finds a skill's folder. Links and anything that is not a skill are failures. */
export function findPlace(realRoot: string, id: string): Outcome<{ readonly place: WritablePlace }> {
  const dir = join(realRoot, id);
  const kind = kindAt(dir);
  if (kind === 'missing') {
    const alike = namesIn(realRoot).find((name) => foldName(name) === foldName(id));
    if (alike !== undefined) return taken(join(realRoot, alike), 'differs only in spelling');
    return { ok: true, place: { state: 'absent', dir } };
  }
  if (kind === 'link') return refused(dir, 'is a link');
  if (kind !== 'directory') return taken(dir, 'is not a folder');
  const fileName = findSkillFile(namesIn(dir));
  if (fileName === undefined) return taken(dir, 'already exists and has no SKILL.md');
  const file = join(dir, fileName);
  if (kindAt(file) !== 'file') return refused(file, 'is not a regular file');
  return { ok: true, place: { state: 'present', dir, fileName } };
}

function namesIn(dir: string): readonly string[] {
  const listing = listDirectory(dir);
  return listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
}

function taken(path: string, why: string): Failure {
  return fail('ALREADY_EXISTS', `${path} ${why}`, {
    either: [{ give: 'name', aim: 'choose another' }, { moveAway: path }],
  });
}

function refused(path: string, why: string): Failure {
  return fail('PATH_REFUSED', `${path} ${why}, so nothing is written there`);
}
