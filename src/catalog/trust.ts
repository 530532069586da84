import { join } from 'node:path';

import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { digestFolder } from '../parse/digest.ts';
import { now } from '../platform/clock.ts';
import { parseJson } from '../platform/files/cache-file.ts';
import { exists, readOwnText, realPath, writeWhole } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** Which skills may run what they bring: scripts and toolsets. */
export interface Trust {
  /** Why a skill is trusted; a failure says why not, and what to do. Its folder is read anew each time. */
  judge(skill: Skill): Outcome<{ readonly because: string }>;
  /** Trusts a skill as the digest has it; any change of its folder ends that. */
  grant(skill: Skill, digest: string): Promise<Outcome>;
  /** Ends the trust in a skill. */
  revoke(skill: Skill): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
  /** The same of a folder, whatever is in it. */
  forget(dir: string): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
}

/** Bundled skills and those in a user's own folders are trusted; what an installer or a project put there is not. */
export function isTrustedByPlace({ level, source }: Pick<Skill, 'level' | 'source'>): boolean {
  return level === 'bundled' || (level === 'user' && !INSTALLED.test(source));
}

const INSTALLED = /^(?:plugin|claude-plugins|custom:.*)$/;

export function openTrust(agentHome: string): Trust {
  const file = join(agentHome, 'trust.json');
  const change = <T>(edit: (entries: readonly TrustEntry[]) => Outcome<Edit & T>): Promise<Outcome<T>> =>
    withLock(file, async () => {
      const read = readEntries(file);
      if (!read.ok) return read;
      const edited = edit(read.entries);
      if (!edited.ok) return edited;
      const { skills } = edited;
      const text = JSON.stringify({ version: FORMAT, skills: skills.toSorted(byDir) }, undefined, 2);
      const written = writeWhole(file, `${text}\n`, 0o600);
      return written.ok ? edited : written;
    });
  const forget = (dir: string): Promise<Outcome<{ readonly wasTrusted: boolean }>> =>
    change((entries) => {
      const skills = entries.filter((entry) => entry.dir !== dir);
      return { ok: true, skills, wasTrusted: skills.length < entries.length };
    });
  return {
    judge(skill) {
      if (isTrustedByPlace(skill)) return { ok: true, because: `it is a ${skill.level}-level skill` };
      const read = readEntries(file);
      if (!read.ok) return fail('NOT_TRUSTED', read.message);
      const entry = read.entries.find(({ dir }) => dir === placeOf(skill));
      if (entry === undefined) return refuse(skill, `comes from ${originOf(skill)} and is not trusted`);
      const digest = digestFolder(openSkillFolder(skill.dir));
      if (!digest.ok) return fail('NOT_TRUSTED', digest.message);
      if (digest.digest !== entry.digest) return refuse(skill, 'was trusted, but has changed since');
      return { ok: true, because: 'it was trusted as it is' };
    },
    grant(skill, digest) {
      if (isTrustedByPlace(skill)) return Promise.resolve({ ok: true });
      const dir = placeOf(skill);
      const entry = { dir, name: skill.name, digest, trustedAt: new Date(now()).toISOString() };
      return change((entries) => ({ ok: true, skills: [...entries.filter((other) => other.dir !== dir), entry] }));
    },
    revoke(skill) {
      return isTrustedByPlace(skill) ? Promise.resolve(explainPlace(skill)) : forget(placeOf(skill));
    },
    async forget(dir) {
      return exists(file) ? forget(realPath(dir) ?? dir) : { ok: true, wasTrusted: false };
    },
  };
}

const FORMAT = 1;

interface TrustEntry {
  /** Without links: a trusted folder is that folder, by whatever way it is reached. */
  readonly dir: string;
  readonly name: string;
  readonly digest: string;
  /** ISO 8601; for people. */
  readonly trustedAt: string;
}

interface Edit {
  readonly skills: readonly TrustEntry[];
}

function placeOf({ dir }: Skill): string {
  return realPath(dir) ?? dir;
}

function byDir(a: TrustEntry, b: TrustEntry): number {
  return compareText(a.dir, b.dir);
}

function originOf({ level, source }: Skill): string {
  if (level === 'project') return 'the project';
  return source.startsWith('custom:') ? 'a custom directory' : 'a plugin';
}

function refuse({ name }: Skill, why: string): Outcome<never> {
  const command = `skillplane trust ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`;
  return fail('NOT_TRUSTED', `the skill "${name}" ${why}; look at what it brings, and allow it with: ${command}`);
}

function explainPlace({ name, level }: Skill): Outcome<never> {
  return fail('NOT_TRUSTED', `"${name}" is trusted as a ${level}-level skill; to keep it from running, disable it`);
}

/** Nothing is trusted while the file cannot be understood, and it is not written over. */
function readEntries(file: string): Outcome<{ readonly entries: readonly TrustEntry[] }> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, entries: [] };
  const content = parseJson(read.text);
  if (!isTrustFile(content)) return fail('STORE_FAILED', `${file} cannot be understood; mend it or move it away`);
  return { ok: true, entries: content.skills };
}

function isTrustFile(content: unknown): content is { readonly skills: readonly TrustEntry[] } {
  if (typeof content !== 'object' || content === null || !('version' in content && 'skills' in content)) return false;
  return content.version === FORMAT && Array.isArray(content.skills) && content.skills.every(isEntry);
}

function isEntry(entry: unknown): entry is TrustEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  return ['dir', 'name', 'digest', 'trustedAt'].every((key) => typeof Object(entry)[key] === 'string');
}
