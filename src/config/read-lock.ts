import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedFile, LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure } from '../parse/yaml/plain-yaml.ts';
import { readOwnText } from '../platform/files/files.ts';
import {
  checkText,
  checkTruth,
  checkList,
  mappingOf,
  missingAs,
  oneOf,
  recordOf,
  right,
  that,
  wrong,
  type ValueCheck,
} from './check.ts';
import { COMMIT, DIGEST, readOrigin, type OriginFields } from './lock-origin.ts';
import { END, END_NOTE, LOCK_VERSIONS } from './render-lock.ts';

export const LOCK_NAME = 'skills-lock.yaml';

/** Reads a `skills-lock.yaml`; a missing file is an empty lock. An invalid file is a failure and is never written. */
export function readLock(file: string): Outcome<{ readonly skills: readonly LockedSkill[] }> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, skills: [] };
  const parsed = parseLock(read.text);
  if (parsed.ok) return parsed;
  const hint = 'Fix the file, or restore it from a backup.';
  return fail('CONFIG_INVALID', `${file}:${parsed.line}: ${parsed.message}`, hint);
}

/** Parses a `skills-lock.yaml`. A text that was emptied or cut short is a failure: it would make installed skills be forgotten. */
export function parseLock(text: string): Outcome<{ readonly skills: readonly LockedSkill[] }, FileFailure> {
  const read = readPlainYaml(text, MAX_LOCK_BYTES);
  if (!read.ok) return read;
  if (read.value === null || read.value === undefined) return fileFailure(1, `is empty${DAMAGE}`);
  const lines = text.trimEnd().split('\n');
  if (text.includes(END_NOTE) && lines.at(-1)?.trim() !== END) return fileFailure(lines.length, `has no end${DAMAGE}`);
  const checked = checkLock(read.value);
  if (checked.ok) {
    const skills = Object.entries(checked.value.skills);
    return { ok: true, skills: skills.map(([name, skill]) => ({ name, ...skill })) };
  }
  const [{ path, message }] = checked.faults;
  return fileFailure(read.lineOf(path), `${path.join('.')}: ${message}`);
}

const DAMAGE = '; the file was emptied or cut short';

const checkPath = that(checkText, staysInside, 'leads out of its folder');
const checkDigest = that(checkText, (text) => DIGEST.test(text), 'must be sha256: and 64 hex digits');

const checkFile = mappingOf<LockedFile>(
  { path: checkPath, digest: checkDigest, executable: missingAs(false, checkTruth) },
  'must be a file with its digest',
);

const maybeText = missingAs(undefined, checkText);

const checkFields = mappingOf<OriginFields & Omit<LockedSkill, 'name' | 'origin'>>(
  {
    kind: maybeText,
    url: that(checkText, (text) => text !== '', 'must not be empty'),
    ref: maybeText,
    commit: missingAs(
      undefined,
      that(checkText, (text) => COMMIT.test(text), 'must be 40 hex digits'),
    ),
    version: maybeText,
    artifact: maybeText,
    integrity: maybeText,
    path: missingAs('', checkPath),
    held: missingAs(undefined, checkTruth),
    digest: checkDigest,
    files: checkList(checkFile),
  },
  'must be an installed skill',
);

const checkSkill: ValueCheck<Omit<LockedSkill, 'name'>> = (value) => {
  const checked = checkFields(value);
  if (!checked.ok) return checked;
  const { path, held, digest, files, ...fields } = checked.value;
  const origin = readOrigin(fields);
  if (origin === undefined) return wrong(`is not an origin that this version knows (${fields.kind})`);
  return right({ origin, path, ...(held === undefined ? {} : { held }), digest, files });
};

const checkLock = mappingOf<{
  readonly version: (typeof LOCK_VERSIONS)[number];
  readonly skills: Readonly<Record<string, Omit<LockedSkill, 'name'>>>;
}>(
  {
    version: oneOf(LOCK_VERSIONS, `must be ${LOCK_VERSIONS.join(' or ')}; a newer skillplane wrote this file`),
    skills: recordOf(checkSkill, `must list the installed skills${DAMAGE}`, (name) =>
      isFolder(name) ? undefined : 'is not the name of a folder',
    ),
  },
  'must be a mapping',
);

/** Does a path of a lock stay in its folder? */
function staysInside(path: string): boolean {
  return !/^\/|\0/.test(path) && !path.split(/[/\\]/).includes('..');
}

function isFolder(name: string): boolean {
  return staysInside(name) && !name.includes('/');
}
