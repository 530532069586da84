import { join } from 'node:path';

import type { SkillFolder } from '../model/folder.ts';
import type { NextStep } from '../model/next-step.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { isoTime } from '../model/time.ts';
import { digestFolder } from '../parse/digest.ts';
import { now } from '../platform/clock.ts';
import { hasTexts, openEntryFile, type EntryFile } from '../platform/files/entry-file.ts';
import { exists, realPath } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { writeFolder } from '../platform/files/write-folder.ts';
import { openJudged, type LocatedSkill } from './locate.ts';

/** Why a skill may run: the user trusted this version, or its folder is always trusted; with the reason in words. */
export interface Trusted {
  readonly by: 'user' | 'place';
  readonly because: string;
}

/** Which skills may run their scripts and toolsets. */
export interface Trust {
  /** Why a skill is trusted; a failure says why it is not, and what to do. Reads the skill's folder each time. */
  judge(skill: Skill): Outcome<Trusted>;
  /**
   * The folder from which a trusted skill runs: its own, or, if it has none on disk or was trusted in one state, a copy of that state
   * at `copyDir`, so that changing its own folder from now on gains nothing. Nothing may exist at `copyDir`. Fails as `judge` does.
   */
  prepare(located: LocatedSkill, copyDir: string): Outcome<{ readonly runDir: string }>;
  /** Is any state of its folder trusted? */
  isByPlace(skill: Pick<Skill, 'level' | 'source'>): boolean;
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

export interface TrustOptions {
  /** The ids of the sources that a program opened in place of the usual ones; true for those that it trusts, in memory. */
  readonly opened?: ReadonlyMap<string, boolean> | undefined;
  /** The files of a skill; by default those of its folder on disk. */
  readonly openFolder?: ((skill: Skill) => SkillFolder) | undefined;
}

export function openTrust(
  agentHome: string,
  { opened, openFolder = ({ dir }) => openSkillFolder(dir) }: TrustOptions = {},
): Trust {
  const isByPlace = (skill: Pick<Skill, 'level' | 'source'>): boolean =>
    opened?.get(skill.source) ?? isTrustedByPlace(skill);
  const describe = (skill: Skill): string =>
    opened?.get(skill.source) === true ? byProgram(skill) : describePlace(skill);
  const next = opened === undefined ? trustAsUser : trustAsProgram;
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
      if (isByPlace(skill)) return { ok: true, by: 'place', because: describe(skill) };
      const entry = findEntry(file, skill, next);
      if (!entry.ok) return entry;
      const digest = digestFolder(openFolder(skill));
      if (!digest.ok) return fail('NOT_TRUSTED', digest.message);
      if (digest.digest !== entry.digest) return refuseChanged(skill, next);
      return { ok: true, by: 'user', because: 'you trusted this version' };
    },
    prepare(located, copyDir) {
      const { skill, realDir } = located;
      const folder = openJudged(located);
      if (isByPlace(skill)) {
        if (located.folder === undefined) return { ok: true, runDir: realDir };
        const copied = copyFolder(folder, copyDir);
        return copied.ok ? { ok: true, runDir: copyDir } : copied;
      }
      const entry = findEntry(file, skill, next);
      if (!entry.ok) return entry;
      const copied = copyFolder(folder, copyDir);
      if (!copied.ok) return copied.code === 'STORE_FAILED' ? copied : refuseChanged(skill, next);
      return copied.digest === entry.digest ? { ok: true, runDir: copyDir } : refuseChanged(skill, next);
    },
    isByPlace,
    isGranted(skill, digest) {
      if (isByPlace(skill)) return true;
      const entry = findEntry(file, skill, next);
      return entry.ok && entry.digest === digest;
    },
    grant(skill, digest) {
      if (isByPlace(skill)) return Promise.resolve({ ok: true });
      const dir = placeOf(skill);
      const entry = { dir, name: skill.name, digest, trustedAt: isoTime(now()) };
      return file.change((before) => ({ ok: true, entries: [...before.filter((other) => other.dir !== dir), entry] }));
    },
    revoke(skill) {
      return isByPlace(skill) ? Promise.resolve(explainPlace(skill, describe(skill))) : forget(placeOf(skill));
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
export function copyFolder(folder: SkillFolder, copyDir: string): Outcome<{ readonly digest: string }> {
  return writeFolder(copyDir, (write) =>
    digestFolder(folder, ({ path, executable }, bytes) => write({ path, executable, bytes })),
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

function placeOf(skill: Skill): string {
  return isFromSource(skill) ? skill.dir : (realPath(skill.dir) ?? skill.dir);
}

function byDir(a: TrustEntry, b: TrustEntry): number {
  return compareText(a.dir, b.dir);
}

function describePlace({ level }: Skill): string {
  return level === 'bundled' ? 'it ships with Skillplane' : 'it is in your own skills folder';
}

function byProgram(skill: Skill): string {
  return `the program trusts its ${isFromSource(skill) ? 'source' : 'folder'}`;
}
/** Nothing is trusted while the file is invalid. */
function findEntry(file: EntryFile<TrustEntry>, skill: Skill, next: TrustStep): Outcome<TrustEntry> {
  const read = file.read();
  if (!read.ok) return fail('NOT_TRUSTED', read.message, read.next ?? next(skill));
  const entry = read.entries.find(({ dir }) => dir === placeOf(skill));
  return entry === undefined ? refuse(skill, 'is not trusted', next) : { ok: true, ...entry };
}

function refuseChanged(skill: Skill, next: TrustStep): Outcome<never> {
  return refuse(skill, 'changed after you trusted it', next);
}

function refuse(skill: Skill, why: string, next: TrustStep): Outcome<never> {
  return fail('NOT_TRUSTED', `"${skill.name}" ${why}`, next(skill));
}

/** How a skill can be trusted, which depends on the way it came. */
type TrustStep = (skill: Skill) => NextStep;

const trustAsUser: TrustStep = ({ name }) => ({ do: 'trust', skill: name });
const trustAsProgram: TrustStep = (skill) => {
  const opening = isFromSource(skill)
    ? 'this source, open it with `sources: [{ source, trusted: true }]`'
    : 'this folder, open it with `dirs: [{ path, trusted: true }]`';
  return {
    ask: 'user',
    to: `If the program ships ${opening}. Otherwise inspect the skill and use \`skills.trust.grant\`.`,
  };
};

function explainPlace(skill: Skill, because: string): Outcome<never> {
  return fail('NOT_TRUSTED', `"${skill.name}" is always trusted, because ${because}`, {
    do: 'disable',
    skill: skill.name,
  });
}

function isEntry(entry: unknown): entry is TrustEntry {
  return hasTexts(entry, ['dir', 'name', 'digest', 'trustedAt']);
}
