import { z } from 'zod';

import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure } from '../parse/yaml/plain-yaml.ts';
import { COMMIT, DIGEST, readOrigin } from './lock-origin.ts';
import { isFolder, staysInside } from './read-rendered-lock.ts';
import { END, END_NOTE, LOCK_VERSIONS } from './render-lock.ts';

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

const text = z.string().optional();

const skill = z
  .object({
    kind: text,
    url: z.string().min(1),
    ref: text,
    commit: z.string().regex(COMMIT, 'must be 40 hex digits').optional(),
    version: text,
    artifact: text,
    integrity: text,
    path: z.string().refine(staysInside, OUTSIDE).default(''),
    held: z.boolean().optional(),
    digest,
    files: z.array(
      z.object({ path: z.string().refine(staysInside, OUTSIDE), digest, executable: z.boolean().default(false) }),
    ),
  })
  .transform(({ path, held, digest: whole, files, ...fields }, context) => {
    const origin = readOrigin(fields);
    if (origin !== undefined) return { origin, path, ...(held === undefined ? {} : { held }), digest: whole, files };
    context.addIssue(`is not an origin that this version knows (${fields.kind})`);
    return z.NEVER;
  });

const lock = z.object({
  version: z.literal(LOCK_VERSIONS, `must be ${LOCK_VERSIONS.join(' or ')}; a newer skillplane wrote this file`),
  skills: z.record(
    z.string().refine(isFolder, 'is not the name of a folder'),
    skill,
    `must list the installed skills${DAMAGE}`,
  ),
});
