import { join } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import { digestFolder } from '../parse/digest.ts';
import { stampSettledFolder } from '../platform/files/folder-stamp.ts';
import { openKeptCopies, type CopyLimits } from '../platform/files/kept-copies.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** Private copies of skills in the state that was trusted. Their code runs from there. */
export interface TrustedCopies {
  /** The copy of a skill with this digest. Fails with `NOT_TRUSTED` if the skill's folder is in another state now. */
  take(realDir: string, digest: string): Outcome<{ readonly dir: string }>;
  /** Removes the copy of a state that is no longer trusted. */
  remove(digest: string): void;
}

/**
 * Each file is read once: the bytes that are hashed are the bytes that are written, so changing the folder meanwhile gains
 * nothing. Once a copy exists, a folder whose stamps are the same is not read again; its stamps decide only whether the
 * trust has ended, never which bytes run.
 */
export function openTrustedCopies(agentHome: string, limits?: CopyLimits): TrustedCopies {
  const copies = openKeptCopies(join(agentHome, 'cache', 'running'), limits);
  const known = new Map<string, string>();
  const isSame = (dir: string, digest: string): boolean => {
    const before = stampSettledFolder(dir);
    if (before !== undefined && known.get(dir) === `${digest} ${before}`) return true;
    known.delete(dir);
    const now = digestFolder(openSkillFolder(dir));
    if (!now.ok || now.digest !== digest) return false;
    if (before !== undefined && before === stampSettledFolder(dir)) known.set(dir, `${digest} ${before}`);
    return true;
  };
  const find = (name: string, digest: string): string | undefined => {
    const dir = copies.find(name);
    if (dir === undefined || isSame(dir, digest)) return dir;
    copies.remove(name);
    return undefined;
  };
  return {
    take(realDir, digest) {
      const name = nameOf(digest);
      if (name === undefined) return changed();
      const dir = find(name, digest);
      if (dir !== undefined) return isSame(realDir, digest) ? { ok: true, dir } : changed();
      return copies.make(name, (write) => {
        const read = digestFolder(openSkillFolder(realDir), ({ path, executable }, bytes) =>
          write({ path, bytes, executable }),
        );
        // A folder without a digest is not what was trusted.
        if (!read.ok) return read.code === 'STORE_FAILED' ? read : changed();
        return read.digest === digest ? { ok: true } : changed();
      });
    },
    remove(digest) {
      const name = nameOf(digest);
      if (name !== undefined) copies.remove(name);
    },
  };
}

/** The trust file is a person's: what it says must not lead out of our folder. */
function nameOf(digest: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
}

function changed(): Outcome<never> {
  return fail('NOT_TRUSTED', 'the folder has changed');
}
