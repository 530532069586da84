import { join } from 'node:path';

import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { quoteWord } from '../model/shell-word.ts';
import type { Skill } from '../model/skill.ts';
import { digestFolder } from '../parse/digest.ts';
import { now } from '../platform/clock.ts';
import { hasTexts, openEntryFile, type EntryFile } from '../platform/files/entry-file.ts';
import { exists, realPath } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { writeFolder } from '../platform/files/write-folder.ts';
import type { LocatedSkill } from './locate.ts';

/** Which skills may run their scripts and toolsets. */
export interface Trust {
  /** Why a skill is trusted; a failure says why it is not, and what to do. Reads the skill's folder each time. */
  judge(skill: Skill): Outcome<{ readonly because: string }>;
  /**
   * The folder from which a trusted skill runs: its own, or, if it was trusted in one state, a copy of that state at `copyDir`,
   * so that changing its own folder from now on gains nothing. Nothing may exist at `copyDir`. Fails as `judge` does.
   */
  prepare(located: LocatedSkill, copyDir: string): Outcome<{ readonly runDir: string }>;
  /** Is a skill trusted if its folder has this digest? Reads nothing of the folder. */
  isGranted(skill: Skill, digest: string): boolean;
  /** Trusts a skill in the state that the digest names; any change to its folder ends the trust. */
  grant(skill: Skill, digest: string): Promise<Outcome>;
  /** Stops trusting a skill. */
  revoke(skill: Skill): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
  /** Stops trusting a folder, whatever it holds. */
  forget(dir: string): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
}

/**
 * Bundled skills and those in the user's own folder are trusted. All others are not: installers fill the folders of other
 * agents, and others write plugins, custom directories and projects.
 */
export function isTrustedByPlace({ level, source }: Pick<Skill, 'level' | 'source'>): boolean {
  return level === 'bundled' || (level === 'user' && source === 'user');
}

export function openTrust(agentHome: string): Trust {
  const path = join(agentHome, 'trust.json');
  const file = openEntryFile(path, { kind: 'trust', isEntry, compare: byDir });
  const forget = async (dir: string): Promise<Outcome<{ readonly wasTrusted: boolean }>> => {
    const changed = await file.change((before) => {
      const entries = before.filter((entry) => entry.dir !== dir);
      return { ok: true, entries, wasTrusted: entries.length < before.length };
    });
    return changed.ok ? { ok: true, wasTrusted: changed.wasTrusted } : changed;
  };
  return {
    judge(skill) {
      if (isTrustedByPlace(skill)) return { ok: true, because: describePlace(skill) };
      const entry = findEntry(file, skill);
      if (!entry.ok) return entry;
      const digest = digestFolder(openSkillFolder(skill.dir));
      if (!digest.ok) return fail('NOT_TRUSTED', digest.message);
      if (digest.digest !== entry.digest) return refuseChanged(skill);
      return { ok: true, because: 'you trusted it in this state' };
    },
    prepare({ skill, realDir }, copyDir) {
      if (isTrustedByPlace(skill)) return { ok: true, runDir: realDir };
      const entry = findEntry(file, skill);
      if (!entry.ok) return entry;
      const copied = copyFolder(realDir, copyDir);
      if (!copied.ok) return copied.code === 'STORE_FAILED' ? copied : refuseChanged(skill);
      return copied.digest === entry.digest ? { ok: true, runDir: copyDir } : refuseChanged(skill);
    },
    isGranted(skill, digest) {
      if (isTrustedByPlace(skill)) return true;
      const entry = findEntry(file, skill);
      return entry.ok && entry.digest === digest;
    },
    grant(skill, digest) {
      if (isTrustedByPlace(skill)) return Promise.resolve({ ok: true });
      const dir = placeOf(skill);
      const entry = { dir, name: skill.name, digest, trustedAt: new Date(now()).toISOString() };
      return file.change((before) => ({ ok: true, entries: [...before.filter((other) => other.dir !== dir), entry] }));
    },
    revoke(skill) {
      return isTrustedByPlace(skill) ? Promise.resolve(explainPlace(skill)) : forget(placeOf(skill));
    },
    async forget(dir) {
      return exists(path) ? forget(realPath(dir) ?? dir) : { ok: true, wasTrusted: false };
    },
  };
}

/**
 * Copies a skill's folder and gives the digest of the copy. Each file is read once: the bytes that are hashed are the bytes
 * that are written. Fails if the folder has no digest, and then leaves nothing.
 */
export function copyFolder(realDir: string, copyDir: string): Outcome<{ readonly digest: string }> {
  return writeFolder(copyDir, (write) =>
    digestFolder(openSkillFolder(realDir), ({ path, executable }, bytes) => write({ path, executable, bytes })),
  );
}

interface TrustEntry {
  /** The real path, so that links to the folder do not matter. */
  readonly dir: string;
  readonly name: string;
  readonly digest: string;
  /** ISO 8601, for people. */
  readonly trustedAt: string;
}

function placeOf({ dir }: Skill): string {
  return realPath(dir) ?? dir;
}

function byDir(a: TrustEntry, b: TrustEntry): number {
  return compareText(a.dir, b.dir);
}

function describePlace({ level }: Skill): string {
  return level === 'bundled' ? 'it is bundled' : 'it is in your own folder';
}

function originOf({ level, source, group }: Skill): string {
  if (level === 'project') return 'the project';
  if (source === 'plugin' || source === 'claude-plugins') return 'a plugin';
  if (source === 'agent-written') return 'an agent';
  return source.startsWith('custom:') ? 'a custom directory' : `the folder of another agent (${group})`;
}

/** Nothing is trusted while the file is invalid. */
function findEntry(file: EntryFile<TrustEntry>, skill: Skill): Outcome<TrustEntry> {
  const read = file.read();
  if (!read.ok) return fail('NOT_TRUSTED', read.message, read.hint);
  const entry = read.entries.find(({ dir }) => dir === placeOf(skill));
  return entry === undefined
    ? refuse(skill, `comes from ${originOf(skill)} and is not trusted`)
    : { ok: true, ...entry };
}

function refuseChanged(skill: Skill): Outcome<never> {
  return refuse(skill, 'was trusted, but has changed since');
}

function refuse({ name }: Skill, why: string): Outcome<never> {
  return fail(
    'NOT_TRUSTED',
    `the skill "${name}" ${why}`,
    `Review it and allow it to run with \`trust ${quoteWord(name)}\`.`,
  );
}

function explainPlace(skill: Skill): Outcome<never> {
  return fail(
    'NOT_TRUSTED',
    `"${skill.name}" is always trusted, because ${describePlace(skill)}`,
    `To keep it from running, use \`disable ${quoteWord(skill.name)}\`.`,
  );
}

function isEntry(entry: unknown): entry is TrustEntry {
  return hasTexts(entry, ['dir', 'name', 'digest', 'trustedAt']);
}
