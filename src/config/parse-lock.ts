import { z } from 'zod';

import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure } from '../parse/yaml/plain-yaml.ts';
import { COMMIT, DIGEST, isFolder, staysInside } from './read-rendered-lock.ts';
import { END, END_NOTE, LOCK_VERSION } from './render-lock.ts';

/**
 * Parses a `skills-lock.yaml`. A text that was emptied or cut short is a failure: it would make installed skills be forgotten.
 * Pure: the result can be cached by the text.
 */
export function parseLock(text: string): Outcome<{ readonly skills: readonly LockedSkill[] }, FileFailure> {
  const read = readPlainYaml(text, MAX_LOCK_BYTES);
  if (!read.ok) return read;
  if (read.value === null || read.value === undefined) return fileFailure(1, `is empty${DAMAGE}`);
  const lines = text.trimEnd().split('\n');
  if (text.includes(END_NOTE) && lines.at(-1)?.trim() !== END) return fileFailure(lines.length, `has no end${DAMAGE}`);
  const parsed = lock.safeParse(read.value);
  if (parsed.success) {
    const skills = Object.entries(parsed.data.skills);
    return { ok: true, skills: skills.map(([name, skill]) => ({ name, ...skill })) };
  }
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  return fileFailure(read.lineOf(path), `${path.join('.')}: ${issue?.message ?? 'is wrong'}`);
}

const DAMAGE = '; the file was emptied or cut short';

const OUTSIDE = 'leads out of its folder';

const digest = z.string().regex(DIGEST, 'must be sha256: and 64 hex digits');

const skill = z.object({
  url: z.string().min(1),
  ref: z.string().optional(),
  commit: z.string().regex(COMMIT, 'must be 40 hex digits').optional(),
  path: z.string().refine(staysInside, OUTSIDE).default(''),
  held: z.boolean().optional(),
  digest,
  files: z.array(
    z.object({ path: z.string().refine(staysInside, OUTSIDE), digest, executable: z.boolean().default(false) }),
  ),
});

const lock = z.object({
  version: z.literal(LOCK_VERSION, `must be ${LOCK_VERSION}; a newer skillplane wrote this file`),
  skills: z.record(
    z.string().refine(isFolder, 'is not the name of a folder'),
    skill,
    `must list the installed skills${DAMAGE}`,
  ),
});
