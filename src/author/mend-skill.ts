import { basename, dirname, join } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import type { Finding } from '../parse/validate.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { kindAt, moveTo, writeInside } from '../platform/files/write-inside.ts';
import type { Mend } from './mend-fields.ts';
import { mendText, type MendOptions } from './mend-text.ts';
import { validateText } from './new-errors.ts';
import { withRoot } from './skill-root.ts';

export interface MendSkillOptions extends MendOptions {
  /** Write what was mended; without it, it is only shown. */
  readonly write?: boolean | undefined;
}

export interface MendedSkill {
  /** The skill's directory. */
  readonly path: string;
  readonly mends: readonly Mend[];
  /** Unified; empty where no line changes. */
  readonly diff: string;
  readonly written: boolean;
  /** The errors that `validate` finds still, for a person to mend. */
  readonly left: readonly Finding[];
}

/** Mends the skill in a directory as far as that needs no guessing, or shows how it would. */
export async function mendSkill(dir: string, options: MendSkillOptions = {}): Promise<Outcome<MendedSkill>> {
  const realDir = realPath(dir);
  if (realDir !== undefined && kindAt(dir) === 'link')
    return fail('PATH_REFUSED', `${dir} is a link; name what it leads to, ${realDir}`);
  if (realDir === undefined || kindAt(realDir) !== 'directory')
    return fail('PATH_REFUSED', `${dir} is not a directory`);
  if (options.write !== true) return mend(dir, realDir, options);
  return withRoot({ path: dirname(realDir), boundary: undefined }, () => mend(dir, realDir, options));
}

function mend(dir: string, realDir: string, { spec = false, write = false }: MendSkillOptions): Outcome<MendedSkill> {
  const read = readSkillFile(dir, realDir);
  if (!read.ok) return read;
  const { fileName, text } = read;
  const mended = mendText(text, dir, { spec });
  const isMisnamed = fileName !== SKILL_FILE;
  const renaming = isMisnamed ? [{ message: `${fileName} is renamed to ${SKILL_FILE}` }] : [];
  const mends = [...renaming, ...mended.mends];
  const result = {
    path: dir,
    mends,
    diff: renderDiff(text, mended.text, `${basename(dir)}/${SKILL_FILE}`),
    left: validateText(dir, mended.text, { spec }).errors,
  };
  if (!write || mends.length === 0) return { ok: true, ...result, written: false };
  const renamed = isMisnamed ? moveTo(join(realDir, fileName), join(realDir, SKILL_FILE)) : { ok: true as const };
  const written = renamed.ok && mended.text !== text ? writeInside(realDir, SKILL_FILE, mended.text) : renamed;
  return written.ok ? { ok: true, ...result, written: true } : written;
}

const SKILL_FILE = 'SKILL.md';

interface SkillFile {
  readonly fileName: string;
  readonly text: string;
}

function readSkillFile(dir: string, realDir: string): Outcome<SkillFile> {
  const listing = listDirectory(realDir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  const fileName = findSkillFile(names);
  if (fileName === undefined) return fail('RESOURCE_NOT_FOUND', `${dir}: missing required file: SKILL.md`);
  const path = join(dir, fileName);
  if (kindAt(join(realDir, fileName)) !== 'file') return fail('PATH_REFUSED', `${path} is a link, or no file`);
  const read = readInside(realDir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return fail(read.code, `${path}: ${read.message}`);
  const text = decodeStrictly(read.bytes);
  if (text === undefined) return fail('PARSE_FAILED', `${path} is not valid UTF-8; save it as UTF-8`);
  return { ok: true, fileName, text };
}
